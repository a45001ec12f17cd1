/**
 * Room in external pools of known size, as instances come. It follows from the instances that were added and
 * have nodes, so whatever takes an instance back gives its room back, too. Moves within a pool change
 * nothing. Source: docs/why/storage.md.
 */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { poolNeedMib } from '../../cluster/storage/pool-statements.ts';
import type { Storage } from '../../cluster/storage/storage.ts';
import { withTakenOff } from '../../cluster/tags/tags.ts';
import type { ClusterState } from './state.ts';

/** MiB that instances added since the snapshot take of a pool; `except` is a position that is left out. */
function takenMib({ added, snapshot, primary, storageRow }: ClusterState, row: number, except = -1): number {
  const first = snapshot.instances.length;
  let taken = 0;
  for (const [k, instance] of added.entries()) {
    const i = first + k;
    if (storageRow[i] === row && primary[i]! >= 0 && i !== except) taken += poolNeedMib(instance);
  }
  return taken;
}

const hasKnownSize = (storage: Storage, row: number): boolean => {
  const pool = storage.poolAt(row);
  return pool?.type === 'external' && pool.freeMib !== undefined;
};

/**
 * Free MiB of the pool of a row; Infinity where it is not known, and for internal pools, which are the nodes'
 * matter.
 * @param except position of an added instance that does not count
 */
export function freePoolMib(state: ClusterState, row: number, except?: number): number {
  const { storage } = state;
  if (!storage || !hasKnownSize(storage, row)) return Number.POSITIVE_INFINITY;
  return storage.poolAt(row)!.freeMib! - takenMib(state, row, except);
}

/** What one external pool holds and has left, as documents have it. Sizes in MiB; null = not known. */
interface PoolUse {
  readonly pool: string;
  readonly nodes: number;
  readonly instances: number;
  readonly usedMib: number;
  readonly sizeMib: number | null;
  readonly freeMib: number | null;
}

/** The external pools as the state stands, each once; none when the snapshot says nothing about storage. */
export function poolUses(state: ClusterState): PoolUse[] {
  const { storage } = state;
  if (!storage) return [];
  const first = state.snapshot.instances.length;
  return storage.pools.flatMap((pool, row): PoolUse[] => {
    if (pool.type !== 'external') return [];
    const came = state.added.filter(
      (_, k) => state.storageRow[first + k] === row && state.primary[first + k]! >= 0,
    );
    const taken = takenMib(state, row);
    return [
      {
        pool: pool.id,
        nodes: pool.nodes.length,
        instances: pool.instances.length + came.length,
        usedMib: pool.usedMib + taken,
        sizeMib: pool.sizeMib ?? null,
        freeMib: pool.freeMib === undefined ? null : pool.freeMib - taken,
      },
    ];
  });
}

/** The cluster's tags with the added instances: a tag about a pool's free room says what is free now. */
export function tagsWithPoolRoom(state: ClusterState): Snapshot['tags'] {
  const { storage, snapshot, added } = state;
  if (!storage || added.length === 0) return snapshot.tags;
  const rows = new Map(storage.pools.map(({ id, type }, row) => [id, type === 'external' ? row : -1]));
  return withTakenOff(snapshot.tags, (pool) => takenMib(state, rows.get(pool) ?? -1));
}
