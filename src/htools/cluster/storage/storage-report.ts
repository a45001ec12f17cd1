/** Pools and partitions as data with the names of `hinfo --storage`; see docs/why/storage.md. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { storageReport as report } from '../../results/hinfo.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Storage } from './storage.ts';

export type StorageReport = DocumentOf<typeof report>;
export type PoolReport = StorageReport['pools'][number];

export const storageReport = (snapshot: Snapshot, storage: Storage): StorageReport => ({
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
  warnings: storage.warnings(),
});
