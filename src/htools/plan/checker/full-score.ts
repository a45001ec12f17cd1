/**
 * The cluster score by the plain two-pass definitions, from the checker's model.
 * Source: hbal(1) "the cluster scoring"; weights and order as in the stock programs.
 */
import { kept } from '../../../kit/kept.ts';
import { countOn, type ReplicaNode, reservedMib } from './replica.ts';

/**
 * Sum or deviation of what the online nodes measure; with "offline" of the offline ones, with "disk" of those
 * that have storage of their own, unless none has any.
 */
type Combination = 'sum' | 'deviation' | 'offline sum' | 'disk deviation';

type Metric = readonly [
  name: string,
  weight: number,
  combination: Combination,
  measure: (node: ReplicaNode) => number,
];

const share = (free: number, total: number): number => (total === 0 ? 1 : free / total);

const diskShare = (node: ReplicaNode, books: ReplicaNode['now']): number =>
  node.record.hasExclusiveStorage
    ? share(books.freeSpindles, node.record.spindles)
    : share(books.freeDiskMib, node.record.totalDiskMib);

const cpuRatio = (node: ReplicaNode, vcpus: number): number =>
  vcpus / node.record.totalCpus / node.record.cpuSpeed;

/** Of several with one tag all but the first. */
const surplusOf = (count: number): number => Math.max(0, count - 1);

const surplus = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + surplusOf(count), 0);

const reservedShare = (node: ReplicaNode): number => reservedMib(node) / node.record.totalMemMib;

const METRICS: readonly Metric[] = [
  ['free_mem_cv', 0.5, 'deviation', (n) => n.now.freeMemMib / n.record.totalMemMib],
  ['free_disk_cv', 0.5, 'disk deviation', (n) => diskShare(n, n.now)],
  ['n1_cnt', 1, 'sum', (n) => (n.breaksNPlusOne ? countOn(n) : 0)],
  ['reserved_mem_cv', 1, 'deviation', reservedShare],
  ['offline_all_cnt', 4, 'offline sum', countOn],
  ['offline_pri_cnt', 16, 'offline sum', (n) => n.primaries.size],
  ['vcpu_ratio_cv', 0.5, 'deviation', (n) => cpuRatio(n, n.now.vcpus)],
  ['cpu_load_cv', 1, 'deviation', (n) => n.load.cpu],
  ['mem_load_cv', 1, 'deviation', (n) => n.load.mem],
  ['disk_load_cv', 1, 'deviation', (n) => n.load.disk],
  ['net_load_cv', 1, 'deviation', (n) => n.load.net],
  ['pri_tags_score', 2, 'sum', (n) => surplus(n.exclusionTags)],
  ['spindles_cv', 0.5, 'disk deviation', (n) => n.now.instanceSpindles / n.spindleLimit],
  ['free_mem_cv_forth', 0.5, 'deviation', (n) => n.planned.freeMemMib / n.record.totalMemMib],
  ['free_disk_cv_forth', 0.5, 'disk deviation', (n) => diskShare(n, n.planned)],
  ['vcpu_ratio_cv_forth', 0.5, 'deviation', (n) => cpuRatio(n, n.planned.vcpus)],
  ['spindles_cv_forth', 0.5, 'disk deviation', (n) => n.planned.instanceSpindles / n.spindleLimit],
  ['location_score', 1, 'sum', (n) => n.locationPenalty],
  ['reserved_mem_rtotal', 0.25, 'sum', reservedShare],
];

/** Weight of location_exclusion_score, whose value is no sum of node values. */
const LOCATION_EXCLUSION_WEIGHT = 1;

/** What one node contributes to each metric, in the order of the table. */
type ScoreColumns = readonly number[];

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

/** The score of some nodes, kept up to date node by node. */
export class FullScore {
  private readonly columns = new Map<number, ScoreColumns>();
  /** What the online nodes were counted with. */
  private readonly pairsOf = new Map<number, Map<string, number>>();
  /** Primaries of online nodes with an exclusion tag in a location, by both. */
  private readonly pairs = new Map<string, number>();
  private locationExclusion = 0;

  /** @param weights those that differ from the usual ones */
  constructor(
    private readonly nodes: readonly ReplicaNode[],
    positions: readonly number[],
    private readonly weights: Readonly<Partial<Record<string, number>>> = {},
  ) {
    for (const position of positions) this.take(position);
  }

  /** Takes over what these have become; those that do not count are passed over. */
  refresh(positions: readonly number[]): void {
    for (const position of positions) if (this.columns.has(position)) this.take(position);
  }

  private take(position: number): void {
    const node = this.nodes[position]!;
    const columns = METRICS.map(([, , , measure]) => measure(node));
    this.columns.set(position, columns);
    if (node.record.isOffline) return;
    const known = kept(this.pairsOf, position, () => new Map<string, number>());
    const { locationPairs } = node;
    for (const key of known.keys()) if (!locationPairs.has(key)) this.recount(known, key, 0);
    for (const [key, count] of locationPairs) this.recount(known, key, count);
  }

  /** A step changes few pairs of its nodes. */
  private recount(known: Map<string, number>, key: string, count: number): void {
    const before = known.get(key) ?? 0;
    if (count === before) return;
    this.count(key, count - before);
    if (count > 0) known.set(key, count);
    else known.delete(key);
  }

  private count(key: string, change: number): void {
    const before = this.pairs.get(key) ?? 0;
    this.pairs.set(key, before + change);
    this.locationExclusion += surplusOf(before + change) - surplusOf(before);
  }

  /** Lower is better. @returns 0 without online nodes; NaN when a total is 0 on an online node */
  score(): number {
    const rows = [...this.columns].map(([position, columns]) => ({ node: this.nodes[position]!, columns }));
    const columnsOf = (counts: (node: ReplicaNode) => boolean): readonly ScoreColumns[] =>
      rows.filter(({ node }) => counts(node)).map(({ columns }) => columns);
    const weightOf = (name: string, usual: number): number => this.weights[name] ?? usual;
    const offline = columnsOf(({ record }) => record.isOffline);
    const online = columnsOf(({ record }) => !record.isOffline);
    const withDisk = columnsOf(({ record, hasInternalStorage }) => !record.isOffline && hasInternalStorage);
    if (online.length === 0) return 0;
    let score = weightOf('location_exclusion_score', LOCATION_EXCLUSION_WEIGHT) * this.locationExclusion;
    METRICS.forEach(([name, usual, combination], at) => {
      const isOfDisks = combination === 'disk deviation' && withDisk.length > 0;
      const part = combination === 'offline sum' ? offline : isOfDisks ? withDisk : online;
      const value = combination.endsWith('sum') ? total(part, at) : deviation(part, at);
      score += weightOf(name, usual) * value;
    });
    return score;
  }
}
