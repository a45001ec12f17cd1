/** A searched state back as a snapshot: placements, free memory, disk and spindles as the moves left them. */
import { usesMemory } from '../../cluster/instance-status.ts';
import type { Instance, Node, Snapshot } from '../../cluster/snapshot.ts';
import * as F from './node-fields.ts';
import { tagsWithPoolRoom } from './pool-room.ts';
import type { ClusterState } from './state.ts';
import { TrueSpindles } from './true-spindles.ts';

/**
 * What the nodes report: `true`, as they would once the moves are done, so that a program that reads the
 * snapshot finds the cluster as they leave it; `stock`, as the stock programs save it: free memory as it was
 * before the moves, and spindles taken by every instance, even one whose disks are elsewhere.
 */
export type Figures = 'true' | 'stock';

/** Free memory (MiB) as a node would report it now. */
export const trueFreeMem = (state: ClusterState, node: number, memBefore: ArrayLike<number>): number =>
  state.snapshot.nodes[node]!.freeMemMib +
  memBefore[node]! -
  state.nodeFields[node * F.NODE_STRIDE + F.INSTANCE_MEM]!;

/** Memory (MiB) that instances took on each node by the snapshot, before any move. */
export function memAtStart({ nodes, instances }: Snapshot): Float64Array {
  const mem = new Float64Array(nodes.length);
  for (const instance of instances)
    if (instance.primary >= 0 && usesMemory(instance)) mem[instance.primary]! += instance.memMib;
  return mem;
}

/** A node's record as the moves left it. @param memBefore as from `memAtStart` */
export function movedNode(
  state: ClusterState,
  n: number,
  memBefore: ArrayLike<number>,
  spindles: TrueSpindles,
  figures: Figures = 'true',
): Node {
  const { snapshot, nodeFields } = state;
  const node = snapshot.nodes[n]!;
  const at = n * F.NODE_STRIDE;
  const freeMemMib = figures === 'stock' ? node.freeMemMib : trueFreeMem(state, n, memBefore);
  const freeDiskMib = nodeFields[at + F.FREE_DISK]!;
  const freeSpindles = figures === 'true' ? spindles.freeOf(n) : nodeFields[at + F.FREE_SPINDLES]!;
  const isAsBefore =
    freeMemMib === node.freeMemMib && freeDiskMib === node.freeDiskMib && freeSpindles === node.freeSpindles;
  // One that is as it was keeps its record: a plan may hold many snapshots of a large cluster.
  return isAsBefore ? node : { ...node, freeMemMib, freeDiskMib, freeSpindles };
}

/** The snapshot that the state stands for now, the same where nothing is new. Added instances come last. */
export function movedSnapshot(state: ClusterState, figures: Figures = 'true'): Snapshot {
  const { snapshot } = state;
  const spindles = new TrueSpindles(state);
  const before = memAtStart(snapshot);
  const nodes = snapshot.nodes.map((_, n) => movedNode(state, n, before, spindles, figures));
  const instances: Instance[] = [];
  for (let i = 0; i < state.instanceCount; i++) {
    const record = state.instanceRecord(i);
    const primary = state.primary[i]!;
    const secondary = state.secondary[i]!;
    // One that has not moved keeps its record, too.
    const isThere = record.primary === primary && record.secondary === secondary;
    instances.push(isThere ? record : { ...record, primary, secondary });
  }
  const isAsRead =
    nodes.every((node, n) => node === snapshot.nodes[n]) &&
    instances.length === snapshot.instances.length &&
    instances.every((instance, i) => instance === snapshot.instances[i]);
  return isAsRead ? snapshot : { ...snapshot, nodes, instances, tags: tagsWithPoolRoom(state) };
}

/** A snapshot of some nodes and the instances whose primary is one. Groups stay. @param among to look at */
export function partOf(
  snapshot: Snapshot,
  nodes: readonly number[],
  among: readonly Instance[] = snapshot.instances,
): Snapshot {
  const places = new Map(nodes.map((node, place) => [node, place]));
  const instances = among
    .filter((instance) => places.has(instance.primary))
    .map((instance) => ({
      ...instance,
      primary: places.get(instance.primary)!,
      secondary: places.get(instance.secondary) ?? -1,
    }));
  return { ...snapshot, nodes: nodes.map((node) => snapshot.nodes[node]!), instances };
}
