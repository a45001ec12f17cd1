/** Groups by score, and the worst one that balancing can improve. Source: docs/why/groups.md. */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { scoreOf } from '../../../model/score/scorer.ts';
import { badNodes, groupScope, groupsWithNodes, instancesOn } from '../../../model/state/scope.ts';
import { ClusterState } from '../../../model/state/state.ts';
import type { groupRow as row } from '../../../results/parts/tables.ts';
import type { BalanceOptions } from '../options.ts';
import { balanceSteps } from './balance.ts';

export type GroupRow = DocumentOf<typeof row>;

/** A group with nodes, by its position. */
export interface GroupScore extends GroupRow {
  readonly group: number;
}

/** Score and N+1 state of one group. @param state as loaded */
export function groupRow(state: ClusterState, group: number): GroupRow {
  const { nodes, instances } = groupScope(state.snapshot, group);
  const bad = badNodes(state, nodes);
  return {
    name: state.snapshot.groups[group]!.name,
    nodes: nodes.length,
    instances: instances.length,
    badNodes: bad.length,
    badInstances: instancesOn(state, bad).length,
    score: scoreOf(state, nodes),
    isNPlusOneHappy: bad.length === 0,
  };
}

/** All groups with nodes, the worst score first; equals, and no numbers, in the snapshot's order. */
export function groupScores(snapshot: Snapshot): GroupScore[] {
  const state = new ClusterState(snapshot);
  const scores = groupsWithNodes(snapshot).map((group) => ({ group, ...groupRow(state, group) }));
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
  return scores.find(
    ({ group }) => !balanceSteps(state, groupScope(snapshot, group).nodes, options).next().done,
  );
}
