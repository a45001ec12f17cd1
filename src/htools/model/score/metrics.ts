/**
 * The metrics of the cluster score: how the nodes' contributions are combined, which nodes count, and what an
 * instance changes. From this table scorer, scan, allocation and deep search take their columns; the checker
 * has its own on purpose.
 *
 * docs/reference/metrics.md explains each. Names, weights and order are those of metric-table.ts. Source:
 * hbal(1) "CLUSTER SCORING"; stock Metrics.
 */
import { METRIC_NAMES, type MetricName } from '../../cluster/metric-table.ts';
import * as F from '../state/node-fields.ts';
import {
  type ClusterState,
  USES_CPU,
  USES_MEMORY,
  USES_NODE_DISK,
  UTILISATION_STRIDE,
} from '../state/state.ts';

/** How contributions are combined: standard deviation, plain sum, or crowding of tags in locations. */
type Combination = 'deviation' | 'sum' | 'crowding';

/** What an instance adds to a node's figure: amount x scale. */
interface Moved {
  readonly asPrimary: (state: ClusterState, i: number) => number;
  readonly asSecondary: (state: ClusterState, i: number) => number;
  /** What one unit is worth on a node. */
  readonly scale: (state: ClusterState, node: number) => number;
}

interface Row {
  readonly combination: Combination;
  /** Whether online nodes count, or offline ones; online ones unless stated. */
  readonly online?: boolean;
  /** Whether nodes without storage of their own have no part in it. */
  readonly isOfDisks?: boolean;
  /** The same without instances that are yet to come. */
  readonly twin?: MetricName;
  readonly moved?: Moved | undefined;
  /** The same where storage is exclusive, if that is another thing. */
  readonly movedExclusive?: Moved;
}

/** A deviation says what an instance adds, or that it is a matter of pairs of nodes. */
type Stated = Row &
  (
    | { readonly combination: 'deviation'; readonly moved: Moved | undefined }
    | { readonly combination: 'sum' | 'crowding' }
  );

export interface Metric {
  readonly name: MetricName;
  readonly combination: Combination;
  readonly online: boolean;
  readonly isOfDisks: boolean;
  readonly twin: MetricName | undefined;
  readonly moved: Moved | undefined;
  readonly movedExclusive: Moved | undefined;
}

const none = (): number => 0;
const inverse = (size: number): number => (size === 0 ? 0 : 1 / size);
const disk = (state: ClusterState, i: number): number =>
  state.flags[i]! & USES_NODE_DISK ? -state.disk[i]! : 0;
const vcpus = (state: ClusterState, i: number): number => (state.flags[i]! & USES_CPU ? state.vcpus[i]! : 0);
const spindles = (state: ClusterState, i: number): number =>
  state.flags[i]! & USES_NODE_DISK ? state.spindleUse[i]! : 0;
const usedMem = (state: ClusterState, i: number): number =>
  state.flags[i]! & USES_MEMORY ? -state.mem[i]! : 0;
const perMem = (state: ClusterState, n: number): number => inverse(state.totalMem[n]!);

const memoryOf = (asPrimary: Moved['asPrimary']): Moved => ({ asPrimary, asSecondary: none, scale: perMem });
const DISK: Moved = { asPrimary: disk, asSecondary: disk, scale: (state, n) => inverse(state.totalDisk[n]!) };
const VCPUS: Moved = {
  asPrimary: vcpus,
  asSecondary: none,
  scale: (state, n) => 1 / state.totalCpu[n]! / state.cpuSpeed[n]!,
};
const SPINDLES: Moved = {
  asPrimary: spindles,
  asSecondary: spindles,
  // Where storage is exclusive nothing is used of them.
  scale: (state, n) => (state.isExclusive[n] ? 0 : 1 / state.highSpindles[n]!),
};
/** Spindles that are taken, whatever the template; where they are not known none. */
const takenSpindles = (state: ClusterState, i: number): number => -state.diskSpindles[i]! || 0;
const FREE_SPINDLES: Moved = {
  asPrimary: takenSpindles,
  asSecondary: takenSpindles,
  scale: (state, n) => inverse(state.totalSpindles[n]!),
};
/** @param isMirrored whether a secondary has it, too */
const load = (kind: number, isMirrored: boolean): Moved => {
  const amount = (state: ClusterState, i: number): number =>
    state.utilisation[i * UTILISATION_STRIDE + kind]!;
  return { asPrimary: amount, asSecondary: isMirrored ? amount : none, scale: () => 1 };
};

const TABLE: Readonly<Record<MetricName, Stated>> = {
  free_mem_cv: { combination: 'deviation', moved: memoryOf(usedMem) },
  free_disk_cv: { combination: 'deviation', moved: DISK, movedExclusive: FREE_SPINDLES, isOfDisks: true },
  n1_cnt: { combination: 'sum' },
  reserved_mem_cv: { combination: 'deviation', moved: undefined },
  offline_all_cnt: { combination: 'sum', online: false },
  offline_pri_cnt: { combination: 'sum', online: false },
  vcpu_ratio_cv: { combination: 'deviation', moved: VCPUS },
  cpu_load_cv: { combination: 'deviation', moved: load(0, false) },
  mem_load_cv: { combination: 'deviation', moved: load(1, false) },
  disk_load_cv: { combination: 'deviation', moved: load(2, true) },
  net_load_cv: { combination: 'deviation', moved: load(3, false) },
  pri_tags_score: { combination: 'sum' },
  spindles_cv: { combination: 'deviation', moved: SPINDLES, isOfDisks: true },
  free_mem_cv_forth: {
    combination: 'deviation',
    moved: memoryOf((state, i) => -state.mem[i]!),
    twin: 'free_mem_cv',
  },
  free_disk_cv_forth: {
    combination: 'deviation',
    moved: DISK,
    movedExclusive: FREE_SPINDLES,
    isOfDisks: true,
    twin: 'free_disk_cv',
  },
  vcpu_ratio_cv_forth: { combination: 'deviation', moved: VCPUS, twin: 'vcpu_ratio_cv' },
  spindles_cv_forth: { combination: 'deviation', moved: SPINDLES, isOfDisks: true, twin: 'spindles_cv' },
  location_score: { combination: 'sum' },
  location_exclusion_score: { combination: 'crowding' },
  reserved_mem_rtotal: { combination: 'sum' },
};

// All of one shape: the scorer reads them in its innermost loop.
export const METRICS: readonly Metric[] = METRIC_NAMES.map((name) => {
  const {
    combination,
    online = true,
    isOfDisks = false,
    twin,
    moved,
    movedExclusive = moved,
  }: Row = TABLE[name];
  return { name, combination, online, isOfDisks, twin, moved, movedExclusive };
});

export const METRIC_COUNT = METRICS.length;

const numberOf = (name: MetricName): number => METRIC_NAMES.indexOf(name);

/** A metric that counts instances that are yet to come, behind the one that does not. */
export const TWINS: readonly (readonly [number, number])[] = METRICS.flatMap(({ twin }, m) =>
  twin ? [[numberOf(twin), m] as const] : [],
);

export const FREE_MEM_CV = numberOf('free_mem_cv');
export const FREE_DISK_CV = numberOf('free_disk_cv');
export const N1_CNT = numberOf('n1_cnt');
export const RESERVED_MEM_CV = numberOf('reserved_mem_cv');
export const OFFLINE_ALL_CNT = numberOf('offline_all_cnt');
export const OFFLINE_PRI_CNT = numberOf('offline_pri_cnt');
const VCPU_RATIO_CV = numberOf('vcpu_ratio_cv');
export const CPU_LOAD_CV = numberOf('cpu_load_cv');
export const MEM_LOAD_CV = numberOf('mem_load_cv');
const DISK_LOAD_CV = numberOf('disk_load_cv');
export const NET_LOAD_CV = numberOf('net_load_cv');
export const PRI_TAGS_SCORE = numberOf('pri_tags_score');
export const SPINDLES_CV = numberOf('spindles_cv');
const FREE_MEM_CV_FORTH = numberOf('free_mem_cv_forth');
export const FREE_DISK_CV_FORTH = numberOf('free_disk_cv_forth');
const VCPU_RATIO_CV_FORTH = numberOf('vcpu_ratio_cv_forth');
export const SPINDLES_CV_FORTH = numberOf('spindles_cv_forth');
export const LOCATION_SCORE = numberOf('location_score');
export const LOCATION_EXCLUSION_SCORE = numberOf('location_exclusion_score');
export const RESERVED_MEM_RTOTAL = numberOf('reserved_mem_rtotal');

/** Share of a node's disk (or spindles, under exclusive storage) that is free; 1 where it has none at all. */
const freeShare = (free: number, total: number): number => (total === 0 ? 1 : free / total);

/** Writes a node's contribution to each metric into `out` at `at`; crowding, of no one node, gets 0. */
export function contributionsOf(state: ClusterState, node: number, out: Float64Array, at: number): void {
  const f = state.nodeFields;
  const n = node * F.NODE_STRIDE;
  const mem = state.totalMem[node]!;
  const isExclusive = state.isExclusive[node] === 1;
  const room = isExclusive ? state.totalSpindles[node]! : state.totalDisk[node]!;
  const count = f[n + F.PRIMARY_COUNT]! + f[n + F.SECONDARY_COUNT]!;
  const reserved = f[n + F.RESERVED_MEM]! / mem;

  out[at + FREE_MEM_CV] = f[n + F.FREE_MEM]! / mem;
  out[at + FREE_DISK_CV] = freeShare(f[n + (isExclusive ? F.FREE_SPINDLES : F.FREE_DISK)]!, room);
  out[at + N1_CNT] = f[n + F.FAILS_N1] ? count : 0;
  out[at + RESERVED_MEM_CV] = reserved;
  out[at + OFFLINE_ALL_CNT] = count;
  out[at + OFFLINE_PRI_CNT] = f[n + F.PRIMARY_COUNT]!;
  out[at + VCPU_RATIO_CV] = f[n + F.USED_CPU]! / state.totalCpu[node]! / state.cpuSpeed[node]!;
  out[at + CPU_LOAD_CV] = f[n + F.LOAD_CPU]!;
  out[at + MEM_LOAD_CV] = f[n + F.LOAD_MEM]!;
  out[at + DISK_LOAD_CV] = f[n + F.LOAD_DISK]!;
  out[at + NET_LOAD_CV] = f[n + F.LOAD_NET]!;
  out[at + PRI_TAGS_SCORE] = f[n + F.TAG_CONFLICTS]!;
  out[at + SPINDLES_CV] = f[n + F.INSTANCE_SPINDLES]! / state.highSpindles[node]!;
  out[at + FREE_MEM_CV_FORTH] = f[n + F.FREE_MEM_FORTHCOMING]! / mem;
  out[at + FREE_DISK_CV_FORTH] = freeShare(
    f[n + (isExclusive ? F.FREE_SPINDLES_FORTHCOMING : F.FREE_DISK_FORTHCOMING)]!,
    room,
  );
  out[at + VCPU_RATIO_CV_FORTH] =
    f[n + F.USED_CPU_FORTHCOMING]! / state.totalCpu[node]! / state.cpuSpeed[node]!;
  out[at + SPINDLES_CV_FORTH] = f[n + F.INSTANCE_SPINDLES_FORTHCOMING]! / state.highSpindles[node]!;
  out[at + LOCATION_SCORE] = f[n + F.LOCATION_SCORE]!;
  out[at + LOCATION_EXCLUSION_SCORE] = 0;
  out[at + RESERVED_MEM_RTOTAL] = reserved;
}
