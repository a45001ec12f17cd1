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

export class RoundQuestions {
  private readonly known = new Map<number, readonly RoundConflict[]>();

  /** @param rounds positions of the nodes of each round */
  constructor(
    private readonly state: ClusterState,
    private readonly rounds: readonly (readonly number[])[],
    private readonly options: RebootOptions,
  ) {}

  private nameOf(n: number): string {
    return this.state.snapshot.nodes[n]!.name;
  }

  private roundOf(n: number): number | null {
    const at = this.rounds.findIndex((nodes) => nodes.includes(n));
    return at < 0 ? null : at + 1;
  }

  private conflictsOf(n: number): readonly RoundConflict[] {
    const { state, options } = this;
    return kept(this.known, n, () =>
      conflictsOf(state, n, options.offlineMaintenance).map(({ node, rule, instances }) => ({
        node: this.nameOf(node),
        rule,
        instances: instances.map((i) => state.snapshot.instances[i]!.name),
      })),
    );
  }

  /** What stands in the way of a node in a round; a round beyond the last is empty. */
  private factsOf(n: number, round: number): RoundFacts {
    const nodes = this.rounds[round - 1] ?? [];
    const names = new Set(nodes.map((other) => this.nameOf(other)));
    // In the order in which they were cleared: first come, first served.
    const before = nodes.toSorted((a, b) => a - b);
    return {
      round,
      conflicts: this.conflictsOf(n).filter(({ node }) => names.has(node)),
      hasRoom: nodes.includes(n) || clearsTogether(this.state, [...before, n], this.options),
    };
  }

  why(n: number): RoundWhy {
    return { node: this.nameOf(n), round: this.roundOf(n), conflicts: this.conflictsOf(n) };
  }

  explain(): RoundExplanation[] {
    return this.rounds.flatMap((nodes, at) =>
      nodes.map((n) => ({
        node: this.nameOf(n),
        round: at + 1,
        isMaster: this.state.snapshot.nodes[n]!.isMaster,
        earlier: Array.from({ length: at }, (_, k) => this.factsOf(n, k + 1)),
      })),
    );
  }

  /** @param round from 1 to one beyond the last */
  try(n: number, round: number): RoundTry {
    const facts = this.factsOf(n, round);
    const isAllowed = facts.conflicts.length === 0 && facts.hasRoom;
    return { node: this.nameOf(n), at: this.roundOf(n), isAllowed, ...facts };
  }
}
