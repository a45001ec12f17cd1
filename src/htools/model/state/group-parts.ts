/** Groups as clusters of their own: work on each costs by the size of that group, not by the whole's. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { statedStorage } from '../../cluster/storage/storage.ts';
import { setsNamedBy } from '../../cluster/tags/placement-tags.ts';
import { partOf } from './moved-snapshot.ts';
import { groupScope, type Scope, splitInstances, wholeScope } from './scope.ts';
import { ClusterState } from './state.ts';

export interface GroupPart {
  /** Its own state; that of the whole cluster where the group does not stand alone. */
  readonly state: ClusterState;
  /** Positions of the group's nodes there, ascending. */
  readonly nodes: readonly number[];
  /** What the state has, as positions in the cluster. */
  readonly inCluster: Scope;
}

export class GroupParts {
  private readonly hasSets: boolean;
  private readonly isSplit: ReadonlySet<number>;
  /** Whether lists of pools are binding in the whole cluster; undefined where nothing speaks of storage. */
  private readonly isBinding: boolean | undefined;
  private whole: ClusterState | undefined;

  constructor(private readonly snapshot: Snapshot) {
    const { instances, nodes } = snapshot;
    this.hasSets = instances.some(({ tags }) => setsNamedBy(tags).length > 0);
    this.isSplit = new Set(
      splitInstances(snapshot).flatMap((i) => {
        const { primary, secondary } = instances[i]!;
        return [nodes[primary]!.group, nodes[secondary]!.group];
      }),
    );
    this.isBinding = statedStorage(snapshot)?.isBinding;
  }

  /** A group as it was read, unless somebody has worked on the whole cluster's state. */
  of(group: number): GroupPart {
    const { snapshot } = this;
    const scope = groupScope(snapshot, group);
    if (!this.hasSets && !this.isSplit.has(group)) {
      const instances = scope.instances.map((i) => snapshot.instances[i]!);
      const state = new ClusterState(partOf(snapshot, scope.nodes, instances));
      // What one group says of storage may bind the others.
      if (state.storage?.isBinding === this.isBinding)
        return { state, nodes: [...scope.nodes.keys()], inCluster: scope };
    }
    this.whole ??= new ClusterState(snapshot);
    return { state: this.whole, nodes: scope.nodes, inCluster: wholeScope(snapshot) };
  }
}
