/** What nothing is carried out on: a tag of the cluster, a group, a node or an instance. Pure. */
import type { RawSnapshot, Snapshot } from '../snapshot.ts';

const HANDS_OFF_TAG = 'htools:hands-off';

const isTagged = ({ tags }: { readonly tags: readonly string[] }): boolean => tags.includes(HANDS_OFF_TAG);

/** What bars everything that moves from a node that is left alone. */
export const HANDS_OFF = { rule: 'hands-off', prefix: '', names: [HANDS_OFF_TAG] } as const;

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
 * The cluster for a plan: what is left alone or rests does not move, and nothing moves to nodes that are left
 * alone. These count in the scores all the same.
 */
export function withHandsOff(snapshot: Snapshot, resting: ReadonlySet<string> = new Set()): Snapshot {
  const alone = leftAlone(snapshot);
  if (alone.size + resting.size === 0) return snapshot;
  return {
    ...snapshot,
    nodes: snapshot.nodes.map((node) => (alone.has(node.name) ? { ...node, isLeftAlone: true } : node)),
    instances: snapshot.instances.map((instance) => {
      if (alone.has(instance.name)) return { ...instance, isMovable: false, isLeftAlone: true };
      return resting.has(instance.name) ? { ...instance, isMovable: false } : instance;
    }),
  };
}
