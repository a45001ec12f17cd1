/** Why nodes are in their rounds (`hroller --why`, `--explain`), and about others (`--try`); from 1. */
import { kept } from '../../kit/kept.ts';
import type { ClusterState } from '../model/state/state.ts';
import { conflictsOf } from '../planners/maintain/reboot/reboot-graph.ts';
import { clearsTogether, type RebootOptions } from '../planners/maintain/reboot/reboot-rounds.ts';
import type { RebootDocument, RoundAnswers } from '../results/maintain.ts';

/** `--explain`: why a node is in no earlier round. */
export type RoundExplanation = NonNullable<RebootDocument['explanation']>[number];

/** What keeps a node out of a round. */
export type RoundFacts = RoundExplanation['earlier'][number];

/** A node that must not be down together with another, because of these instances. */
export type RoundConflict = RoundFacts['conflicts'][number];

/** `--why`: all nodes that may share no round with this one; `round` is null where it is in none. */
export type RoundWhy = NonNullable<RoundAnswers['why']>[number];

/** `--try`: whether a node could be in that round. */
export type RoundTry = NonNullable<RoundAnswers['try']>[number];

/** @param rounds positions of the nodes of each round */
export function roundQuestions(
  state: ClusterState,
  rounds: readonly (readonly number[])[],
  options: RebootOptions,
) {
  const { nodes, instances: records } = state.snapshot;
  const known = new Map<number, readonly RoundConflict[]>();
  const nameOf = (n: number): string => nodes[n]!.name;
  const roundOf = (n: number): number | null => {
    const at = rounds.findIndex((some) => some.includes(n));
    return at < 0 ? null : at + 1;
  };
  const conflictsWith = (n: number): readonly RoundConflict[] =>
    kept(known, n, () =>
      conflictsOf(state, n, options.offlineMaintenance).map(({ node, rule, instances }) => ({
        node: nameOf(node),
        rule,
        instances: instances.map((i) => records[i]!.name),
      })),
    );
  /** What stands in the way of a node in a round; a round beyond the last is empty. */
  const factsOf = (n: number, round: number): RoundFacts => {
    const others = rounds[round - 1] ?? [];
    const names = new Set(others.map(nameOf));
    // In the order in which they were cleared: first come, first served.
    const before = others.toSorted((a, b) => a - b);
    return {
      round,
      conflicts: conflictsWith(n).filter(({ node }) => names.has(node)),
      hasRoom: others.includes(n) || clearsTogether(state, [...before, n], options),
    };
  };
  return {
    why: (n: number): RoundWhy => ({ node: nameOf(n), round: roundOf(n), conflicts: conflictsWith(n) }),
    explain: (): RoundExplanation[] =>
      rounds.flatMap((some, at) =>
        some.map((n) => ({
          node: nameOf(n),
          round: at + 1,
          isMaster: nodes[n]!.isMaster,
          earlier: Array.from({ length: at }, (_, k) => factsOf(n, k + 1)),
        })),
      ),
    /** @param round from 1 to one beyond the last */
    try: (n: number, round: number): RoundTry => {
      const facts = factsOf(n, round);
      const isAllowed = facts.conflicts.length === 0 && facts.hasRoom;
      return { node: nameOf(n), at: roundOf(n), isAllowed, ...facts };
    },
  };
}
