/**
 * Rule "disk": room for the disks, above the reserve of `--min-disk` (soft), within the spindle ratio (soft).
 * Only templates whose disks lie on the node count. Source: stock addPri and addSec.
 */
import { ALLOWED, FAIL_DISK, FAIL_SPINDLES, type FailCode } from '../../cluster/refusal.ts';
import type { ClusterState } from '../state/state.ts';

/**
 * @param freeDisk MiB left with the instance
 * @param freeSpindles spindles left with the instance (exclusive storage only)
 * @param usedSpindles spindles used with the instance (ratio to the node's; 0 on exclusive storage)
 */
export function diskRefusal(
  state: ClusterState,
  node: number,
  freeDisk: number,
  freeSpindles: number,
  usedSpindles: number,
  ignoreSoftErrors: boolean,
): FailCode {
  if (freeDisk <= 0) return FAIL_DISK;
  if (!ignoreSoftErrors && freeDisk < state.lowDisk[node]!) return FAIL_DISK;
  if (state.isExclusive[node] && freeSpindles < 0) return FAIL_SPINDLES;
  if (!ignoreSoftErrors && usedSpindles > state.highSpindles[node]!) return FAIL_DISK;
  return ALLOWED;
}
