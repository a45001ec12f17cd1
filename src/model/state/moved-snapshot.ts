/** A searched state back as a snapshot: placements, free disk and free spindles as the moves left them. */

import type { Instance, Node, Snapshot } from '../../cluster/snapshot.ts';
import * as F from './node-fields.ts';
import { tagsWithPoolRoom } from './pool-room.ts';
import type { ClusterState } from './state.ts';

/**
 * The snapshot that the state stands for now. Reported free memory stays as it was read (as in stock); instances added
 * since follow the others.
 */
export function movedSnapshot(state: ClusterState): Snapshot {
  const { snapshot, nodeFields } = state;
  const nodes = snapshot.nodes.map(
    (node, n): Node => ({
      ...node,
      freeDiskMib: nodeFields[n * F.NODE_STRIDE + F.FREE_DISK]!,
      freeSpindles: nodeFields[n * F.NODE_STRIDE + F.FREE_SPINDLES]!,
    }),
  );
  const instances: Instance[] = [];
  for (let i = 0; i < state.instanceCount; i++) {
    const record = state.instanceRecord(i);
    instances.push({ ...record, primary: state.primary[i]!, secondary: state.secondary[i]! });
  }
  return { ...snapshot, nodes, instances, tags: tagsWithPoolRoom(state) };
}

/** A snapshot with only some of its nodes, and the instances whose primary is one of them. Groups stay. */
export function partOf(snapshot: Snapshot, nodes: readonly number[]): Snapshot {
  const places = new Map(nodes.map((node, place) => [node, place]));
  const instances = snapshot.instances
    .filter((instance) => places.has(instance.primary))
    .map((instance) => ({
      ...instance,
      primary: places.get(instance.primary)!,
      secondary: places.get(instance.secondary) ?? -1,
    }));
  return { ...snapshot, nodes: nodes.map((node) => snapshot.nodes[node]!), instances };
}
