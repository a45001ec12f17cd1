/** A balancing plan in one call, for users of the library; hbal takes steps one by one. */
import { ExecutionError } from '../../../../kit/faults.ts';
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
 * @throws ExecutionError when there is no such group
 */
export function planBalance(snapshot: Snapshot, group: number, options: Partial<BalanceOptions> = {}): Plan {
  const { length } = snapshot.groups;
  if (!snapshot.groups[group])
    throw new ExecutionError(
      `there is no node group at position ${group}`,
      `say one from 0 to ${length - 1}`,
    );
  const limits = { ...DEFAULT_BALANCE_OPTIONS, ...options };
  const balanced = balanceAll(new ClusterState(snapshot), groupScope(snapshot, group).nodes, limits);
  return { start: snapshot, limits: { ...limits, betweenGroups: false }, ...balanced };
}
