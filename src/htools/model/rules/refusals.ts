/**
 * Which rule of a node refuses an instance, with figures: what is needed, and what there is. admission.ts
 * asks the same in the same order, and has a code for several rules; this is for who has to be told.
 */

import type { RulesWith } from '../../cluster/rules.ts';
import { HANDS_OFF } from '../../cluster/tags/hands-off.ts';
import { type Bar, barFrom, wishesOf } from '../../cluster/tags/placement-tags.ts';
import * as F from '../state/node-fields.ts';
import { type ClusterState, IS_FORTHCOMING, USES_NODE_DISK } from '../state/state.ts';
import { ANY_PRIMARY, type DiskBooks, REAL, WITH_FORTHCOMING } from './admission.ts';
import { memNeedOf } from './memory.ts';
import { reservationOf, reservedWith } from './n-plus-one.ts';
import { setRefusal } from './sets.ts';
import { freeSpindlesAfter, usedSpindlesAfter } from './spindles.ts';
import { exceedsVcpuRatio, vcpusOf } from './vcpu-ratio.ts';

type NodeRule = RulesWith<'ofGroup'>;

export interface NodeRefusal {
  readonly rule: NodeRule;
  readonly needed?: number | undefined;
  /** Some must be left of it, where the rule's row says so. */
  readonly available?: number | undefined;
  readonly unit?: 'MiB' | 'spindles' | 'vcpus' | undefined;
  /** The figures count instances that are reserved but not yet created. */
  readonly withForthcoming?: boolean;
}

/** All that refuse, in order; each is looked for when it is asked for. */
type Refusals = Generator<NodeRefusal, void>;

function* barred(state: ClusterState, i: number, n: number): Refusals {
  const bar = barOf(state, i, n);
  if (bar) yield { rule: bar.rule };
}

/** Of memory some must be left. */
function* ofMemory(rule: NodeRule, needed: number, available: number): Refusals {
  if (available - needed <= 0) yield { rule, needed, available, unit: 'MiB' };
}

function* ofDisks(books: DiskBooks, state: ClusterState, i: number, n: number): Refusals {
  if (!(state.flags[i]! & USES_NODE_DISK)) return;
  const needed = state.disk[i]!;
  const free = state.field(n, books.freeDisk);
  if (free - needed <= 0) yield { rule: 'disk', needed, available: free, unit: 'MiB' };
  const keep = state.lowDisk[n]!;
  if (free - needed < keep) yield { rule: 'disk-reserve', needed, available: free - keep, unit: 'MiB' };
  if (freeSpindlesAfter(state, i, n, books.freeSpindles, 1) < 0) {
    const spindles = state.diskSpindles[i]!;
    const available = state.field(n, books.freeSpindles);
    yield { rule: 'spindles', needed: spindles || undefined, available, unit: 'spindles' };
  }
  if (usedSpindlesAfter(state, i, n, books.usedSpindles, 1) > state.highSpindles[n]!) {
    const available = state.highSpindles[n]! - state.field(n, books.usedSpindles);
    yield { rule: 'spindle-ratio', needed: state.spindleUse[i]!, available, unit: 'spindles' };
  }
}

function* ofCpus(used: number, state: ClusterState, i: number, n: number): Refusals {
  const needed = vcpusOf(state, i);
  if (!exceedsVcpuRatio(state, n, used + needed)) return;
  const available = state.vcpuRatio[n]! * state.totalCpu[n]! - used;
  yield { rule: 'vcpu-ratio', needed, available, unit: 'vcpus' };
}

function* planned(refusals: Refusals): Refusals {
  for (const one of refusals) yield { ...one, withForthcoming: true };
}

function* ofPrimary(state: ClusterState, i: number, n: number): Refusals {
  yield* barred(state, i, n);
  if (!(state.flags[i]! & IS_FORTHCOMING)) {
    const needed = memNeedOf(state, i);
    const free = state.field(n, F.FREE_MEM);
    yield* ofMemory('memory', needed, free);
    yield* ofDisks(REAL, state, i, n);
    if (state.field(n, F.FAILS_N1) === 0)
      yield* ofMemory('n-plus-one', needed, free - state.field(n, F.RESERVED_MEM));
    yield* ofCpus(state.field(n, F.USED_CPU), state, i, n);
    if (state.tags.conflicts(i, n)) yield { rule: 'exclusion-tags' };
    const ofSet = state.placement.hasSets ? setRefusal(state, i, n) : undefined;
    if (ofSet) yield { rule: ofSet };
  }
  yield* planned(ofMemory('memory', state.mem[i]!, state.field(n, F.FREE_MEM_FORTHCOMING)));
  yield* planned(ofDisks(WITH_FORTHCOMING, state, i, n));
  yield* planned(ofCpus(state.field(n, F.USED_CPU_FORTHCOMING), state, i, n));
}

function* ofSecondary(state: ClusterState, i: number, n: number, primary: number): Refusals {
  yield* barred(state, i, n);
  const needed = reservationOf(state, i);
  if (!(state.flags[i]! & IS_FORTHCOMING)) {
    const free = state.field(n, F.FREE_MEM);
    yield* ofDisks(REAL, state, i, n);
    yield* ofMemory('failover-memory', needed, free);
    if (primary !== ANY_PRIMARY && state.field(n, F.FAILS_N1) === 0)
      yield* ofMemory('n-plus-one', needed, free - reservedWith(state, i, n, primary) + needed);
  }
  yield* planned(ofDisks(WITH_FORTHCOMING, state, i, n));
  yield* planned(ofMemory('failover-memory', needed, state.field(n, F.FREE_MEM_FORTHCOMING)));
}

/** Of several rules that refuse, those that may be the answer. */
type IsAsked = (rule: NodeRule) => boolean;

function firstOf(refusals: Refusals, isAsked: IsAsked): NodeRefusal | undefined {
  for (const one of refusals) if (isAsked(one.rule)) return one;
  return undefined;
}

const isAny: IsAsked = () => true;

/** Why the node may not be the instance's primary; undefined when it may. It reaches the disks. */
export const primaryReason = (
  state: ClusterState,
  i: number,
  n: number,
  isAsked = isAny,
): NodeRefusal | undefined => firstOf(ofPrimary(state, i, n), isAsked);

/** Why the node may not be its secondary. @param primary ANY_PRIMARY: where it may not be that for any */
export const secondaryReason = (
  state: ClusterState,
  i: number,
  n: number,
  primary: number,
  isAsked = isAny,
): NodeRefusal | undefined => firstOf(ofSecondary(state, i, n, primary), isAsked);

/** What its own tags say of a node that bars it. */
export const wishBarOf = (state: ClusterState, i: number, node: number): Bar | undefined =>
  barFrom(wishesOf(state.instanceRecord(i).tags), state.snapshot.nodes[node]!);

export const barOf = (state: ClusterState, i: number, node: number): Bar | typeof HANDS_OFF | undefined =>
  state.placement.isBarred(i, node) ? (wishBarOf(state, i, node) ?? HANDS_OFF) : undefined;
