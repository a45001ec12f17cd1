/** Tags that mean something. Source: hbal(1), exclusion, location, migration tags; pool tags are our own. */
import { itemFault } from '../../../kit/name-faults.ts';
import { parseSize } from '../../../kit/units.ts';
import type { PoolId } from '../snapshot.ts';

const EXCLUSION_PREFIX = 'htools:iextags:';
const DESIRED_LOCATION_PREFIX = 'htools:desiredlocation:';
const LOCATION_PREFIX = 'htools:nlocation:';
const MIGRATION_PREFIX = 'htools:migration:';
const ALLOWED_MIGRATION_PREFIX = 'htools:allowmigration:';
const STANDBY_PREFIX = 'htools:standby:';
/** All storage tags start with one of these; what follows may still be malformed. */
export const POOL_PREFIX = 'htools:storagepool:';
export const POOL_SIZE_PREFIX = 'htools:poolsize:';

/** Keeps an instance in its group when work is spread over groups (instance tag). */
export const NO_INTER_GROUP_TAG = 'htools:nointergroup';

/** Whether a tag forbids live migration (by its hypervisor, or its owner's wish): it is failed over. */
export const forbidsMigration = ({ tags }: { readonly tags: readonly string[] }): boolean =>
  tags.includes('htools:nomigrate');

/** What follows the prefix, of the tags that begin with it. */
export const withoutPrefix = (tags: readonly string[], prefix: string): string[] =>
  tags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length));

const startingWithAny = (tags: readonly string[], prefixes: readonly string[]): string[] =>
  tags.filter((tag) => prefixes.some((prefix) => tag.startsWith(prefix)));

/** Prefixes of instance tags that exclude each other, from the cluster's tags (`htools:iextags:PREFIX`). */
export const exclusionPrefixes = (clusterTags: readonly string[]): string[] =>
  withoutPrefix(clusterTags, EXCLUSION_PREFIX).filter((prefix) => prefix !== '');

/** Its tags that begin with an exclusion prefix, in their order; a tag given twice counts twice. */
export const exclusionTagsOf = startingWithAny;

/** Prefixes of instance tags that name a preferred location (`htools:desiredlocation:PREFIX`). */
export const desiredLocationPrefixes = (clusterTags: readonly string[]): string[] =>
  withoutPrefix(clusterTags, DESIRED_LOCATION_PREFIX).filter((prefix) => prefix !== '');

/** An instance's tags that name a preferred location, each once. */
export const desiredLocationTagsOf = (tags: readonly string[], prefixes: readonly string[]): string[] => [
  ...new Set(startingWithAny(tags, prefixes)),
];

/** Node tags `P:...` for the prefixes P that the cluster's tags name behind `prefix`, each once. */
function nodeTagsNamedBy(prefix: string, clusterTags: readonly string[], nodeTags: readonly string[]) {
  const prefixes = withoutPrefix(clusterTags, prefix).map((name) => `${name}:`);
  return new Set(startingWithAny(nodeTags, prefixes));
}

/** What fails together with this node (rack, power feed...): its tags under `htools:nlocation:PREFIX`. */
export const locationTags = (
  clusterTags: readonly string[],
  nodeTags: readonly string[],
): ReadonlySet<string> => nodeTagsNamedBy(LOCATION_PREFIX, clusterTags, nodeTags);

/** What an instance leaving this node carries with it: the node's tags under `htools:migration:PREFIX`. */
export const migrationTags = (
  clusterTags: readonly string[],
  nodeTags: readonly string[],
): ReadonlySet<string> => nodeTagsNamedBy(MIGRATION_PREFIX, clusterTags, nodeTags);

/**
 * What this node takes in: its own migration tags, and the tags X for which the cluster says
 * `htools:allowmigration:X::Y` with Y among its own (one step, not a chain).
 */
export function receivableMigrationTags(
  clusterTags: readonly string[],
  nodeTags: readonly string[],
): ReadonlySet<string> {
  const own = migrationTags(clusterTags, nodeTags);
  const receivable = new Set(own);
  for (const pair of withoutPrefix(clusterTags, ALLOWED_MIGRATION_PREFIX)) {
    const [from, to] = splitAtColons(pair) ?? [];
    if (from !== undefined && to !== undefined && own.has(to)) receivable.add(from);
  }
  return receivable;
}

/** The two sides of the only `::`; undefined when there is none or a second one. */
function splitAtColons(text: string): [string, string] | undefined {
  const at = text.indexOf('::');
  if (at < 0 || text.indexOf('::', at + 2) >= 0) return undefined;
  return [text.slice(0, at), text.slice(at + 2)];
}

/** Marks a node that was switched off, so that a later run may switch it on again. */
export const STANDBY_TAG = `${STANDBY_PREFIX}auto`;

/** Whether hsqueeze may switch the node off and on. */
export const isStandby = (nodeTags: readonly string[]): boolean =>
  nodeTags.some((tag) => tag.startsWith(STANDBY_PREFIX));

/** Storage types, each followed by a slash and the pool's name in a PoolId. */
export const STORAGE_TYPES = ['internal', 'external'] as const;
export type StorageType = (typeof STORAGE_TYPES)[number];

/** Joins type and name; undefined for an unknown type, or a name not writable in a list of pools. */
export function poolId(type: string, name: string): PoolId | undefined {
  if (!(STORAGE_TYPES as readonly string[]).includes(type)) return undefined;
  return itemFault(name) ? undefined : `${type}/${name}`;
}

/** Reads `TYPE/NAME`; undefined when it is not one. */
export function parsePoolId(text: string): PoolId | undefined {
  const slash = text.indexOf('/');
  return slash < 0 ? undefined : poolId(text.slice(0, slash), text.slice(slash + 1));
}

/** Pools named by `htools:storagepool:TYPE/POOL` tags, each once, in order; malformed ones are left out. */
export function poolTagsOf(tags: readonly string[]): PoolId[] {
  // Asked of every instance, and hardly any has one.
  if (!tags.some((tag) => tag.startsWith(POOL_PREFIX))) return [];
  const pools = withoutPrefix(tags, POOL_PREFIX).map(parsePoolId);
  return [...new Set(pools.filter((pool) => pool !== undefined))];
}

/** Capacity of a shared pool. `freeMib` is undefined when the tag does not say. */
interface PoolSize {
  readonly totalMib: number;
  readonly freeMib?: number | undefined;
}

/** Sizes of pools, and the tags that try to give one and fail. */
interface PoolSizes {
  readonly sizes: ReadonlyMap<PoolId, PoolSize>;
  readonly malformed: readonly string[];
}

/** Reads the cluster's `htools:poolsize:TYPE/POOL:TOTAL[:FREE]` tags; of two for one pool the last counts. */
export function poolSizesOf(clusterTags: readonly string[]): PoolSizes {
  const sizes = new Map<PoolId, PoolSize>();
  const malformed: string[] = [];
  for (const text of withoutPrefix(clusterTags, POOL_SIZE_PREFIX)) {
    const [id = '', total = '', free, ...more] = text.split(':');
    const pool = parsePoolId(id);
    const totalMib = sizeOf(total);
    const freeMib = free === undefined ? undefined : sizeOf(free);
    const isBroken =
      totalMib === undefined || (free !== undefined && freeMib === undefined) || more.length > 0;
    if (pool === undefined || isBroken) malformed.push(POOL_SIZE_PREFIX + text);
    else sizes.set(pool, { totalMib, freeMib });
  }
  return { sizes, malformed };
}

/** The tags with other sizes of pools. @param change undefined where the tag stays as it is */
const resized = (
  clusterTags: readonly string[],
  change: (pool: PoolId, size: PoolSize) => PoolSize | undefined,
): string[] =>
  clusterTags.map((tag) => {
    const [known] = poolSizesOf([tag]).sizes;
    const size = known && change(...known);
    if (!size) return tag;
    const free = size.freeMib === undefined ? '' : `:${size.freeMib}`;
    return `${POOL_SIZE_PREFIX}${known[0]}:${size.totalMib}${free}`;
  });

/** The tags once so much is taken of the pools; a tag that does not say what is free stays as it is. */
export const withTakenOff = (clusterTags: readonly string[], takenMib: (pool: PoolId) => number): string[] =>
  resized(clusterTags, (pool, { totalMib, freeMib }) => {
    const taken = takenMib(pool);
    if (freeMib === undefined || taken === 0) return undefined;
    return { totalMib, freeMib: Math.max(0, freeMib - taken) };
  });

/** The tags with a pool that is larger by so much, all of it free. */
export const withLargerPool = (clusterTags: readonly string[], larger: PoolId, byMib: number): string[] =>
  resized(clusterTags, (pool, { totalMib, freeMib }) => {
    if (pool !== larger) return undefined;
    return { totalMib: totalMib + byMib, freeMib: freeMib === undefined ? undefined : freeMib + byMib };
  });

function sizeOf(text: string): number | undefined {
  const size = parseSize(text);
  return 'mib' in size && size.mib >= 0 ? size.mib : undefined;
}
