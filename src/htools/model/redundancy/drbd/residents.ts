/** Nodes whose instances do not all fail over: their fate then depends on other nodes. */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { ClusterState } from '../../state/state.ts';

/** Whether a node may have to take over what runs in another group. */
export const spansGroups = ({ instances, nodes }: Snapshot): boolean =>
  instances.some(
    ({ primary, secondary }) => secondary >= 0 && nodes[primary]?.group !== nodes[secondary]!.group,
  );

export class Residents {
  private readonly state: ClusterState;
  /** By group, nodes with an instance that moves or is made anew. */
  private readonly movers = new Map<number, Set<number>>();

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
    const { state, movers } = this;
    for (const n of nodes) {
      const group = state.groupOf[n]!;
      const hasMovers = state.primaries[n]!.some((i) => state.instanceRecord(i).diskTemplate !== 'drbd');
      const inGroup = movers.get(group) ?? new Set();
      movers.set(group, inGroup);
      if (hasMovers) inGroup.add(n);
      else inGroup.delete(n);
    }
  }
}
