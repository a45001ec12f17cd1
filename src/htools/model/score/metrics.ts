/**
 * The metrics of the cluster score: name, usual weight, how the nodes' contributions are combined, and which
 * nodes count.
 *
 * One table; docs/metrics.md explains each. The order is that of stock's coefficient table and matters: the
 * score is summed in it; stock/metric-weights.ts has the same. Source: hbal(1) "CLUSTER SCORING"; stock
 * Metrics.
 */
import { METRIC_WEIGHTS, type MetricName } from '../../cluster/metric-weights.ts';
import * as F from '../state/node-fields.ts';
import type { ClusterState } from '../state/state.ts';

/** How contributions are combined: standard deviation, plain sum, or crowding of tags in locations. */
export type Combination = 'deviation' | 'sum' | 'crowding';

export interface Metric<Name extends string = string> {
  readonly name: Name;
  /** Its usual weight; a cluster's own are in its state. */
  readonly weight: number;
  readonly combination: Combination;
  /** Whether online nodes count, or offline ones. */
  readonly online: boolean;
}

const metric = <N extends MetricName>(name: N, combination: Combination, online = true): Metric<N> => ({
  name,
  weight: METRIC_WEIGHTS[name],
  combination,
  online,
});

const TABLE = [
  metric('free_mem_cv', 'deviation'),
  metric('free_disk_cv', 'deviation'),
  metric('n1_cnt', 'sum'),
  metric('reserved_mem_cv', 'deviation'),
  metric('offline_all_cnt', 'sum', false),
  metric('offline_pri_cnt', 'sum', false),
  metric('vcpu_ratio_cv', 'deviation'),
  metric('cpu_load_cv', 'deviation'),
  metric('mem_load_cv', 'deviation'),
  metric('disk_load_cv', 'deviation'),
  metric('net_load_cv', 'deviation'),
  metric('pri_tags_score', 'sum'),
  metric('spindles_cv', 'deviation'),
  metric('free_mem_cv_forth', 'deviation'),
  metric('free_disk_cv_forth', 'deviation'),
  metric('vcpu_ratio_cv_forth', 'deviation'),
  metric('spindles_cv_forth', 'deviation'),
  metric('location_score', 'sum'),
  metric('location_exclusion_score', 'crowding'),
  metric('reserved_mem_rtotal', 'sum'),
] as const;

export const METRICS: readonly Metric[] = TABLE;

export const METRIC_COUNT = METRICS.length;

/** Number of a metric: its place in the table. */
const numberOf = (name: (typeof TABLE)[number]['name']): number =>
  METRICS.findIndex((one) => one.name === name);

export const FREE_MEM_CV = numberOf('free_mem_cv');
export const FREE_DISK_CV = numberOf('free_disk_cv');
export const N1_CNT = numberOf('n1_cnt');
export const RESERVED_MEM_CV = numberOf('reserved_mem_cv');
export const OFFLINE_ALL_CNT = numberOf('offline_all_cnt');
export const OFFLINE_PRI_CNT = numberOf('offline_pri_cnt');
export const VCPU_RATIO_CV = numberOf('vcpu_ratio_cv');
export const CPU_LOAD_CV = numberOf('cpu_load_cv');
export const MEM_LOAD_CV = numberOf('mem_load_cv');
export const DISK_LOAD_CV = numberOf('disk_load_cv');
export const NET_LOAD_CV = numberOf('net_load_cv');
export const PRI_TAGS_SCORE = numberOf('pri_tags_score');
export const SPINDLES_CV = numberOf('spindles_cv');
export const FREE_MEM_CV_FORTH = numberOf('free_mem_cv_forth');
export const FREE_DISK_CV_FORTH = numberOf('free_disk_cv_forth');
export const VCPU_RATIO_CV_FORTH = numberOf('vcpu_ratio_cv_forth');
export const SPINDLES_CV_FORTH = numberOf('spindles_cv_forth');
export const LOCATION_SCORE = numberOf('location_score');
export const LOCATION_EXCLUSION_SCORE = numberOf('location_exclusion_score');
export const RESERVED_MEM_RTOTAL = numberOf('reserved_mem_rtotal');

/** Share of a node's disk (or spindles, under exclusive storage) that is free; 1 where it has none at all. */
function freeShare(free: number, total: number): number {
  return total === 0 ? 1 : free / total;
}

/**
 * Writes what one node contributes to each metric into `out` at `at`, METRIC_COUNT numbers.
 * Crowding is no matter of one node; its place gets 0.
 */
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
