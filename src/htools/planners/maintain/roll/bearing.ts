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

export class Bearing {
  /** Where the instances of each node could start again, as it was found last: mostly that still holds. */
  private readonly restarts: (Witness | undefined)[] = [];
  private readonly spindles: TrueSpindles;

  constructor(private readonly state: ClusterState) {
    this.spindles = new TrueSpindles(state);
  }

  /** @param down positions of the nodes that are down, beside those that are offline anyway */
  without(down: readonly number[]): Verdict {
    const { isOffline, flags } = this.state;
    for (const n of down) isOffline[n] = 1;
    const online = [...isOffline.keys()].filter((n) => !isOffline[n]);
    const failing = new Set([...badNodes(this.state, online), ...this.unrestartable(online)]);
    for (const n of down) isOffline[n] = 0;
    const running = HAS_SECONDARY | USES_MEMORY;
    const onOneCopy = instancesOn(this.state, down).filter((i) => (flags[i]! & running) === running).length;
    return { failing: [...failing].sort((a, b) => a - b), onOneCopy };
  }

  private unrestartable(online: readonly number[]): readonly number[] {
    const { storage } = this.state;
    if (!storage) return [];
    const doubtful = online.filter((n) => !this.canRestart(n));
    const n1 = new SharedStorageN1(this.state, storage, { nodes: doubtful });
    for (const n of doubtful) this.restarts[n] = n1.witnessOf(n);
    return n1.failing();
  }

  /** Whether what was found last for a node is still a proof that its instances could start again. */
  private canRestart(node: number): boolean {
    const { state, spindles: free } = this;
    const starts = this.restarts[node];
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
        mem <= memRoomOf(state, n) && disk <= diskRoomOf(state, n) && spindles <= free.roomOf(n),
    );
  }
}
