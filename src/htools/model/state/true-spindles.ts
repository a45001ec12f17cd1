/**
 * Spindles that are free on nodes with exclusive storage.
 *
 * Not what the books of balancing say: those follow the stock programs, where every instance takes and frees
 * spindles, even one whose disks are elsewhere (docs/reference/differences.md). Here only instances with
 * disks on the node do.
 */
import { type ClusterState, HAS_SECONDARY, IS_FORTHCOMING, USES_NODE_DISK } from './state.ts';

export class TrueSpindles {
  /** What the snapshot calls free and what its instances have, by node. */
  private readonly atMost: Float64Array;

  constructor(private readonly state: ClusterState) {
    const { nodes, instances } = state.snapshot;
    this.atMost = Float64Array.from(nodes, ({ freeSpindles }) => freeSpindles);
    for (let i = 0; i < instances.length; i++) {
      const { primary, secondary } = instances[i]!;
      if (primary >= 0) this.atMost[primary]! += this.spindlesOf(i);
      if (secondary >= 0 && state.flags[i]! & HAS_SECONDARY) this.atMost[secondary]! += this.spindlesOf(i);
    }
  }

  /** Spindles that may be taken; Infinity without exclusive storage. */
  roomOf(node: number): number {
    return this.state.isExclusive[node] ? Math.max(0, this.freeOf(node)) : Number.POSITIVE_INFINITY;
  }

  /** Free spindles as a node would report them; without exclusive storage what it has reported. */
  freeOf(node: number): number {
    const { state } = this;
    if (!state.isExclusive[node]) return state.snapshot.nodes[node]!.freeSpindles;
    let free = this.atMost[node]!;
    for (const i of state.primaries[node]!) free -= this.spindlesOf(i);
    for (const i of state.secondaries[node]!) if (state.flags[i]! & HAS_SECONDARY) free -= this.spindlesOf(i);
    return free;
  }

  /** An instance that does not say how many it has takes none that anybody knows of. */
  private spindlesOf(i: number): number {
    const { flags, diskSpindles } = this.state;
    const takes = (flags[i]! & USES_NODE_DISK) !== 0 && (flags[i]! & IS_FORTHCOMING) === 0;
    return takes ? diskSpindles[i]! || 0 : 0;
  }
}
