/** A balancing plan in one call, for users of the library; hbal takes steps one by one. */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { groupScope } from '../../../model/state/scope.ts';
import { ClusterState } from '../../../model/state/state.ts';
import type { Plan } from '../../../plan/plan.ts';
import { type BalanceOptions, DEFAULT_BALANCE_OPTIONS } from '../options.ts';
import { balanceAll } from './balance.ts';

/**
 * The steps that hbal would take.
 *
 * @param snapshot a prepared snapshot; it is not changed
 * @param group position of the group to balance
 * @param options what differs from hbal's defaults
 */
export function planBalance(snapshot: Snapshot, group: number, options: Partial<BalanceOptions> = {}): Plan {
  const limits = { ...DEFAULT_BALANCE_OPTIONS, ...options };
  const balanced = balanceAll(new ClusterState(snapshot), groupScope(snapshot, group).nodes, limits);
  return { start: snapshot, limits: { ...limits, betweenGroups: false }, ...balanced };
}
