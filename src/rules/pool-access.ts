/**
 * Rules "pool-access" and "pool-space": an instance goes only to nodes that reach its storage pool, and a new one only
 * into a pool that has room where the pool's size is known. Both refuse as stock's disk rule would (FailDisk).
 * Source: docs/design/storage.md.
 */
import { ALLOWED, FAIL_DISK, type FailCode, type Refusal } from '../cluster/refusal.ts';
import { NO_NODE, type PoolId } from '../cluster/snapshot.ts';
import type { Storage } from '../cluster/storage.ts';

/** @param row of the instance's pool (Storage.rows, Storage.rowOfRecord) */
export const poolAccessRefusal = (storage: Storage, row: number, node: number): FailCode =>
  storage.access[row * storage.nodeCount + node] === 1 ? ALLOWED : FAIL_DISK;

/** Free space of the pools while instances are added. Pools of unknown size take anything; internal ones are the nodes' matter. */
export class PoolSpace {
  private readonly storage: Storage;
  private readonly freeMib: Float64Array;

  constructor(storage: Storage) {
    this.storage = storage;
    this.freeMib = Float64Array.from({ length: storage.nowhereRow + 1 }, (_, row) => {
      const pool = storage.poolAt(row);
      return pool?.type === 'external' && pool.freeMib !== undefined
        ? pool.freeMib
        : Number.POSITIVE_INFINITY;
    });
  }

  /** Free MiB of a pool; Infinity where it is not known or not counted here. */
  freeOf(row: number): number {
    return this.freeMib[row]!;
  }

  /** Whether an instance of that size may still come. A pool may be filled to its last MiB. */
  refusal(row: number, diskMib: number): FailCode {
    return diskMib <= this.freeMib[row]! ? ALLOWED : FAIL_DISK;
  }

  /** An instance came (negative: left again). */
  take(row: number, diskMib: number): void {
    this.freeMib[row]! -= diskMib;
  }

  /** The refusal with its figures, for people. */
  explain(row: number, diskMib: number): PoolRefusal {
    return {
      mode: 'FailDisk',
      rule: 'pool-space',
      node: NO_NODE,
      pool: poolName(this.storage, row),
      needed: diskMib,
      available: Math.max(0, this.freeMib[row]!),
      unit: 'MiB',
    };
  }
}

/** A refusal that concerns a pool. */
export interface PoolRefusal extends Refusal {
  readonly pool: PoolId;
}

/** Why the node does not do, for people. */
export const explainPoolAccess = (storage: Storage, row: number, node: number): PoolRefusal => ({
  mode: 'FailDisk',
  rule: 'pool-access',
  node,
  pool: poolName(storage, row),
});

const poolName = (storage: Storage, row: number): PoolId => storage.poolAt(row)?.id ?? 'an unknown pool';
