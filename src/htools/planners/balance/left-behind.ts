/** What is still on the nodes that were to be emptied (offline ones), and why. */
import { NO_NODE } from '../../cluster/snapshot.ts';
import { isMovableTemplate } from '../../cluster/templates.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { IS_AUTO_BALANCED, MIRROR_INTERNAL } from '../../model/state/state.ts';
import type { BalanceOptions } from './options.ts';
import { kindsWithTarget, mayFailOver } from './possible-moves.ts';

export type StayReason =
  | 'other-group'
  | 'template'
  | 'not-auto-balanced'
  | 'left-out'
  | 'no-secondary'
  | 'options'
  | 'no-move';

/** An instance that stays on a node, with what it is there. */
export interface LeftBehind {
  /** Positions in the snapshot. */
  readonly node: number;
  readonly instance: number;
  readonly role: 'primary' | 'secondary';
  readonly reason: StayReason;
}

/** Why the instance makes no move; `no-move` where it could, by its own settings and the options. */
export function stayReason(state: ClusterState, i: number, options: BalanceOptions): StayReason {
  const { diskTemplate, isMovable } = state.instanceRecord(i);
  if (!isMovableTemplate(diskTemplate)) return 'template';
  if ((state.flags[i]! & IS_AUTO_BALANCED) === 0) return 'not-auto-balanced';
  if (!isMovable) return 'left-out';
  if (state.mirroring[i] === MIRROR_INTERNAL && state.secondary[i] === NO_NODE) return 'no-secondary';
  const isOpen = mayFailOver(state, i, options) || kindsWithTarget(state, i, options).length > 0;
  return isOpen ? 'no-move' : 'options';
}

/**
 * All instances that are on offline nodes as the state stands, node by node.
 * A secondary leaves only by copying its disks: where no disk is to be copied, it is meant to stay.
 * @param balanced positions of the nodes that were balanced; the others were not looked at
 */
export function leftBehind(
  state: ClusterState,
  balanced: ReadonlySet<number>,
  options: BalanceOptions,
): LeftBehind[] {
  const found: LeftBehind[] = [];
  const roles = options.diskMoves ? (['primary', 'secondary'] as const) : (['primary'] as const);
  for (let node = 0; node < state.nodeCount; node++) {
    if (!state.isOffline[node]) continue;
    for (const role of roles)
      for (const i of [...(role === 'primary' ? state.primaries : state.secondaries)[node]!].sort(
        (a, b) => a - b,
      )) {
        const reason = balanced.has(node) ? stayReason(state, i, options) : 'other-group';
        found.push({ node, instance: i, role, reason });
      }
  }
  return found;
}
