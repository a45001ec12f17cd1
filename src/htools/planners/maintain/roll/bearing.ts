/** What the rest of a cluster can still bear while some nodes are down. */

import { diskRoomOf, memRoomOf } from '../../../model/redundancy/shared/restart-demand.ts';
import { SharedStorageN1, type Witness } from '../../../model/redundancy/shared/shared-storage.ts';
import { badNodes, instancesOn } from '../../../model/state/scope.ts';
import { type ClusterState, HAS_SECONDARY, USES_MEMORY } from '../../../model/state/state.ts';
import { TrueSpindles } from '../../../model/state/true-spindles.ts';

export interface Verdict {
  /**
   * Online nodes that fail N+1 by the memory reserved for their secondaries, or (where storage is stated) as
   * one whose instances find no place to restart.
   */
  readonly failing: readonly number[];
  /** Running mirrored instances that have one of their two nodes among those that are down. */
  readonly onOneCopy: number;
}

/** Tells what a cluster can bear, with nodes down beside those that are offline anyway. */
export function bearing(state: ClusterState): (down: readonly number[]) => Verdict {
  /** Where the instances of each node could start again, as it was found last: mostly that still holds. */
  const restarts: (Witness | undefined)[] = [];
  const spindlesFree = new TrueSpindles(state);

  /** Whether what was found last for a node is still a proof that its instances could start again. */
  const canRestart = (node: number): boolean => {
    const starts = restarts[node];
    if (starts?.length !== state.primaries[node]!.length) return false;
    const taken = new Map(starts.map((start) => [start.node, { mem: 0, disk: 0, spindles: 0 }]));
    for (const { instance, node: target, mem, disk, spindles } of starts) {
      const isOnSecondary = (state.flags[instance]! & HAS_SECONDARY) !== 0 && state.secondary[instance]! >= 0;
      if (state.primary[instance] !== node || state.isOffline[target]) return false;
      if (isOnSecondary && state.secondary[instance] !== target) return false;
      const there = taken.get(target)!;
      there.mem += mem;
      there.disk += disk;
      there.spindles += spindles;
    }
    return [...taken].every(
      ([n, { mem, disk, spindles }]) =>
        mem <= memRoomOf(state, n) && disk <= diskRoomOf(state, n) && spindles <= spindlesFree.roomOf(n),
    );
  };
  const unrestartable = (online: readonly number[]): readonly number[] => {
    if (!state.storage) return [];
    const doubtful = online.filter((n) => !canRestart(n));
    const n1 = new SharedStorageN1(state, state.storage, { nodes: doubtful });
    for (const n of doubtful) restarts[n] = n1.witnessOf(n);
    return n1.failing();
  };

  return (down) => {
    const { isOffline, flags } = state;
    for (const n of down) isOffline[n] = 1;
    const online = [...isOffline.keys()].filter((n) => !isOffline[n]);
    const failing = new Set([...badNodes(state, online), ...unrestartable(online)]);
    for (const n of down) isOffline[n] = 0;
    const running = HAS_SECONDARY | USES_MEMORY;
    const onOneCopy = instancesOn(state, down).filter((i) => (flags[i]! & running) === running).length;
    return { failing: [...failing].sort((a, b) => a - b), onOneCopy };
  };
}
