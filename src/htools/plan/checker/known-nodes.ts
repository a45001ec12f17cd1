/** Nodes of one start that another start has just the same, so that they need not be built again. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { BuiltReplica, KnownNode } from './built-replica.ts';

/** Whether two records say the same, member by member. */
function isLike<T extends object>(one: T | undefined, other: T | undefined): boolean {
  if (one === other || one === undefined || other === undefined) return one === other;
  const members = Object.keys(one) as (keyof T)[];
  return members.length === Object.keys(other).length && members.every((name) => one[name] === other[name]);
}

/** All that a node is built from: its record, those of its residents, and what the cluster says to both. */
export function knownNodes({ replica, residents, asRead }: BuiltReplica, start: Snapshot): KnownNode {
  const { start: before } = replica;
  const isSameCluster = isLike(before.groups, start.groups) && isLike(before.tags, start.tags);
  return (reported, own) => {
    const node = asRead[reported.position];
    const isSame =
      isSameCluster &&
      node?.hasInternalStorage === reported.hasInternalStorage &&
      isLike(node.record, reported.record) &&
      isLike(residents[reported.position], own) &&
      own.every((i) => isLike(before.instances[i], start.instances[i]));
    return isSame ? node : undefined;
  };
}
