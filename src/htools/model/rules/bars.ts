/** What of the rules as tags bars an instance from a node. */
import { type Bar, barFrom, wishesOf } from '../../cluster/tags/placement-tags.ts';
import type { ClusterState } from '../state/state.ts';

export const barOf = (state: ClusterState, i: number, node: number): Bar | undefined =>
  state.placement.isBarred(i, node)
    ? barFrom(wishesOf(state.instanceRecord(i).tags), state.snapshot.nodes[node]!)
    : undefined;
