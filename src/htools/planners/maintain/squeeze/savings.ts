/** What switching nodes off saves, and what keeps the others on. */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { ClusterState } from '../../../model/state/state.ts';
import { isLocal, type Obstacle, obstacleOf } from './candidates.ts';
import type { Squeeze } from './squeeze.ts';

/** Hardware of some nodes together. */
interface Hardware {
  readonly nodes: number;
  readonly memMib: number;
  /** Physical cpus. */
  readonly cpus: number;
}

/** A node that stays on. */
export interface StayingNode {
  readonly node: number;
  /** `room`: it could go as such, but its instances, or the room to be left, need it. */
  readonly reason: Obstacle | 'room';
  /** For `local-storage` and `secondaries`: positions of the instances that tie it. */
  readonly instances: readonly number[];
}

export const hardwareOf = ({ nodes }: Snapshot, some: readonly number[]): Hardware => ({
  nodes: some.length,
  memMib: some.reduce((sum, n) => sum + nodes[n]!.totalMemMib, 0),
  cpus: some.reduce((sum, n) => sum + nodes[n]!.totalCpus, 0),
});

/** Why each online node that is not switched off stays on. */
export function stayingNodes(snapshot: Snapshot, { action, nodes }: Squeeze): readonly StayingNode[] {
  const state = new ClusterState(snapshot);
  const goes = new Set(action === 'offline' ? nodes : []);
  return [...snapshot.nodes.keys()].flatMap((node): StayingNode[] => {
    const reason = obstacleOf(state, node) ?? 'room';
    if (reason === 'offline' || goes.has(node)) return [];
    const instances =
      reason === 'secondaries'
        ? state.secondaries[node]!
        : reason === 'local-storage'
          ? state.primaries[node]!.filter((i) => isLocal(state, i))
          : [];
    return [{ node, reason, instances: [...instances] }];
  });
}
