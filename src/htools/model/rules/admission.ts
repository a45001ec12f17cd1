/**
 * May a node become an instance's primary, or its secondary? All rules in stock's order, so that the first
 * refusal, which hail and hspace count, is theirs. Source: stock addPriEx and addSecExEx.
 *
 * `ignoreSoftErrors` leaves out the soft rules: the instance comes from a worse place, or the operator said
 * so.
 */

import {
  ALLOWED,
  FAIL_CPU,
  FAIL_DISK,
  FAIL_MEM,
  FAIL_MIG,
  FAIL_SPINDLES,
  FAIL_TAGS,
  type FailCode,
} from '../../cluster/refusal.ts';
import * as F from '../state/node-fields.ts';
import { type ClusterState, HAS_SECONDARY, IS_FORTHCOMING, USES_NODE_DISK } from '../state/state.ts';
import { freeMemForthcomingWith, freeMemWith } from './memory.ts';
import { failsWith, reservationOf, reservedWith } from './n-plus-one.ts';
import { setRefusal } from './sets.ts';
import { freeSpindlesAfter, usedSpindlesAfter } from './spindles.ts';
import { exceedsVcpuRatio, vcpusOf } from './vcpu-ratio.ts';

/** Fields of a node that are about its disks: with what is there, or with what is reserved as well. */
export interface DiskBooks {
  readonly freeDisk: number;
  readonly freeSpindles: number;
  readonly usedSpindles: number;
}

export const REAL: DiskBooks = {
  freeDisk: F.FREE_DISK,
  freeSpindles: F.FREE_SPINDLES,
  usedSpindles: F.INSTANCE_SPINDLES,
};
export const WITH_FORTHCOMING: DiskBooks = {
  freeDisk: F.FREE_DISK_FORTHCOMING,
  freeSpindles: F.FREE_SPINDLES_FORTHCOMING,
  usedSpindles: F.INSTANCE_SPINDLES_FORTHCOMING,
};

/**
 * Rule "disk", by one set of books: room for the disks, above the reserve of `--min-disk` (soft), within the
 * spindle ratio (soft). Only templates whose disks lie on the node count. Source: stock addPri and addSec.
 * @param ignoreDisk leave out the space itself, not the spindles
 */
function diskRefusalBy(
  books: DiskBooks,
  state: ClusterState,
  i: number,
  node: number,
  ignoreDisk: boolean,
  ignoreSoftErrors: boolean,
): FailCode {
  if (!ignoreDisk) {
    const freeDisk = state.nodeFields[node * F.NODE_STRIDE + books.freeDisk]! - state.disk[i]!;
    if (freeDisk <= 0) return FAIL_DISK;
    if (!ignoreSoftErrors && freeDisk < state.lowDisk[node]!) return FAIL_DISK;
  }
  const freeSpindles = freeSpindlesAfter(state, i, node, books.freeSpindles, 1);
  if (state.isExclusive[node] && freeSpindles < 0) return FAIL_SPINDLES;
  const usedSpindles = usedSpindlesAfter(state, i, node, books.usedSpindles, 1);
  if (!ignoreSoftErrors && usedSpindles > state.highSpindles[node]!) return FAIL_DISK;
  return ALLOWED;
}

/** Why the node may not become the instance's primary; ALLOWED when it may. */
export function primaryRefusal(
  state: ClusterState,
  i: number,
  node: number,
  ignoreSoftErrors: boolean,
): FailCode {
  if (!state.reaches(i, node)) return FAIL_DISK;
  if (state.placement.hasBars && state.placement.isBarred(i, node)) return FAIL_TAGS;
  return primaryRoomRefusal(state, i, node, ignoreSoftErrors);
}

/** The same for a node that has the instance already, whether it should or not: access is not asked for. */
export function primaryRoomRefusal(
  state: ClusterState,
  i: number,
  node: number,
  ignoreSoftErrors: boolean,
): FailCode {
  const { nodeFields: f, flags } = state;
  const at = node * F.NODE_STRIDE;
  if (!(flags[i]! & IS_FORTHCOMING)) {
    const freeMem = freeMemWith(state, i, node);
    if (freeMem <= 0) return FAIL_MEM;
    if (flags[i]! & USES_NODE_DISK) {
      const disk = diskRefusalBy(REAL, state, i, node, false, ignoreSoftErrors);
      if (disk !== ALLOWED) return disk;
    }
    if (ignoreSoftErrors) return ALLOWED;
    if (failsWith(freeMem, f[at + F.RESERVED_MEM]!) && f[at + F.FAILS_N1] === 0) return FAIL_MEM;
    if (exceedsVcpuRatio(state, node, f[at + F.USED_CPU]! + vcpusOf(state, i))) return FAIL_CPU;
    if (state.tags.conflicts(i, node)) return FAIL_TAGS;
    if (state.placement.hasSets && setRefusal(state, i, node) !== undefined) return FAIL_TAGS;
  }
  return ignoreSoftErrors ? ALLOWED : primaryForthcomingRefusal(state, i, node);
}

/** The limits with all reserved instances counted. */
function primaryForthcomingRefusal(state: ClusterState, i: number, node: number): FailCode {
  const { nodeFields: f, flags } = state;
  const at = node * F.NODE_STRIDE;
  if (freeMemForthcomingWith(state, i, node) <= 0) return FAIL_MEM;
  if (flags[i]! & USES_NODE_DISK) {
    const disk = diskRefusalBy(WITH_FORTHCOMING, state, i, node, false, false);
    if (disk !== ALLOWED) return disk;
  }
  const vcpus = vcpusOf(state, i);
  return exceedsVcpuRatio(state, node, f[at + F.USED_CPU_FORTHCOMING]! + vcpus) ? FAIL_CPU : ALLOWED;
}

/** In place of a primary: leave out N+1, the only rule on secondaries that looks at the pair. */
export const ANY_PRIMARY = -1;

/**
 * Why the node may not become the secondary; ALLOWED when it may.
 * @param primary for the reservation; or ANY_PRIMARY
 * @param ignoreDisk a failed primary that becomes secondary keeps its disks
 */
export function secondaryRefusal(
  state: ClusterState,
  i: number,
  node: number,
  primary: number,
  ignoreDisk: boolean,
  ignoreSoftErrors: boolean,
): FailCode {
  const { nodeFields: f, flags } = state;
  const at = node * F.NODE_STRIDE;
  if (!state.reaches(i, node)) return FAIL_DISK;
  if (state.placement.hasBars && state.placement.isBarred(i, node)) return FAIL_TAGS;
  if (!(flags[i]! & IS_FORTHCOMING)) {
    if (!(flags[i]! & HAS_SECONDARY)) return FAIL_DISK;
    const disk = diskRefusalBy(REAL, state, i, node, ignoreDisk && ignoreSoftErrors, ignoreSoftErrors);
    if (disk !== ALLOWED) return disk;
    if (ignoreSoftErrors) return ALLOWED;
    const freeMem = f[at + F.FREE_MEM]!;
    if (reservationOf(state, i) >= freeMem) return FAIL_MEM;
    if (
      primary !== ANY_PRIMARY &&
      failsWith(freeMem, reservedWith(state, i, node, primary)) &&
      f[at + F.FAILS_N1] === 0
    )
      return FAIL_MEM;
  }
  return ignoreSoftErrors ? ALLOWED : secondaryForthcomingRefusal(state, i, node);
}

function secondaryForthcomingRefusal(state: ClusterState, i: number, node: number): FailCode {
  const { nodeFields: f } = state;
  const at = node * F.NODE_STRIDE;
  if (!(state.flags[i]! & HAS_SECONDARY)) return FAIL_DISK;
  const disk = diskRefusalBy(WITH_FORTHCOMING, state, i, node, false, false);
  if (disk !== ALLOWED) return disk;
  return reservationOf(state, i) >= f[at + F.FREE_MEM_FORTHCOMING]! ? FAIL_MEM : ALLOWED;
}

export const migrationRefusal = (state: ClusterState, from: number, to: number): FailCode =>
  state.tags.mayMigrate(from, to) ? ALLOWED : FAIL_MIG;
