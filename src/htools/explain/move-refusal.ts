/** Which rule refuses a move, and by how much. The only place that puts a refusal of a move into facts. */
import { FAIL_MIG, FAIL_MODES, FAIL_TAGS, type FailCode, type FailModeName } from '../cluster/refusal.ts';
import type { RuleName } from '../cluster/rules.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import { SET_RULE_NAMES, WISH_PREFIXES, wishesOf } from '../cluster/tags/placement-tags.ts';
import { migrationTags, receivableMigrationTags } from '../cluster/tags/tags.ts';
import { applyMove } from '../model/moves/apply.ts';
import type { Move } from '../model/moves/kinds.ts';
import { barOf } from '../model/rules/refusals.ts';
import type { ClusterState } from '../model/state/state.ts';
import { type ExplainedRefusal, explainRefusal } from '../planners/allocate/choose/refusal-figures.ts';
import type { RuleRefusal } from '../results/parts/explanation.ts';

/** The first rule that refuses the move; undefined when it is allowed. The state is as before afterwards. */
export const refusalOfMove = (
  state: ClusterState,
  move: Move,
  ignoreSoftErrors: boolean,
): RuleRefusal | undefined => refusalOfMoves(state, [move], ignoreSoftErrors);

/** The same for moves that are made one after the other. */
export function refusalOfMoves(
  state: ClusterState,
  moves: readonly Move[],
  ignoreSoftErrors: boolean,
): RuleRefusal | undefined {
  let found: RuleRefusal | undefined;
  return state.journal.tentatively(() => {
    for (const { instance, kind, target } of moves) {
      applyMove(state, instance, kind, target, ignoreSoftErrors, (node, role, primary, code) => {
        found = factsOf(state, instance, node, role, primary, code);
      });
      if (found) break;
    }
    return found;
  });
}

/** @param other of a secondary its primary; of a migration that is refused the node that it comes from */
function factsOf(
  state: ClusterState,
  i: number,
  node: number,
  role: 'primary' | 'secondary',
  other: number,
  code: FailCode,
): RuleRefusal {
  const name = state.snapshot.nodes[node]!.name;
  if (code === FAIL_MIG) {
    const detail = missingMigrationTags(state, other, node).join(', ');
    return { rule: 'migration-tags', mode: FAIL_MODES[code] as FailModeName, node: name, role, detail };
  }
  const asked = role === 'primary' ? { kind: role } : { kind: role, primary: other };
  const explained = explainRefusal(state, i, node, asked, code, false);
  const tags = code === FAIL_TAGS ? tagsInTheWay(state, i, node, explained.rule).join(', ') : undefined;
  return refusalFacts(state.snapshot, role, explained, tags);
}

/** A refusal that was explained, with names. @param detail the tags or the pool that it is about */
export const refusalFacts = (
  { nodes }: Pick<Snapshot, 'nodes'>,
  role: RuleRefusal['role'],
  { mode, rule, node, needed, available, unit, pool }: ExplainedRefusal,
  detail: string | undefined = pool,
): RuleRefusal => ({
  rule,
  mode,
  node: nodes[node]!.name,
  role,
  ...(needed !== undefined && available !== undefined && { needed, available, unit }),
  ...(detail !== undefined && detail !== '' && { detail }),
});

/** Migration tags of the source that the target does not take in. */
function missingMigrationTags({ snapshot }: ClusterState, from: number, to: number): string[] {
  const sent = migrationTags(snapshot.tags, snapshot.nodes[from]!.tags);
  const received = receivableMigrationTags(snapshot.tags, snapshot.nodes[to]!.tags);
  return [...sent].filter((tag) => !received.has(tag));
}

/** The instance's tags that a rule about tags goes by. */
function tagsInTheWay(state: ClusterState, i: number, node: number, rule: RuleName): string[] {
  if (rule === 'exclusion-tags') return clashingTags(state, i, node);
  const ofSet = SET_RULE_NAMES.find((one) => one === rule);
  if (ofSet) return wishesOf(state.instanceRecord(i).tags)[ofSet].map((name) => WISH_PREFIXES[ofSet] + name);
  const bar = barOf(state, i, node);
  return bar ? bar.names.map((name) => `${bar.prefix}${name}`) : [];
}

/** Exclusion tags of the instance that a primary on the node carries, too. */
function clashingTags(state: ClusterState, i: number, node: number): string[] {
  const there = new Set(
    [...state.primaries[node]!, ...state.forthcomingPrimaries[node]!]
      .filter((other) => other !== i)
      .flatMap((other) => state.instanceRecord(other).exclusionTags),
  );
  return [...new Set(state.instanceRecord(i).exclusionTags)].filter((tag) => there.has(tag));
}
