/**
 * Which rule of a node refuses an instance, with figures: what is needed, and what there is. admission.ts
 * asks the same in the same order, and has a code for several rules; this is for who has to be told.
 */
import type { RulesWith } from '../../cluster/rules.ts';
import * as F from '../state/node-fields.ts';
import { type ClusterState, IS_FORTHCOMING, USES_CPU, USES_NODE_DISK } from '../state/state.ts';
import { ANY_PRIMARY, type DiskBooks, REAL, WITH_FORTHCOMING } from './admission.ts';
import { barOf } from './bars.ts';
import { memNeedOf } from './memory.ts';
import { failsWith, reservationOf, reservedWith } from './n-plus-one.ts';
import { setRefusal } from './sets.ts';
import { freeSpindlesAfter, usedSpindlesAfter } from './spindles.ts';
import { exceedsVcpuRatio } from './vcpu-ratio.ts';

type NodeRule = RulesWith<'ofGroup'>;

/** What one node says. */
export interface NodeRefusal {
  readonly rule: NodeRule;
  readonly needed?: number | undefined;
  /** Some must be left of it, where the rule's row says so. */
  readonly available?: number | undefined;
  readonly unit?: 'MiB' | 'spindles' | 'vcpus' | undefined;
  /** The figures count instances that are reserved but not yet created. */
  readonly withForthcoming?: boolean;
}

/** Of several rules that refuse, those that may be the answer. */
type IsAsked = (rule: NodeRule) => boolean;

const isAny: IsAsked = () => true;

const field = (state: ClusterState, n: number, name: number): number =>
  state.nodeFields[n * F.NODE_STRIDE + name]!;

function diskRefusal(
  books: DiskBooks,
  state: ClusterState,
  i: number,
  n: number,
  isAsked: IsAsked,
): NodeRefusal | undefined {
  if (!(state.flags[i]! & USES_NODE_DISK)) return undefined;
  const needed = state.disk[i]!;
  const free = field(state, n, books.freeDisk);
  if (free - needed <= 0 && isAsked('disk')) return { rule: 'disk', needed, available: free, unit: 'MiB' };
  const keep = state.lowDisk[n]!;
  if (free - needed < keep && isAsked('disk-reserve'))
    return { rule: 'disk-reserve', needed, available: free - keep, unit: 'MiB' };
  if (freeSpindlesAfter(state, i, n, books.freeSpindles, 1) < 0 && isAsked('spindles')) {
    const spindles = state.diskSpindles[i]!;
    const available = field(state, n, books.freeSpindles);
    return { rule: 'spindles', needed: spindles || undefined, available, unit: 'spindles' };
  }
  if (
    usedSpindlesAfter(state, i, n, books.usedSpindles, 1) > state.highSpindles[n]! &&
    isAsked('spindle-ratio')
  ) {
    const available = state.highSpindles[n]! - field(state, n, books.usedSpindles);
    return { rule: 'spindle-ratio', needed: state.spindleUse[i]!, available, unit: 'spindles' };
  }
  return undefined;
}

function cpuRefusal(used: number, state: ClusterState, i: number, n: number): NodeRefusal | undefined {
  const needed = state.flags[i]! & USES_CPU ? state.vcpus[i]! : 0;
  if (!exceedsVcpuRatio(state, n, used + needed)) return undefined;
  const available = state.vcpuRatio[n]! * state.totalCpu[n]! - used;
  return { rule: 'vcpu-ratio', needed, available, unit: 'vcpus' };
}

const planned = (refusal: NodeRefusal | undefined): NodeRefusal | undefined =>
  refusal && { ...refusal, withForthcoming: true };

/** Why the node may not be the instance's primary; undefined when it may. It reaches the disks. */
export function primaryReason(
  state: ClusterState,
  i: number,
  n: number,
  isAsked: IsAsked = isAny,
): NodeRefusal | undefined {
  const bar = barOf(state, i, n);
  if (bar && isAsked(bar.rule)) return { rule: bar.rule };
  return (
    (state.flags[i]! & IS_FORTHCOMING ? undefined : primaryReasonNow(state, i, n, isAsked)) ??
    planned(primaryReasonPlanned(state, i, n, isAsked))
  );
}

function primaryReasonNow(
  state: ClusterState,
  i: number,
  n: number,
  isAsked: IsAsked,
): NodeRefusal | undefined {
  const needed = memNeedOf(state, i);
  const free = field(state, n, F.FREE_MEM);
  if (free - needed <= 0 && isAsked('memory'))
    return { rule: 'memory', needed, available: free, unit: 'MiB' };
  const disk = diskRefusal(REAL, state, i, n, isAsked);
  if (disk) return disk;
  const reserved = field(state, n, F.RESERVED_MEM);
  const mayFail = field(state, n, F.FAILS_N1) === 1;
  if (failsWith(free - needed, reserved) && !mayFail && isAsked('n-plus-one'))
    return { rule: 'n-plus-one', needed, available: free - reserved, unit: 'MiB' };
  const cpu = cpuRefusal(field(state, n, F.USED_CPU), state, i, n);
  if (cpu && isAsked('vcpu-ratio')) return cpu;
  if (isAsked('exclusion-tags') && state.tags.conflicts(i, n)) return { rule: 'exclusion-tags' };
  const ofSet = state.placement.hasSets ? setRefusal(state, i, n) : undefined;
  return ofSet && isAsked(ofSet) ? { rule: ofSet } : undefined;
}

function primaryReasonPlanned(
  state: ClusterState,
  i: number,
  n: number,
  isAsked: IsAsked,
): NodeRefusal | undefined {
  const needed = state.mem[i]!;
  const free = field(state, n, F.FREE_MEM_FORTHCOMING);
  if (free - needed <= 0 && isAsked('memory'))
    return { rule: 'memory', needed, available: free, unit: 'MiB' };
  const disk = diskRefusal(WITH_FORTHCOMING, state, i, n, isAsked);
  if (disk) return disk;
  const cpu = cpuRefusal(field(state, n, F.USED_CPU_FORTHCOMING), state, i, n);
  return cpu && isAsked('vcpu-ratio') ? cpu : undefined;
}

/** Why the node may not be its secondary. @param primary ANY_PRIMARY: where it may not be that for any */
export function secondaryReason(
  state: ClusterState,
  i: number,
  n: number,
  primary: number,
  isAsked: IsAsked = isAny,
): NodeRefusal | undefined {
  const bar = barOf(state, i, n);
  if (bar && isAsked(bar.rule)) return { rule: bar.rule };
  const needed = reservationOf(state, i);
  if (!(state.flags[i]! & IS_FORTHCOMING)) {
    const disk = diskRefusal(REAL, state, i, n, isAsked);
    if (disk) return disk;
    const free = field(state, n, F.FREE_MEM);
    if (needed >= free && isAsked('failover-memory'))
      return { rule: 'failover-memory', needed, available: free, unit: 'MiB' };
    const reserved = primary === ANY_PRIMARY ? 0 : reservedWith(state, i, n, primary);
    const mayFail = field(state, n, F.FAILS_N1) === 1;
    if (primary !== ANY_PRIMARY && failsWith(free, reserved) && !mayFail && isAsked('n-plus-one'))
      return { rule: 'n-plus-one', needed, available: free - reserved + needed, unit: 'MiB' };
  }
  const disk = diskRefusal(WITH_FORTHCOMING, state, i, n, isAsked);
  if (disk) return planned(disk);
  const free = field(state, n, F.FREE_MEM_FORTHCOMING);
  return needed >= free && isAsked('failover-memory')
    ? planned({ rule: 'failover-memory', needed, available: free, unit: 'MiB' })
    : undefined;
}
