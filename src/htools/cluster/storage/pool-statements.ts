/** What records say about pools: fields, then tags, then the disk template. Source: docs/why/storage.md. */
import { type Instance, NO_NODE, type Node, type PoolId, type Snapshot } from '../snapshot.ts';
import { POOL_PREFIX, POOL_SIZE_PREFIX, poolTagsOf } from '../tags/tags.ts';
import { type DiskTemplate, impliedPool } from '../templates.ts';

export const LVM_POOL: PoolId = 'internal/lvm';

/** What a node reaches that says nothing while others do. */
export const UNLISTED_NODE_POOLS: readonly PoolId[] = [LVM_POOL, 'internal/file'];

/** Whether disks in the pool are reached from several nodes. */
export const isExternal = (pool: PoolId): boolean => pool.startsWith('external/');

/** Disks mirrored from node to node cannot be on storage that several nodes share. */
export const isImpossible = (diskTemplate: DiskTemplate, pool: PoolId): boolean =>
  diskTemplate === 'drbd' && isExternal(pool);

/** The pool that the instance's field or tags name, as they name it; undefined when they name none. */
export const namedPool = (instance: Pick<Instance, 'storagePool' | 'tags'>): PoolId | undefined =>
  instance.storagePool ?? poolTagsOf(instance.tags)[0];

/** The pool of its disks; undefined = none, it runs anywhere. DRBD keeps its internal pool in any case. */
export function poolOfRecord(
  instance: Pick<Instance, 'storagePool' | 'tags' | 'diskTemplate'>,
): PoolId | undefined {
  const { diskTemplate } = instance;
  const named = namedPool(instance);
  return named === undefined || isImpossible(diskTemplate, named) ? impliedPool(diskTemplate) : named;
}

/** MiB that an instance takes of its pool. Messages may give no sum for external storage, but the disks. */
export const poolNeedMib = ({ diskMib, disks }: Pick<Instance, 'diskMib' | 'disks'>): number =>
  diskMib > 0 ? diskMib : disks.reduce((sum, disk) => sum + disk.sizeMib, 0);

/** What is impossible in an instance's statements, in a few words; undefined when they go together. */
export function contradictionOf(instance: Instance): string | undefined {
  const named = namedPool(instance);
  if (named !== undefined && isImpossible(instance.diskTemplate, named))
    return `has the disk template drbd, but ${named} is an external pool`;
  const tagged = poolTagsOf(instance.tags);
  if (instance.storagePool === undefined && tagged.length > 1)
    return `is tagged with ${tagged.length} pools (${tagged.join(', ')}), but can be in only one`;
  return undefined;
}

/** Pools that a node reaches: its own list, else its tags, its group's, the cluster's; undefined = unsaid. */
export function statedNodePools(snapshot: Snapshot, node: Node): readonly PoolId[] | undefined {
  if (node.storagePools !== undefined) return node.storagePools;
  const group = snapshot.groups[node.group];
  const tagged = poolTagsOf([...node.tags, ...(group?.tags ?? []), ...snapshot.tags]);
  return tagged.length > 0 ? tagged : undefined;
}

/** Nodes that hold a copy of the instance's disks or run it. */
export const nodesOfInstance = (instance: Instance): readonly number[] =>
  [instance.primary, instance.secondary].filter((node) => node !== NO_NODE);

const isPoolTag = (tag: string): boolean => tag.startsWith(POOL_PREFIX);

/** Whether some tag was meant to name a pool. */
export const namesPools = (tags: readonly string[]): boolean => tags.some(isPoolTag);

/** Tags that were meant to name a pool and do not. */
export const malformedPoolTags = (tags: readonly string[]): string[] =>
  tags.filter((tag) => isPoolTag(tag) && poolTagsOf([tag]).length === 0);

/** Whether any field or tag of the snapshot is about storage. */
export const saysAnything = (snapshot: Snapshot): boolean =>
  snapshot.tags.some((tag) => isPoolTag(tag) || tag.startsWith(POOL_SIZE_PREFIX)) ||
  snapshot.groups.some((group) => namesPools(group.tags)) ||
  snapshot.nodes.some((node) => node.storagePools !== undefined || namesPools(node.tags)) ||
  snapshot.instances.some((instance) => instance.storagePool !== undefined || namesPools(instance.tags));
