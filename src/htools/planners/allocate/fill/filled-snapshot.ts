/** A filled cluster as a snapshot to go on from, with changed hardware. */
import type { Resource } from '../../../cluster/rules.ts';
import type { Node, PoolId, Snapshot } from '../../../cluster/snapshot.ts';
import { withLargerPool } from '../../../cluster/tags/tags.ts';
import { movedSnapshot } from '../../../model/state/moved-snapshot.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { ClusterState } from '../../../model/state/state.ts';

/** What a node, or a storage pool, gets on top. Memory, disk and pools in MiB. */
export interface Upgrade {
  /** Position of the node; -1 for a pool. */
  readonly node: number;
  readonly resource: Resource;
  readonly amount: number;
  /** The pool, where it is about one. */
  readonly pool?: PoolId;
}

/** The cluster as it stands, with what the search's books say as free: a state of it has the same room. */
export function filledSnapshot(state: ClusterState): Snapshot {
  const moved = movedSnapshot(state, 'stock');
  const nodes = moved.nodes.map(
    (node, n): Node => ({ ...node, freeMemMib: state.field(n, F.FREE_MEM) + (node.headRoomMib ?? 0) }),
  );
  return { ...moved, nodes };
}

function upgraded(node: Node, { resource, amount }: Upgrade): Node {
  switch (resource) {
    case 'memory':
      return { ...node, totalMemMib: node.totalMemMib + amount, freeMemMib: node.freeMemMib + amount };
    case 'disk':
      return { ...node, totalDiskMib: node.totalDiskMib + amount, freeDiskMib: node.freeDiskMib + amount };
    case 'cpus':
      return { ...node, totalCpus: node.totalCpus + amount };
    case 'spindles':
      return { ...node, spindles: node.spindles + amount, freeSpindles: node.freeSpindles + amount };
    case 'pool':
      return node;
  }
}

/** The snapshot with better equipped nodes, and larger pools. */
export function withUpgrades(snapshot: Snapshot, upgrades: readonly Upgrade[]): Snapshot {
  const nodes = [...snapshot.nodes];
  let tags = snapshot.tags;
  for (const upgrade of upgrades) {
    if (upgrade.pool !== undefined) tags = withLargerPool(tags, upgrade.pool, upgrade.amount);
    else nodes[upgrade.node] = upgraded(nodes[upgrade.node]!, upgrade);
  }
  return { ...snapshot, nodes, tags };
}

/** The snapshot with one more node, new and empty, of the same make and in the same group as that one. */
export function withNodeLike(snapshot: Snapshot, model: number): Snapshot {
  const like = snapshot.nodes[model]!;
  const node: Node = {
    ...like,
    index: Math.max(...snapshot.nodes.map(({ index }) => index)) + 1,
    name: `one more like ${like.name}`,
    alias: `one more like ${like.alias}`,
    freeMemMib: like.totalMemMib - like.nodeMemMib,
    freeDiskMib: like.totalDiskMib,
    freeSpindles: like.hasExclusiveStorage ? like.spindles : 0,
    isMaster: false,
  };
  return { ...snapshot, nodes: [...snapshot.nodes, node] };
}
