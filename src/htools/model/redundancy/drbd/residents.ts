/** Nodes whose instances do not all fail over: their fate then depends on other nodes. */
import type { ClusterState } from '../../state/state.ts';
import { MOVED_OFF } from './evacuability.ts';

export class Residents {
  private readonly state: ClusterState;
  /** By group, nodes with an instance that moves or is made anew. */
  private readonly movers = new Map<number, Set<number>>();
  /** Nodes with several instances to be made anew. */
  readonly remakers = new Set<number>();

  constructor(state: ClusterState, nodes: readonly number[]) {
    this.state = state;
    this.refresh(nodes);
  }

  /** Nodes of the group with an instance that moves or is made anew. */
  moversOf(group: number): Iterable<number> {
    return this.movers.get(group) ?? [];
  }

  /** Looks at these nodes again. */
  refresh(nodes: readonly number[]): void {
    const { state, movers, remakers } = this;
    for (const n of nodes) {
      const group = state.groupOf[n]!;
      let others = 0;
      let remade = 0;
      for (const i of state.primaries[n]!) {
        const { diskTemplate } = state.instanceRecord(i);
        if (diskTemplate === 'drbd') continue;
        others++;
        if (!MOVED_OFF.has(diskTemplate)) remade++;
      }
      const inGroup = movers.get(group) ?? new Set();
      movers.set(group, inGroup);
      if (others > 0) inGroup.add(n);
      else inGroup.delete(n);
      if (remade > 1) remakers.add(n);
      else remakers.delete(n);
    }
  }
}
