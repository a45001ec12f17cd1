/** Which nodes an allocation may try. Source: stock genAllocNodes; hail(1) on restrictions. */
import { groupedBy } from '../../../../kit/grouped.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { AllocNodes, AllocRefusal } from '../solution.ts';

/**
 * The online nodes, alone or as ordered pairs within a group.
 * @param nodeCount that it needs
 * @param nodes to choose from, ascending
 * @param restrictTo names of the only nodes to use; undefined = all
 */
export function allocNodes(
  snapshot: Snapshot,
  nodeCount: number,
  nodes: readonly number[],
  restrictTo?: readonly string[],
): AllocNodes | AllocRefusal {
  const names = restrictTo && new Set(restrictTo);
  const usable = nodes.filter((n) => {
    const { isOffline, name } = snapshot.nodes[n]!;
    return !isOffline && (!names || names.has(name));
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
