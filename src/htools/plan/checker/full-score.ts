/**
 * The cluster score computed in full, by the plain two-pass definitions, from the checker's model.
 * Source: hbal(1) "the cluster scoring"; weights and order as in the stock programs.
 */
import { type ReplicaNode, reservedMib } from './replica.ts';

type Combination = 'deviation' | 'sum';

interface Metric {
  readonly name: string;
  readonly weight: number;
  readonly combine: Combination;
  /** Offline nodes alone count for it; otherwise online ones alone. */
  readonly isForOffline: boolean;
  readonly measure: (node: ReplicaNode) => number;
}

const share = (free: number, total: number): number => (total === 0 ? 1 : free / total);

const diskShare = (node: ReplicaNode, books: ReplicaNode['now']): number =>
  node.record.hasExclusiveStorage
    ? share(books.freeSpindles, node.record.spindles)
    : share(books.freeDiskMib, node.record.totalDiskMib);

const cpuRatio = (node: ReplicaNode, vcpus: number): number =>
  vcpus / node.record.totalCpus / node.record.cpuSpeed;

const instanceCount = (node: ReplicaNode): number => node.primaries.size + node.secondaries.size;

function surplus(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count - 1;
  return sum;
}

const online = (
  name: string,
  weight: number,
  combine: Combination,
  measure: (node: ReplicaNode) => number,
): Metric => ({ name, weight, combine, isForOffline: false, measure });

const offline = (name: string, weight: number, measure: (node: ReplicaNode) => number): Metric => ({
  name,
  weight,
  combine: 'sum',
  isForOffline: true,
  measure,
});

const reservedShare = (node: ReplicaNode): number => reservedMib(node) / node.record.totalMemMib;

const METRICS: readonly Metric[] = [
  online('free_mem_cv', 0.5, 'deviation', (n) => n.now.freeMemMib / n.record.totalMemMib),
  online('free_disk_cv', 0.5, 'deviation', (n) => diskShare(n, n.now)),
  online('n1_cnt', 1, 'sum', (n) => (n.breaksNPlusOne ? instanceCount(n) : 0)),
  online('reserved_mem_cv', 1, 'deviation', reservedShare),
  offline('offline_all_cnt', 4, instanceCount),
  offline('offline_pri_cnt', 16, (n) => n.primaries.size),
  online('vcpu_ratio_cv', 0.5, 'deviation', (n) => cpuRatio(n, n.now.vcpus)),
  online('cpu_load_cv', 1, 'deviation', (n) => n.load.cpu),
  online('mem_load_cv', 1, 'deviation', (n) => n.load.mem),
  online('disk_load_cv', 1, 'deviation', (n) => n.load.disk),
  online('net_load_cv', 1, 'deviation', (n) => n.load.net),
  online('pri_tags_score', 2, 'sum', (n) => surplus(n.exclusionTags)),
  online('spindles_cv', 0.5, 'deviation', (n) => n.now.instanceSpindles / n.spindleLimit),
  online('free_mem_cv_forth', 0.5, 'deviation', (n) => n.planned.freeMemMib / n.record.totalMemMib),
  online('free_disk_cv_forth', 0.5, 'deviation', (n) => diskShare(n, n.planned)),
  online('vcpu_ratio_cv_forth', 0.5, 'deviation', (n) => cpuRatio(n, n.planned.vcpus)),
  online('spindles_cv_forth', 0.5, 'deviation', (n) => n.planned.instanceSpindles / n.spindleLimit),
  online('location_score', 1, 'sum', (n) => n.locationPenalty),
  online('reserved_mem_rtotal', 0.25, 'sum', reservedShare),
];

/** Metrics in which nodes without storage of their own have no part, unless none has any. */
const DISK_METRICS: ReadonlySet<string> = new Set([
  'free_disk_cv',
  'spindles_cv',
  'free_disk_cv_forth',
  'spindles_cv_forth',
]);

/** Weight of location_exclusion_score, whose value is no sum of node values. */
const LOCATION_EXCLUSION_WEIGHT = 1;

/** The metric values of one node, in the order of the table; for `scoreOf`. */
export type ScoreColumns = readonly number[];

/** What one node contributes to each metric. */
export const scoreColumns = (node: ReplicaNode): ScoreColumns =>
  METRICS.map((metric) => metric.measure(node));

function total(columns: readonly ScoreColumns[], metric: number): number {
  let sum = 0;
  for (const row of columns) sum += row[metric]!;
  return sum;
}

function deviation(columns: readonly ScoreColumns[], metric: number): number {
  const mean = total(columns, metric) / columns.length;
  let squares = 0;
  for (const row of columns) squares += (row[metric]! - mean) ** 2;
  return Math.sqrt(squares / columns.length);
}

/** Instances that share both an exclusion tag and a location with another one. */
function locationExclusion(nodes: readonly ReplicaNode[]): number {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    for (const [key, count] of node.locationPairs) counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return surplus(counts);
}

/** Weights that are not the usual ones, by metric. */
export type Weights = Readonly<Partial<Record<string, number>>>;

/**
 * Score of some nodes; lower is better.
 * @param columns `scoreColumns` of each, in the same order
 * @param weights those that differ from the usual ones
 * @returns 0 without online nodes; NaN when a total is 0 on an online node
 */
export function scoreOf(
  nodes: readonly ReplicaNode[],
  columns: readonly ScoreColumns[],
  weights: Weights = {},
): number {
  const weightOf = (name: string, usual: number): number => weights[name] ?? usual;
  const onlineColumns = columns.filter((_, at) => !nodes[at]!.record.isOffline);
  const withDisk = columns.filter((_, at) => !nodes[at]!.record.isOffline && nodes[at]!.hasInternalStorage);
  const offlineColumns = columns.filter((_, at) => nodes[at]!.record.isOffline);
  if (onlineColumns.length === 0) return 0;
  let score =
    weightOf('location_exclusion_score', LOCATION_EXCLUSION_WEIGHT) *
    locationExclusion(nodes.filter((node) => !node.record.isOffline));
  METRICS.forEach((metric, at) => {
    const isOfDisks = DISK_METRICS.has(metric.name) && withDisk.length > 0;
    const rows = metric.isForOffline ? offlineColumns : isOfDisks ? withDisk : onlineColumns;
    const weight = weightOf(metric.name, metric.weight);
    score += weight * (metric.combine === 'sum' ? total(rows, at) : deviation(rows, at));
  });
  return score;
}
