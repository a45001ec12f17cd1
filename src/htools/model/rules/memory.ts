/** Rule "memory": a node must keep free memory above zero with the instance on it. Source: stock addPri. */
import * as F from '../state/node-fields.ts';
import { type ClusterState, USES_MEMORY } from '../state/state.ts';

/** Free memory (MiB) of a node once the instance is its primary. */
export function freeMemWith(state: ClusterState, instance: number, node: number): number {
  const uses = state.flags[instance]! & USES_MEMORY ? state.mem[instance]! : 0;
  return state.nodeFields[node * F.NODE_STRIDE + F.FREE_MEM]! - uses;
}

/** The same with all reserved instances counted; an instance that is down counts here. */
export const freeMemForthcomingWith = (state: ClusterState, instance: number, node: number): number =>
  state.nodeFields[node * F.NODE_STRIDE + F.FREE_MEM_FORTHCOMING]! - state.mem[instance]!;
