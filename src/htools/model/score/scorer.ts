/**
 * The exact score of some nodes (a group, or the whole cluster), to the last bit as the stock programs
 * compute it, and what it comes to at least.
 *
 * After a trial only touched nodes are asked again, and only the metrics in which something changed are
 * combined again: two passes in node order, since the order of the additions decides the last bits, and these
 * decide between candidates that tie. Source: stock Metrics.
 */
import type { ClusterState } from '../state/state.ts';
import { contributionsOf, METRIC_COUNT, METRICS, RESERVED_MEM_RTOTAL } from './metrics.ts';
import { FURTHER_ADDITIONS, IS_DEVIATION, Statistics } from './statistics.ts';

/**
 * Of the online nodes scored those that take part in the metrics of disks; undefined when all do. A node
 * without internal storage is well balanced as far as disk goes; where all nodes have some, or none has, the
 * metrics are exactly the stock ones. Source: docs/why/storage.md, "Score".
 */
export function diskMembers(state: ClusterState, online: readonly number[]): readonly number[] | undefined {
  const lacks = state.storage?.lacksInternal;
  if (!lacks) return undefined;
  const members = online.filter((n) => lacks[n] === 0);
  return members.length === 0 || members.length === online.length ? undefined : members;
}

/** Nodes that a candidate changes at most. */
const MOST_CHANGED = 3;

/** Room for the contributions of all nodes: `rows[node * METRIC_COUNT + metric]`. */
export const nodeRows = ({ nodeCount }: Pick<ClusterState, 'nodeCount'>): Float64Array =>
  new Float64Array(nodeCount * METRIC_COUNT);

/** Statistics of a part of the cluster as the state stands, and the contributions in them. */
export class Scorer {
  private readonly combined: Statistics;
  /** Whether they are those of the contributions as they stand; 1 for the metrics that are not. */
  private isCombined = false;
  private readonly isChanged = new Uint8Array(METRIC_COUNT).fill(1);
  /** Of the contributions to each metric: the lowest and the highest, or 0, and the sum of their sizes. */
  private readonly low = new Float64Array(METRIC_COUNT);
  private readonly high = new Float64Array(METRIC_COUNT);
  private readonly sizes = new Float64Array(METRIC_COUNT);
  private readonly row = new Float64Array(METRIC_COUNT);
  /** 1 for the nodes of this part. */
  readonly isScored: Uint8Array;
  /** Where the tags' index counts what shares locations. */
  private readonly part: number;
  private readonly online: readonly number[];
  private readonly offline: readonly number[];
  /** Those that take part in the metrics of disks; undefined when all do. */
  private readonly withDisks: ReadonlySet<number> | undefined;
  /** The nodes that count for each metric, in order. */
  readonly counted: readonly (readonly number[])[];

  /** @param rows where contributions are kept; parts without a common node may share them */
  constructor(
    readonly state: ClusterState,
    /** Positions, ascending. */
    readonly nodes: readonly number[],
    /** Contributions per node: `rows[node * METRIC_COUNT + metric]`. */
    readonly rows: Float64Array = nodeRows(state),
  ) {
    this.online = nodes.filter((n) => !state.isOffline[n]);
    this.offline = nodes.filter((n) => state.isOffline[n]);
    const members = diskMembers(state, this.online);
    this.withDisks = members && new Set(members);
    this.counted = METRICS.map(({ online, isOfDisks }) => {
      if (!online) return this.offline;
      return isOfDisks ? (members ?? this.online) : this.online;
    });
    this.part = state.tags.partOf(new Set(nodes.map((n) => state.groupOf[n]!)));
    this.isScored = new Uint8Array(state.nodeCount);
    this.combined = new Statistics(state);
    for (const n of nodes) this.isScored[n] = 1;
    this.refresh(nodes);
  }

  /** Added up only when asked for: of many states nobody asks. */
  get now(): Statistics {
    for (let m = 0; m < METRIC_COUNT && !this.isCombined; m++) if (this.isChanged[m] === 1) this.combine(m);
    this.isCombined = true;
    return this.combined;
  }

  /** Takes over what changed on these nodes; nodes of other parts are passed over. */
  refresh(changed: readonly number[]): void {
    const { isChanged, row, rows } = this;
    for (const n of changed) {
      if (!this.isScored[n]) continue;
      this.contributionsOf(n, row, 0);
      const at = n * METRIC_COUNT;
      for (let m = 0; m < METRIC_COUNT; m++) {
        if (rows[at + m] === row[m]) continue;
        rows[at + m] = row[m]!;
        isChanged[m] = 1;
      }
    }
    this.isCombined = false;
  }

  /** Writes what a node contributes as the state stands. */
  contributionsOf(node: number, rows: Float64Array, at: number): void {
    contributionsOf(this.state, node, rows, at);
    this.leaveOut(node, rows, at);
  }

  /** Sets to 0 what counts in metrics that the node has no part in: exchanging that changes nothing. */
  leaveOut(node: number, rows: Float64Array, at: number): void {
    if (!this.withDisks || this.withDisks.has(node)) return;
    for (let m = 0; m < METRIC_COUNT; m++) if (METRICS[m]!.isOfDisks) rows[at + m] = 0;
  }

  /** Whether no node is online, so that there is nothing to score. */
  get isEmpty(): boolean {
    return this.online.length === 0;
  }

  crowding(): number {
    return this.state.tags.crowding[this.part]!;
  }

  /** Whether a metric is not a number, so that updates say nothing about the exact score. */
  get isUndefined(): boolean {
    const { sums, variances } = this.now;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (!Number.isFinite(sums[m]!) || (IS_DEVIATION[m] && !Number.isFinite(variances[m]!))) return true;
    }
    return false;
  }

  /** Value of each metric now. */
  get values(): Float64Array {
    const crowding = this.crowding();
    return Float64Array.from(METRICS, (_, m) => this.now.value(m, crowding));
  }

  /** First the mean, then the squares, in node order: as the stock programs add them up. */
  private combine(m: number): void {
    const { rows } = this;
    const places = this.counted[m]!;
    this.isChanged[m] = 0;
    this.combined.counts[m] = places.length;
    let sum = 0;
    let low = 0;
    let high = 0;
    let size = 0;
    for (let k = 0; k < places.length; k++) {
      const value = rows[places[k]! * METRIC_COUNT + m]!;
      sum += value;
      if (value < low) low = value;
      if (value > high) high = value;
      size += Math.abs(value);
    }
    this.combined.sums[m] = sum;
    this.low[m] = low;
    this.high[m] = high;
    this.sizes[m] = size;
    if (!IS_DEVIATION[m]) return;
    const mean = sum / places.length;
    let squares = 0;
    for (let k = 0; k < places.length; k++) {
      const d = rows[places[k]! * METRIC_COUNT + m]! - mean;
      squares += d * d;
    }
    this.combined.variances[m] = squares / places.length;
  }

  /** To the last bit that of the stock programs; 0 where no node is online, as there. */
  get score(): number {
    return this.isEmpty ? 0 : this.now.score(this.crowding());
  }

  /** Score after a change to these nodes, or NaN where it is refused. The state is as before afterwards. */
  scoreAfter(touched: readonly number[], change: () => boolean): number {
    const { journal } = this.state;
    const mark = journal.mark();
    const isMade = change();
    if (isMade) this.refresh(touched);
    const score = isMade ? this.score : Number.NaN;
    journal.rollback(mark);
    if (isMade) this.refresh(touched);
    return score;
  }

  /**
   * How far an updated score may be from the exact one, for candidates that change a few nodes. A variance
   * errs by at most about (n + 64) units in the last place of the largest square among its values, old and
   * new, and |sqrt(a) - sqrt(b)| <= sqrt|a - b|, or |a - b| / sqrt(c) where both are at least c. Without k
   * values that lie within a range R, the squares' sum is lower by 5/4 k R^2 at most; new ones only raise it.
   * @param newRows contributions that candidates may put in, as long as the rows of `candidates`
   */
  tolerance(newRows: readonly Float64Array[], candidates: readonly number[]): number {
    const { high, low, nodes, sizes, state } = this;
    const rounding = (nodes.length + FURTHER_ADDITIONS) * Number.EPSILON;
    const { variances, counts } = this.now;
    const largest = high.map((most, m) => Math.max(most, -low[m]!));
    for (const other of newRows) raiseToLargest(largest, other, candidates);
    let tolerance = 0;
    let score = 0;
    for (let m = 0; m < METRIC_COUNT; m++) {
      const weight = state.weights[m]!;
      if (IS_DEVIATION[m]) {
        const error = rounding * largest[m]! ** 2;
        const most = 1.25 * MOST_CHANGED * (high[m]! - low[m]!) ** 2;
        const least = variances[m]! - most / counts[m]!;
        tolerance += weight * (least > 2 * error ? error / Math.sqrt(least - error) : Math.sqrt(error));
        score += weight * largest[m]!;
      } else {
        const sum = sizes[m]! + MOST_CHANGED * largest[m]!;
        tolerance += weight * rounding * sum;
        score += weight * sum;
      }
    }
    return tolerance + METRIC_COUNT * Number.EPSILON * score;
  }
}

/** Per metric: raises `largest` to the largest absolute value of these nodes. */
function raiseToLargest(largest: Float64Array, rows: Float64Array, nodes: readonly number[]): void {
  for (const n of nodes) {
    for (let m = 0, at = n * METRIC_COUNT; m < METRIC_COUNT; m++, at++)
      largest[m] = Math.max(largest[m]!, Math.abs(rows[at]!));
  }
}

/** Score of the given nodes, computed from nothing. */
export const scoreOf = (state: ClusterState, nodes: readonly number[]): number =>
  new Scorer(state, nodes).score;

/** Lower bound of the score by N+1 reservations; 0 for fewer than two nodes. Source: stock optimalCVScore. */
export function optimalScore(state: ClusterState, nodes: readonly number[]): number {
  if (nodes.length < 2) return 0;
  let totalMem = 0;
  let largest = Number.NEGATIVE_INFINITY;
  let reserved = 0;
  for (const n of nodes) {
    totalMem += state.totalMem[n]!;
    largest = Math.max(largest, state.totalMem[n]!);
    reserved += reservedOn(state, n);
  }
  const withoutLargest = totalMem - largest;
  if (!(withoutLargest > 0)) return 0;
  return state.weights[RESERVED_MEM_RTOTAL]! * (reserved / withoutLargest - reserved / totalMem);
}

/** Memory (MiB) that a node reserves for all its peers together. */
function reservedOn(state: ClusterState, node: number): number {
  const primaries = new Set(state.secondaries[node]!.map((i) => state.reservedFor(i)));
  let reserved = 0;
  for (const primary of primaries) reserved += state.peers.get(node, primary);
  return reserved;
}
