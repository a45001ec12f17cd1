/**
 * Rule "n-plus-one" (per node, DRBD): a node that can take over from any one failed peer must stay able to.
 * Soft: a node that already fails may get worse. Source: stock addPri and addSec.
 */
import * as F from '../state/node-fields.ts';
import { type ClusterState, RESERVES_MEMORY } from '../state/state.ts';

/** Whether a node with that free memory (MiB) fails N+1 for that reservation. */
export const failsWith = (freeMem: number, reserved: number): boolean => freeMem <= reserved;

/** Memory (MiB) that an instance needs reserved on its secondary. */
export const reservationOf = (state: ClusterState, instance: number): number =>
  state.flags[instance]! & RESERVES_MEMORY ? state.mem[instance]! : 0;

/** Largest reservation of a node once it is secondary for the instance with that primary. */
export function reservedWith(state: ClusterState, instance: number, node: number, primary: number): number {
  const peer = state.peers.get(node, primary) + reservationOf(state, instance);
  return Math.max(state.nodeFields[node * F.NODE_STRIDE + F.RESERVED_MEM]!, peer);
}
