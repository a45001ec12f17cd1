/**
 * Rule "pool-space": a new instance goes only into a pool that has room, where the pool's size is known.
 * Refuses as stock's disk rule would (FailDisk). Whether a node reaches the pool at all is rule "pool-access"
 * (ClusterState.reaches). Source: docs/why/storage.md.
 */
import { ALLOWED, FAIL_DISK, type FailCode } from '../../cluster/refusal.ts';
import type { Refusal } from '../../cluster/rules.ts';
import { NO_NODE, type PoolId } from '../../cluster/snapshot.ts';
import { poolNeedMib } from '../../cluster/storage/pool-statements.ts';
import type { Storage } from '../../cluster/storage/storage.ts';
import { freePoolMib } from '../state/pool-room.ts';
import type { ClusterState } from '../state/state.ts';

/** Whether the pool of an instance that is on no node has room, up to its last MiB. */
export const poolSpaceRefusal = (state: ClusterState, i: number): FailCode =>
  state.storage === undefined ||
  poolNeedMib(state.instanceRecord(i)) <= freePoolMib(state, state.storageRow[i]!, i)
    ? ALLOWED
    : FAIL_DISK;

/** What a pool lacks for an instance. Only for refused ones. */
export function explainPoolSpace(state: ClusterState, i: number): PoolRefusal {
  const row = state.storageRow[i]!;
  return {
    mode: 'FailDisk',
    rule: 'pool-space',
    node: NO_NODE,
    pool: poolName(state.storage!, row),
    needed: poolNeedMib(state.instanceRecord(i)),
    available: Math.max(0, freePoolMib(state, row, i)),
    unit: 'MiB',
  };
}

export interface PoolRefusal extends Refusal {
  readonly pool: PoolId;
}

const poolName = (storage: Storage, row: number): PoolId => storage.poolAt(row)?.id ?? 'an unknown pool';
