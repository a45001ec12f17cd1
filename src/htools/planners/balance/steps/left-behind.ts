/** Why instances are left on nodes that were to be emptied: a limit, the rules, or the score. */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { isMovableTemplate } from '../../../cluster/templates.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import { groupScope } from '../../../model/state/scope.ts';
import { type ClusterState, IS_AUTO_BALANCED, MIRROR_INTERNAL } from '../../../model/state/state.ts';
import type { BalanceOptions } from '../options.ts';
import { kindsWithTarget, mayFailOver, movesOf } from '../possible-moves.ts';
import { balanceSteps } from './balance.ts';

export type StayReason =
  | 'other-group'
  | 'template'
  | 'not-auto-balanced'
  | 'left-out'
  | 'no-secondary'
  | 'options'
  | 'no-move'
  | 'no-gain'
  | 'limit'
  | 'not-carried-out'
  | 'arrived';

/** An instance that stays on a node, with what it is there. */
export interface LeftBehind {
  /** Positions in the snapshot. */
  readonly node: number;
  readonly instance: number;
  readonly role: 'primary' | 'secondary';
  readonly reason: StayReason;
}

/** What keeps the instance for good; `no-move` where it may move, by its own settings and the options. */
export function stayReason(state: ClusterState, i: number, options: BalanceOptions): StayReason {
  const { diskTemplate, isMovable } = state.instanceRecord(i);
  if (!isMovableTemplate(diskTemplate)) return 'template';
  if ((state.flags[i]! & IS_AUTO_BALANCED) === 0) return 'not-auto-balanced';
  if (!isMovable) return 'left-out';
  if (state.mirroring[i] === MIRROR_INTERNAL && state.secondary[i] === NO_NODE) return 'no-secondary';
  const isOpen = mayFailOver(state, i, options) || kindsWithTarget(state, i, options).length > 0;
  return isOpen ? 'no-move' : 'options';
}

/** Instances on offline nodes as the state stands, node by node. */
export function onOfflineNodes(
  state: ClusterState,
  { diskMoves }: Pick<BalanceOptions, 'diskMoves'>,
): Omit<LeftBehind, 'reason'>[] {
  // A secondary leaves only by copying its disks: where no disk is to be copied, it is meant to stay.
  const roles = diskMoves ? (['primary', 'secondary'] as const) : (['primary'] as const);
  return [...Array(state.nodeCount).keys()]
    .filter((node) => state.isOffline[node])
    .flatMap((node) =>
      roles.flatMap((role) =>
        [...(role === 'primary' ? state.primaries : state.secondaries)[node]!]
          .sort((a, b) => a - b)
          .map((instance) => ({ node, instance, role })),
      ),
    );
}

/** Whether the instance has a copy or its memory on the node. */
const isOn = (state: ClusterState, i: number, node: number): boolean =>
  state.primary[i] === node || state.secondary[i] === node;

/** Whether the rules allow a move that takes the instance off the node. */
function mayLeave(state: ClusterState, i: number, node: number, options: BalanceOptions): boolean {
  const group = state.groupOf[state.primary[i]!]!;
  const targets = groupScope(state.snapshot, group).nodes.filter((n) => !state.isOffline[n]);
  return movesOf(state, i, targets, options).some(({ kind, target }) =>
    state.journal.tentatively(
      () => applyMove(state, i, kind, target, options.ignoreSoftErrors) === ALLOWED && !isOn(state, i, node),
    ),
  );
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
