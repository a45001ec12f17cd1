/** Which nodes an allocation may try. Source: stock genAllocNodes; hail(1) on restrictions. */
import { groupedBy } from '../../../../kit/grouped.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { AllocNodes, AllocRefusal } from '../solution.ts';

interface NodeChoice {
  /** Nodes to choose from, ascending. */
  readonly nodes: readonly number[];
  /** Only nodes of these names; undefined = all. */
  readonly restrictTo?: readonly string[] | undefined;
  /** Leave out the nodes of groups that take no new instances. */
  readonly allocableOnly?: boolean | undefined;
}

/** The online nodes, alone or as ordered pairs within a group. @param nodeCount that it needs */
export function allocNodes(
  snapshot: Snapshot,
  nodeCount: number,
  choice: NodeChoice,
): AllocNodes | AllocRefusal {
  const names = choice.restrictTo && new Set(choice.restrictTo);
  const usable = choice.nodes.filter((n) => {
    const node = snapshot.nodes[n]!;
    if (node.isOffline || (names && !names.has(node.name))) return false;
    return !choice.allocableOnly || snapshot.groups[node.group]!.allocPolicy !== 'unallocable';
  });
  if (nodeCount === 1) {
    return usable.length > 0 ? { kind: 'singles', nodes: usable } : { kind: 'no-online-nodes' };
  }
  if (nodeCount !== 2) return { kind: 'unsupported-node-count' };
  const byGroup = groupedBy(usable, (n) => snapshot.nodes[n]!.group);
  const pairs = usable
    .map((primary) => ({
      primary,
      secondaries: byGroup.get(snapshot.nodes[primary]!.group)!.filter((n) => n !== primary),
    }))
    .filter(({ secondaries }) => secondaries.length > 0);
  return pairs.length > 0 ? { kind: 'pairs', pairs } : { kind: 'not-enough-online-nodes' };
}
