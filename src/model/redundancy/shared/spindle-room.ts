/**
 * Spindles that may be taken on a node with exclusive storage.
 *
 * Not what the books of balancing say: those follow the stock programs, where every instance takes and frees spindles, even one
 * whose disks are elsewhere (docs/differences.md). Here only instances with disks on the node do.
 */
import type { ClusterState } from '../../state/state.ts';
import { HAS_SECONDARY, IS_FORTHCOMING, USES_NODE_DISK } from '../../state/state.ts';

export class SpindleRoom {
  private readonly state: ClusterState;
  /** What the snapshot calls free and what its instances have, by node. */
  private readonly atMost: Float64Array;

  constructor(state: ClusterState) {
    this.state = state;
    const { nodes, instances } = state.snapshot;
    this.atMost = Float64Array.from(nodes, ({ freeSpindles }) => freeSpindles);
    for (let i = 0; i < instances.length; i++) {
      const { primary, secondary } = instances[i]!;
      if (primary >= 0) this.atMost[primary]! += this.spindlesOf(i);
      if (secondary >= 0 && state.flags[i]! & HAS_SECONDARY) this.atMost[secondary]! += this.spindlesOf(i);
    }
  }

  /** Infinity without exclusive storage. */
  of(node: number): number {
    const { state } = this;
    if (!state.isExclusive[node]) return Number.POSITIVE_INFINITY;
    let room = this.atMost[node]!;
    for (const i of state.primaries[node]!) room -= this.spindlesOf(i);
    for (const i of state.secondaries[node]!) room -= this.spindlesOf(i);
    return Math.max(0, room);
  }

  /** An instance that does not say how many it has takes none that anybody knows of. */
  private spindlesOf(i: number): number {
    const { flags, diskSpindles } = this.state;
    const takes = (flags[i]! & USES_NODE_DISK) !== 0 && (flags[i]! & IS_FORTHCOMING) === 0;
    return takes ? diskSpindles[i]! || 0 : 0;
  }
}
