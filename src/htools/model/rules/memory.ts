/** Rule "memory": a node must keep free memory above zero with the instance on it. Source: stock addPri. */
import * as F from '../state/node-fields.ts';
import { type ClusterState, USES_MEMORY } from '../state/state.ts';

/** Memory (MiB) that an instance needs to start; 0 for one that is down. */
export const memNeedOf = (state: ClusterState, instance: number): number =>
  state.flags[instance]! & USES_MEMORY ? state.mem[instance]! : 0;

/** Free memory (MiB) of a node beyond what it reserves for its peers' primaries. */
export const availableMem = (state: ClusterState, node: number): number =>
  Math.max(0, state.field(node, F.FREE_MEM) - state.field(node, F.RESERVED_MEM));

/** Free memory (MiB) of a node once the instance is its primary. */
export const freeMemWith = (state: ClusterState, instance: number, node: number): number =>
  state.nodeFields[node * F.NODE_STRIDE + F.FREE_MEM]! - memNeedOf(state, instance);

/** The same with all reserved instances counted; an instance that is down counts here. */
export const freeMemForthcomingWith = (state: ClusterState, instance: number, node: number): number =>
  state.nodeFields[node * F.NODE_STRIDE + F.FREE_MEM_FORTHCOMING]! - state.mem[instance]!;
