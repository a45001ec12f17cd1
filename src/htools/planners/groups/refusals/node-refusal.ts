/**
 * Why exactly a node may not take an instance: the rule, what the instance needs by that rule, and the most
 * that would have been let in. The codes of the stock programs have one name for several rules; here each is
 * told apart, so that the figures are those of the rule.
 */
import { type DiskBooks, REAL, WITH_FORTHCOMING } from '../../../model/rules/admission.ts';
import { barOf } from '../../../model/rules/bars.ts';
import { freeMemForthcomingWith, freeMemWith } from '../../../model/rules/memory.ts';
import { reservationOf } from '../../../model/rules/n-plus-one.ts';
import { setRefusal } from '../../../model/rules/sets.ts';
import { freeSpindlesAfter, usedSpindlesAfter } from '../../../model/rules/spindles.ts';
import * as F from '../../../model/state/node-fields.ts';
import { type ClusterState, USES_CPU, USES_NODE_DISK } from '../../../model/state/state.ts';
import type { TargetRefusal, TargetRule } from '../homes/targets.ts';

/** What one node says. `available` is always less than `needed`, both in `unit`. */
export type NodeRefusal = Pick<TargetRefusal, 'needed' | 'available' | 'unit' | 'withForthcoming'> & {
  readonly rule: TargetRule;
};

type Figures = Omit<NodeRefusal, 'rule'>;

const field = (state: ClusterState, n: number, name: number): number =>
  state.nodeFields[n * F.NODE_STRIDE + name]!;

/** A rule that wants more than `limit` left: the most to be taken, in whole MiB; none without need. */
function leaving(needed: number, free: number, limit: number): Figures {
  const available = Math.max(0, Math.ceil(free - limit) - 1);
  return available < needed ? { needed, available, unit: 'MiB' } : {};
}

function diskRefusalBy(books: DiskBooks, state: ClusterState, i: number, n: number): NodeRefusal | undefined {
  const needed = state.disk[i]!;
  const free = field(state, n, books.freeDisk);
  if (free - needed <= 0) return { rule: 'disk', ...leaving(needed, free, 0) };
  if (state.isExclusive[n] && freeSpindlesAfter(state, i, n, books.freeSpindles, 1) < 0) {
    const spindles = state.diskSpindles[i]!;
    const available = Math.max(0, field(state, n, books.freeSpindles));
    return Number.isNaN(spindles) || spindles <= available
      ? { rule: 'spindles' }
      : { rule: 'spindles', needed: spindles, available, unit: 'spindles' };
  }
  const used = usedSpindlesAfter(state, i, n, books.usedSpindles, 1);
  if (used > state.highSpindles[n]!) {
    const available = Math.max(0, Math.floor(state.highSpindles[n]! - field(state, n, books.usedSpindles)));
    return { rule: 'spindle-ratio', needed: state.spindleUse[i]!, available, unit: 'spindles' };
  }
  if (free - needed < state.lowDisk[n]!) {
    const available = Math.max(0, Math.floor(free - state.lowDisk[n]!));
    return { rule: 'disk-reserve', needed, available, unit: 'MiB' };
  }
  return undefined;
}

function cpuRefusalBy(usedField: number, state: ClusterState, i: number, n: number): NodeRefusal | undefined {
  const needed = state.flags[i]! & USES_CPU ? state.vcpus[i]! : 0;
  const used = field(state, n, usedField);
  if (state.vcpuRatio[n]! < 0 || !((used + needed) / state.totalCpu[n]! > state.vcpuRatio[n]!))
    return undefined;
  const available = Math.floor(state.vcpuRatio[n]! * state.totalCpu[n]! - used);
  return available < needed
    ? { rule: 'vcpu-ratio', needed, available: Math.max(0, available), unit: 'vcpus' }
    : { rule: 'vcpu-ratio' };
}

const planned = (refusal: NodeRefusal | undefined): NodeRefusal | undefined =>
  refusal && { ...refusal, withForthcoming: true };

/** Why the node may not be the instance's primary; undefined when it may. */
export function primaryReason(state: ClusterState, i: number, n: number): NodeRefusal | undefined {
  const bar = barOf(state, i, n);
  if (bar) return { rule: bar.rule };
  const free = field(state, n, F.FREE_MEM);
  const after = freeMemWith(state, i, n);
  const needed = free - after;
  if (after <= 0) return { rule: 'memory', ...leaving(needed, free, 0) };
  const usesDisk = (state.flags[i]! & USES_NODE_DISK) !== 0;
  const disk = usesDisk ? diskRefusalBy(REAL, state, i, n) : undefined;
  if (disk) return disk;
  const reserved = field(state, n, F.RESERVED_MEM);
  if (after <= reserved && field(state, n, F.FAILS_N1) === 0)
    return { rule: 'n-plus-one', ...leaving(needed, free, reserved) };
  const cpu = cpuRefusalBy(F.USED_CPU, state, i, n);
  if (cpu) return cpu;
  if (state.tags.conflicts(i, n)) return { rule: 'exclusion-tags' };
  const ofSet = state.placement.hasSets ? setRefusal(state, i, n) : undefined;
  if (ofSet) return { rule: ofSet };
  const freePlanned = field(state, n, F.FREE_MEM_FORTHCOMING);
  const afterPlanned = freeMemForthcomingWith(state, i, n);
  if (afterPlanned <= 0)
    return planned({ rule: 'memory', ...leaving(freePlanned - afterPlanned, freePlanned, 0) });
  const diskPlanned = usesDisk ? diskRefusalBy(WITH_FORTHCOMING, state, i, n) : undefined;
  return planned(diskPlanned ?? cpuRefusalBy(F.USED_CPU_FORTHCOMING, state, i, n));
}

/** Why the node may be secondary for no primary; undefined when it may for some. */
export function secondaryReason(state: ClusterState, i: number, n: number): NodeRefusal | undefined {
  const bar = barOf(state, i, n);
  if (bar) return { rule: bar.rule };
  const disk = diskRefusalBy(REAL, state, i, n);
  if (disk) return disk;
  const needed = reservationOf(state, i);
  const free = field(state, n, F.FREE_MEM);
  if (needed >= free) return { rule: 'failover-memory', ...leaving(needed, free, 0) };
  // Here the rule is about what is reserved already: the instance itself would be let in.
  if (free <= field(state, n, F.RESERVED_MEM) && field(state, n, F.FAILS_N1) === 0)
    return { rule: 'n-plus-one' };
  const diskPlanned = diskRefusalBy(WITH_FORTHCOMING, state, i, n);
  if (diskPlanned) return planned(diskPlanned);
  const freePlanned = field(state, n, F.FREE_MEM_FORTHCOMING);
  return needed >= freePlanned
    ? planned({ rule: 'failover-memory', ...leaving(needed, freePlanned, 0) })
    : undefined;
}
