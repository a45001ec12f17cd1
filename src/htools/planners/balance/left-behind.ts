/** What is still on the nodes that were to be emptied (offline ones), and why. */
import { NO_NODE } from '../../cluster/snapshot.ts';
import { isMovableTemplate } from '../../cluster/templates.ts';
import { type ClusterState, IS_AUTO_BALANCED, MIRROR_INTERNAL } from '../../model/state/state.ts';
import type { BalanceOptions } from './options.ts';
import { kindsWithTarget, mayFailOver } from './possible-moves.ts';

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
