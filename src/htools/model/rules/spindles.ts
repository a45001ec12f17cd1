/** Spindles: a resource under exclusive storage, else a measure of disk load. Source: stock; hspace(1). */
import * as F from '../state/node-fields.ts';
import { type ClusterState, USES_NODE_DISK } from '../state/state.ts';

/** Marks an instance with unknown spindles as one that fits nowhere. */
const UNKNOWN_NEED = -1;

/** Free spindles of a node with the instance added; 0 where storage is not exclusive. */
export function freeSpindlesWith(state: ClusterState, instance: number, node: number, field: number): number {
  if (!state.isExclusive[node]) return 0;
  const spindles = state.diskSpindles[instance]!;
  return Number.isNaN(spindles) ? UNKNOWN_NEED : state.nodeFields[node * F.NODE_STRIDE + field]! - spindles;
}

/** Free spindles of a node with the instance removed; unknown spindles free nothing. */
export function freeSpindlesWithout(
  state: ClusterState,
  instance: number,
  node: number,
  field: number,
): number {
  if (!state.isExclusive[node]) return 0;
  const free = state.nodeFields[node * F.NODE_STRIDE + field]!;
  const spindles = state.diskSpindles[instance]!;
  return Number.isNaN(spindles) ? free : free + spindles;
}

/** Spindles in use on a node after adding (+1) or removing (-1) the instance; 0 on exclusive storage. */
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
