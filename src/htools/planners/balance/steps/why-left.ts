/** Why instances are left on nodes that were to be emptied: a limit, the rules, or the score. */
import { ALLOWED, type FailCode } from '../../../cluster/refusal.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import { groupScope } from '../../../model/state/scope.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { type LeftBehind, onOfflineNodes, stayReason } from '../left-behind.ts';
import type { BalanceOptions } from '../options.ts';
import { movesOf } from '../possible-moves.ts';
import { balanceSteps } from './balance.ts';

/** Whether the instance has a copy or its memory on the node. */
const isOn = (state: ClusterState, i: number, node: number): boolean =>
  state.primary[i] === node || state.secondary[i] === node;

/** Whether the rules allow a move that takes the instance off the node. */
function mayLeave(state: ClusterState, i: number, node: number, options: BalanceOptions): boolean {
  const group = state.groupOf[state.primary[i]!]!;
  const targets = groupScope(state.snapshot, group).nodes.filter((n) => !state.isOffline[n]);
  return movesOf(state, i, targets, options).some(({ kind, target }) => {
    const refusal = (): FailCode => applyMove(state, i, kind, target, options.ignoreSoftErrors);
    return state.journal.tentatively(() => refusal() === ALLOWED && !isOn(state, i, node));
  });
}

/**
 * What is on offline nodes as the state stands, with why each is left. Whatever would leave if the plan went
 * on without a limit is left by the limit; so the plan is gone on with here, on this state.
 * @param groups positions of the nodes of each group that was balanced; the others were not looked at
 */
export function leftBehind(
  state: ClusterState,
  groups: readonly (readonly number[])[],
  options: BalanceOptions,
): LeftBehind[] {
  const left = onOfflineNodes(state, options);
  const balanced = new Set(groups.flat());
  const unlimited = { ...options, maxSteps: -1, minGain: 0, minGainLimit: 0, minScore: 0 };
  for (const nodes of groups)
    if (left.some(({ node }) => nodes.includes(node))) for (const _ of balanceSteps(state, nodes, unlimited));
  return left.map((one) => {
    const { node, instance } = one;
    if (!balanced.has(node)) return { ...one, reason: 'other-group' };
    if (!isOn(state, instance, node)) return { ...one, reason: 'limit' };
    const reason = stayReason(state, instance, options);
    const isOpen = reason === 'no-move' && mayLeave(state, instance, node, options);
    return { ...one, reason: isOpen ? 'no-gain' : reason };
  });
}
