/**
 * The exact score of some nodes (a group, or the whole cluster), to the last bit as the stock programs
 * compute it, and statistics that a candidate updates instead of computing them anew.
 *
 * After a trial only touched nodes are asked again, and only the metrics in which something changed are
 * combined again: two passes in node order, since the order of the additions decides the last bits, and these
 * decide between candidates that tie.
 *
 * Updating has two uses: the stock programs score pairs of nodes for a new instance in just this way, so here
 * the order of the floating-point operations is a contract; and every other search takes the updated score as
 * an estimate, within `tolerance()` of the exact one, to sort out candidates in constant time. Source: stock
 * Statistics (the formula) and Metrics (which metrics).
 */
import type { ClusterState } from '../state/state.ts';
import { diskMembers } from './disk-membership.ts';
import { contributionsOf, LOCATION_EXCLUSION_SCORE, METRIC_COUNT, METRICS } from './metrics.ts';

/** Additions in one sum of an estimated score beside those over nodes; generous. For tolerances. */
export const FURTHER_ADDITIONS = 64;

/** Nodes that a candidate changes at most. */
const MOST_CHANGED = 3;

/** Metrics whose combination is a standard deviation: 1, else 0. */
export const IS_DEVIATION = Uint8Array.from(METRICS, (m) => (m.combination === 'deviation' ? 1 : 0));
const COUNTS_ONLINE = Uint8Array.from(METRICS, (m) => (m.online ? 1 : 0));

/** Sums and variances per metric; for metrics that are sums only the first counts. */
export class Statistics {
  private readonly weights: Float64Array;
  readonly sums = new Float64Array(METRIC_COUNT);
  readonly variances = new Float64Array(METRIC_COUNT);
  readonly counts = new Float64Array(METRIC_COUNT);

  constructor({ weights }: Pick<ClusterState, 'weights'>) {
    this.weights = weights;
  }

  copyFrom(other: Statistics): void {
    this.sums.set(other.sums);
    this.variances.set(other.variances);
    this.counts.set(other.counts);
  }

  /** Takes one node's contribution out and another in. Rows hold METRIC_COUNT numbers each. */
  replace(isOnline: boolean, rows: Float64Array, at: number, newRows: Float64Array, newAt: number): void {
    const wanted = isOnline ? 1 : 0;
    const { sums, variances, counts } = this;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (COUNTS_ONLINE[m] !== wanted) continue;
      const x = rows[at + m]!;
      const y = newRows[newAt + m]!;
      if (IS_DEVIATION[m]) variances[m] = updatedVariance(counts[m]!, sums[m]!, variances[m]!, x, y);
      sums[m]! += y - x;
    }
  }

  /** The weighted sum. @param crowding value of the one metric that is no matter of single nodes */
  score(crowding: number): number {
    let score = 0;
    for (let m = 0; m < METRIC_COUNT; m++) score += this.weights[m]! * this.value(m, crowding);
    return score;
  }

  value(m: number, crowding: number): number {
    if (m === LOCATION_EXCLUSION_SCORE) return crowding;
    return IS_DEVIATION[m] ? Math.sqrt(this.variances[m]!) : this.sums[m]!;
  }
}

/** Variance after x became y among `count` values with that sum. Never negative; 0 for no number. */
export function updatedVariance(count: number, sum: number, variance: number, x: number, y: number): number {
  const change = y - x;
  const squares = y * y - x * x;
  const scaled = count * squares - 2 * sum * change - change * change;
  const updated = variance + scaled / (count * count);
  return updated >= 0 ? updated : 0;
}

/** Room for the contributions of all nodes: `rows[node * METRIC_COUNT + metric]`. */
export const nodeRows = ({ nodeCount }: Pick<ClusterState, 'nodeCount'>): Float64Array =>
  new Float64Array(nodeCount * METRIC_COUNT);

/** Statistics of a part of the cluster as the state stands, and the contributions in them. */
export class ScopeStatistics {
  private readonly combined: Statistics;
  /** Whether they are those of the contributions as they stand; 1 for the metrics that are not. */
  private isCombined = false;
  private readonly isChanged = new Uint8Array(METRIC_COUNT).fill(1);
  private readonly row = new Float64Array(METRIC_COUNT);
  /** 1 for the nodes of this part. */
  readonly isScored: Uint8Array;
  readonly groups: readonly number[];
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
    this.groups = [...new Set(nodes.map((n) => state.groupOf[n]!))];
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
      contributionsOf(this.state, n, row, 0);
      this.leaveOut(n, row, 0);
      const at = n * METRIC_COUNT;
      for (let m = 0; m < METRIC_COUNT; m++) {
        if (rows[at + m] === row[m]) continue;
        rows[at + m] = row[m]!;
        isChanged[m] = 1;
      }
    }
    this.isCombined = false;
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
    return this.state.tags.crowdingOf(this.groups);
  }

  /** Whether a metric is not a number, so that updates say nothing about the exact score. */
  get isUndefined(): boolean {
    const { sums, variances } = this.now;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (!Number.isFinite(sums[m]!) || (IS_DEVIATION[m] && !Number.isFinite(variances[m]!))) return true;
    }
    return false;
  }

  /** First the mean, then the squares, in node order: as the stock programs add them up. */
  private combine(m: number): void {
    const { rows } = this;
    const places = this.counted[m]!;
    this.isChanged[m] = 0;
    this.combined.counts[m] = places.length;
    let sum = 0;
    for (let k = 0; k < places.length; k++) sum += rows[places[k]! * METRIC_COUNT + m]!;
    this.combined.sums[m] = sum;
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
    const { nodes, now, rows, state } = this;
    const rounding = (nodes.length + FURTHER_ADDITIONS) * Number.EPSILON;
    let tolerance = 0;
    let score = 0;
    for (let m = 0; m < METRIC_COUNT; m++) {
      const weight = state.weights[m]!;
      let low = 0;
      let high = 0;
      let size = 0;
      for (const node of COUNTS_ONLINE[m] ? this.online : this.offline) {
        const value = rows[node * METRIC_COUNT + m]!;
        if (value < low) low = value;
        if (value > high) high = value;
        size += Math.abs(value);
      }
      let largest = Math.max(high, -low);
      for (const other of newRows)
        for (const node of candidates) largest = Math.max(largest, Math.abs(other[node * METRIC_COUNT + m]!));
      if (IS_DEVIATION[m]) {
        const error = rounding * largest ** 2;
        const least = now.variances[m]! - (1.25 * MOST_CHANGED * (high - low) ** 2) / now.counts[m]!;
        tolerance += weight * (least > 2 * error ? error / Math.sqrt(least - error) : Math.sqrt(error));
        score += weight * largest;
      } else {
        const sum = size + MOST_CHANGED * largest;
        tolerance += weight * rounding * sum;
        score += weight * sum;
      }
    }
    return tolerance + METRIC_COUNT * Number.EPSILON * score;
  }
}
