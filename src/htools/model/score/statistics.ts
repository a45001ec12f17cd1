/**
 * Sums and variances of the metrics, which a candidate updates instead of computing them anew.
 *
 * Updating has two uses: the stock programs score pairs of nodes for a new instance in just this way, so here
 * the order of the floating-point operations is a contract; and every other search takes the updated score as
 * an estimate, within `Scorer.tolerance()` of the exact one, to sort out candidates in constant time. Source:
 * stock Statistics (the formula).
 */
import type { ClusterState } from '../state/state.ts';
import { LOCATION_EXCLUSION_SCORE, METRIC_COUNT, METRICS } from './metrics.ts';

/** Additions in one sum of an estimated score beside those over nodes; generous. For tolerances. */
export const FURTHER_ADDITIONS = 64;

/** Metrics whose combination is a standard deviation: 1, else 0. */
export const IS_DEVIATION = Uint8Array.from(METRICS, (m) => (m.combination === 'deviation' ? 1 : 0));
/** Metrics of online nodes: 1, else 0. */
export const COUNTS_ONLINE = Uint8Array.from(METRICS, (m) => (m.online ? 1 : 0));

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

  /** What the score would be with one node's contribution out and another in. Nothing changes. */
  scoreWith(
    isOnline: boolean,
    rows: Float64Array,
    newRows: Float64Array,
    at: number,
    crowding: number,
  ): number {
    const wanted = isOnline ? 1 : 0;
    const { sums, variances, counts, weights } = this;
    let score = 0;
    for (let m = 0; m < METRIC_COUNT; m++) {
      const x = rows[at + m]!;
      const y = COUNTS_ONLINE[m] === wanted ? newRows[at + m]! : x;
      if (x === y) score += weights[m]! * this.value(m, crowding);
      else if (IS_DEVIATION[m])
        score += weights[m]! * Math.sqrt(updatedVariance(counts[m]!, sums[m]!, variances[m]!, x, y));
      else score += weights[m]! * (sums[m]! + (y - x));
    }
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
