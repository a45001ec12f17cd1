/** Groups by score, and the worst one that balancing can improve. Source: docs/why/groups.md. */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { scoreOf } from '../../../model/score/scorer.ts';
import {
  badNodes,
  groupScope,
  groupsWithNodes,
  instancesOn,
  type Scope,
} from '../../../model/state/scope.ts';
import { ClusterState } from '../../../model/state/state.ts';
import type { BalanceOptions } from '../options.ts';
import { balanceSteps } from './balance.ts';

/** Score and N+1 state of one group. */
export interface GroupScore {
  readonly group: number;
  readonly scope: Scope;
  /** Online nodes that fail N+1, and the instances on them. */
  readonly badNodes: number;
  readonly badInstances: number;
  readonly score: number;
}

/** @param state as loaded */
export function groupScore(state: ClusterState, group: number): GroupScore {
  const scope = groupScope(state.snapshot, group);
  const bad = badNodes(state, scope.nodes);
  return {
    group,
    scope,
    badNodes: bad.length,
    badInstances: instancesOn(state, bad).length,
    score: scoreOf(state, scope.nodes),
  };
}

/** All groups with nodes, the worst score first; equals, and no numbers, in the snapshot's order. */
export function groupScores(snapshot: Snapshot): GroupScore[] {
  const state = new ClusterState(snapshot);
  const scores = groupsWithNodes(snapshot).map((group) => groupScore(state, group));
  const rank = ({ score }: GroupScore): number => (Number.isNaN(score) ? Number.NEGATIVE_INFINITY : score);
  // Equal infinities have no difference that is a number, which counts as none.
  return scores.sort((a, b) => rank(b) - rank(a) || a.group - b.group);
}

/** The first group with a step worth taking; undefined without any. @param scores as from groupScores */
export function firstImprovable(
  snapshot: Snapshot,
  scores: readonly GroupScore[],
  options: BalanceOptions,
): GroupScore | undefined {
  // A step that is found is applied, but it is also the last that is looked for: one state serves all groups.
  const state = new ClusterState(snapshot);
  return scores.find(({ scope: { nodes } }) => !balanceSteps(state, nodes, options).next().done);
}
