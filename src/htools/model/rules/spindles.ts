/** Spindles: a resource under exclusive storage, else a measure of disk load. Source: stock; hspace(1). */
import * as F from '../state/node-fields.ts';
import { type ClusterState, USES_NODE_DISK } from '../state/state.ts';

/** Marks an instance with unknown spindles as one that fits nowhere. */
const UNKNOWN_NEED = -1;

/**
 * Free spindles of a node after adding (+1) or removing (-1) the instance; 0 where storage is not exclusive.
 * Where unknown spindles leave, nothing gets free.
 */
export function freeSpindlesAfter(
  state: ClusterState,
  instance: number,
  node: number,
  field: number,
  change: 1 | -1,
): number {
  if (!state.isExclusive[node]) return 0;
  const free = state.nodeFields[node * F.NODE_STRIDE + field]!;
  const spindles = state.diskSpindles[instance]!;
  if (Number.isNaN(spindles)) return change === 1 ? UNKNOWN_NEED : free;
  return free - change * spindles;
}

/** Spindles in use on a node after the same; 0 on exclusive storage. */
export function usedSpindlesAfter(
  state: ClusterState,
  instance: number,
  node: number,
  field: number,
  change: 1 | -1,
): number {
  if (state.isExclusive[node]) return 0;
  const used = state.nodeFields[node * F.NODE_STRIDE + field]!;
  return state.flags[instance]! & USES_NODE_DISK ? used + change * state.spindleUse[instance]! : used;
}
