/**
 * Pools and partitions as plain data with names, for `hinfo --storage`. The names are those of the JSON
 * output; docs/design/storage.md describes it.
 */
import type { Snapshot } from '../snapshot.ts';
import type { StorageType } from '../tags/tags.ts';
import type { Storage } from './storage.ts';

export interface PoolReport {
  readonly pool: string;
  readonly type: StorageType;
  readonly name: string;
  readonly nodes: readonly string[];
  /** Groups with at least one of these nodes. */
  readonly groups: readonly string[];
  readonly instances: number;
  readonly usedMib: number;
  /** null = not known. */
  readonly sizeMib: number | null;
  readonly freeMib: number | null;
}

export interface StorageReport {
  /** Whether the snapshot says anything about storage. */
  readonly isStated: boolean;
  /** Whether nodes list what they reach; when not, every node reaches every pool. */
  readonly isBinding: boolean;
  readonly nodeCount: number;
  readonly groupCount: number;
  readonly pools: readonly PoolReport[];
  /** Instances whose node does not reach their pool. */
  readonly misplaced: readonly string[];
  readonly warnings: readonly string[];
}

export function storageReport(snapshot: Snapshot, storage: Storage): StorageReport {
  return {
    isStated: storage.isStated,
    isBinding: storage.isBinding,
    nodeCount: snapshot.nodes.length,
    groupCount: snapshot.groups.length,
    pools: storage.pools.map((pool) => ({
      pool: pool.id,
      type: pool.type,
      name: pool.name,
      nodes: pool.nodes.map((n) => snapshot.nodes[n]!.name),
      groups: pool.groups.map((g) => snapshot.groups[g]!.name),
      instances: pool.instances.length,
      usedMib: pool.usedMib,
      sizeMib: pool.sizeMib ?? null,
      freeMib: pool.freeMib ?? null,
    })),
    misplaced: storage.misplaced.map((i) => snapshot.instances[i]!.name),
    warnings: storage.warnings,
  };
}
