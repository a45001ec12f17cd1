/** What nothing is carried out on: a tag of the cluster, a group, a node or an instance. Pure. */
import type { RawSnapshot, Snapshot } from '../snapshot.ts';

const HANDS_OFF_TAG = 'htools:hands-off';

const isTagged = ({ tags }: { readonly tags: readonly string[] }): boolean => tags.includes(HANDS_OFF_TAG);

/** Flags of nodes that are to be left alone, with their groups' and the cluster's. */
const nodesToLeave = (cluster: RawSnapshot): readonly boolean[] =>
  cluster.nodes.map((node) => isTagged(cluster) || isTagged(node) || isTagged(cluster.groups[node.group]!));

/** Names of nodes and instances that are to be left alone; an instance is with either of its nodes. */
export function leftAlone(cluster: RawSnapshot): ReadonlySet<string> {
  const nodes = nodesToLeave(cluster);
  const instances = cluster.instances.filter(
    (one) => isTagged(one) || nodes[one.primary] === true || nodes[one.secondary] === true,
  );
  const names = cluster.nodes.filter((_, n) => nodes[n]).map(({ name }) => name);
  return new Set([...names, ...instances.map(({ name }) => name)]);
}

/**
 * The cluster for a plan: what is left alone does not move, and nothing moves there, as on drained nodes.
 * @param scoresGroups groups that are left alone as a whole keep their nodes, and so their scores: nothing
 *   moves there within a group
 */
export function withHandsOff(
  snapshot: Snapshot,
  resting: ReadonlySet<string>,
  scoresGroups = false,
): Snapshot {
  const alone = leftAlone(snapshot);
  if (alone.size + resting.size === 0) return snapshot;
  const taken = new Set(snapshot.nodes.filter(({ name }) => !alone.has(name)).map(({ group }) => group));
  return {
    ...snapshot,
    nodes: snapshot.nodes.map((node) =>
      alone.has(node.name) && !node.isOffline && (taken.has(node.group) || !scoresGroups)
        ? { ...node, isOffline: true, isReachable: true }
        : node,
    ),
    instances: snapshot.instances.map((instance) =>
      alone.has(instance.name) || resting.has(instance.name) ? { ...instance, isMovable: false } : instance,
    ),
  };
}

/** What a plan has made of such a cluster, for others: nodes that were only left alone are online. */
export function withoutHandsOff(planned: Snapshot, before: Snapshot): Snapshot {
  const alone = leftAlone(before);
  return {
    ...planned,
    nodes: planned.nodes.map((node, n) =>
      alone.has(node.name) && !before.nodes[n]!.isOffline ? { ...node, isOffline: false } : node,
    ),
  };
}
