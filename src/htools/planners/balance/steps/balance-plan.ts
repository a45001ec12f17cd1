/** A balancing plan in one call, for users of the library; hbal takes steps one by one. */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { groupScope } from '../../../model/state/scope.ts';
import { ClusterState } from '../../../model/state/state.ts';
import type { Plan } from '../../../plan/plan.ts';
import { type BalanceOptions, DEFAULT_BALANCE_OPTIONS } from '../options.ts';
import { balanceSteps } from './balance.ts';
import { StepSearch } from './step-search.ts';

/**
 * The steps that hbal would take.
 *
 * @param snapshot a prepared snapshot; it is not changed
 * @param group position of the group to balance
 * @param options what differs from hbal's defaults
 */
export function planBalance(snapshot: Snapshot, group: number, options: Partial<BalanceOptions> = {}): Plan {
  const limits = { ...DEFAULT_BALANCE_OPTIONS, ...options };
  const { nodes } = groupScope(snapshot, group);
  const state = new ClusterState(snapshot);
  const search = new StepSearch(state, nodes, limits);
  const initialScore = search.scorer.score;
  const steps = [...balanceSteps(state, nodes, limits, search)];
  const finalScore = steps.at(-1)?.score ?? initialScore;
  return {
    start: snapshot,
    nodes,
    limits: { ...limits, betweenGroups: false },
    initialScore,
    finalScore,
    steps,
  };
}
