/**
 * What each node changes in each metric when an instance comes to it as primary or as secondary, kept from
 * one instance of a size to the next and renewed for the nodes that changed, with the statistics that the
 * changes are to be seen against.
 *
 * A variance in which one value changes from x to y becomes V + (n(y^2 - x^2) - 2S(y - x) - (y - x)^2) / n^2,
 * with the sum S and the number n of the values: so the differences of the values and of their squares are
 * kept. The statistics start as stock's and follow each change in this way, since adding up all nodes again
 * would cost more than the search; `error` says how far they may be off.
 */
import { rowWithPrimary, rowWithSecondary } from '../../../model/moves/arrival-rows.ts';
import {
  LOCATION_EXCLUSION_SCORE,
  METRIC_COUNT,
  METRICS,
  N1_CNT,
  TWINS,
} from '../../../model/score/metrics.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import { FURTHER_ADDITIONS, IS_DEVIATION, updatedVariance } from '../../../model/score/statistics.ts';
import type { ClusterState } from '../../../model/state/state.ts';

/** Whether tags of the instance itself make metrics of locations follow it to its node. */
export function followsLocations(state: ClusterState, i: number): boolean {
  const { exclusionTags, desiredLocationTags } = state.instanceRecord(i);
  return state.tags.hasLocations && exclusionTags.length + desiredLocationTags.length > 0;
}

interface RoleColumns {
  /** Contributions with the instance: `rows[node * METRIC_COUNT + metric]`. */
  readonly rows: Float64Array;
  /** What a value and its square change by: `[metric][node]`. */
  readonly change: readonly Float64Array[];
  readonly squares: readonly Float64Array[];
}

export class RoleChanges {
  readonly primary: RoleColumns;
  /** As secondary of a primary for which the node reserves nothing yet. */
  readonly secondary: RoleColumns;
  /** Sums and variances of the metrics over the nodes that count, and their number. */
  readonly sums = new Float64Array(METRIC_COUNT);
  readonly variances = new Float64Array(METRIC_COUNT);
  readonly counts = new Float64Array(METRIC_COUNT);
  private readonly state: ClusterState;
  /** The contributions that the sums are of. */
  private readonly values: Float64Array;
  /** Nodes whose values were replaced since the sums were added up, and by how much these changed. */
  private replaced = 0;
  private readonly travelled = new Float64Array(METRIC_COUNT);
  /** Largest variance since then, and largest value that any node has had, old or new. */
  private readonly largest = new Float64Array(METRIC_COUNT);
  private readonly magnitude = new Float64Array(METRIC_COUNT);
  /** 1 for nodes whose columns are up to date. */
  private readonly isKnown: Uint8Array;
  /** 1 where the metrics of a pair of twins differ on a node: `[twin * nodeCount + node]`. */
  private readonly differs: Uint8Array;
  private readonly differing = new Int32Array(TWINS.length);

  constructor(
    readonly scorer: Scorer,
    private readonly hasSecondaries: boolean,
  ) {
    const n = scorer.state.nodeCount;
    const columns = (): Float64Array[] => METRICS.map(() => new Float64Array(n));
    const role = (): RoleColumns => ({
      rows: new Float64Array(n * METRIC_COUNT),
      change: columns(),
      squares: columns(),
    });
    this.state = scorer.state;
    this.values = new Float64Array(n * METRIC_COUNT);
    this.primary = role();
    this.secondary = role();
    this.isKnown = new Uint8Array(n);
    this.differs = new Uint8Array(n * TWINS.length);
  }

  /**
   * Takes over what these nodes contribute, and forgets what an instance would change on them.
   * @param isAnew whether the statistics are added up again
   * @param isAll whether nothing that is known of others is about an instance of this size
   */
  update(changed: readonly number[], isAnew: boolean, isAll: boolean): void {
    const { rows } = this.scorer;
    if (isAnew) this.addUp();
    else this.follow(changed);
    if (isAll) this.isKnown.fill(0);
    for (const n of changed) {
      this.isKnown[n] = 0;
      this.updateTwins(n);
      for (let m = 0; m < METRIC_COUNT; m++)
        this.magnitude[m] = Math.max(this.magnitude[m]!, Math.abs(rows[n * METRIC_COUNT + m]!));
    }
  }

  /** Whether no metric is undefined. */
  get areDefined(): boolean {
    return this.sums.every(Number.isFinite) && this.variances.every(Number.isFinite);
  }

  /**
   * How far the score may be off as stock adds it up from the metrics, and no home changes it: each product
   * and each sum that is not the one before is rounded by half a unit in its last place.
   */
  scoreError(): number {
    const { weights } = this.state;
    let score = 0;
    let rounded = 0;
    for (let m = 0; m < METRIC_COUNT; m++) {
      const part = weights[m]! * (IS_DEVIATION[m] ? Math.sqrt(this.variances[m]!) : this.sums[m]!);
      score += part;
      if (part !== 0 || IS_DEVIATION[m] || m === N1_CNT) rounded += score + part;
    }
    return (Number.EPSILON / 2) * rounded;
  }

  /** Finds what the instance changes on these nodes. What is known of others must be about the same size. */
  know(i: number, nodes: readonly number[]): void {
    const { state, scorer, primary, secondary, magnitude } = this;
    const roles = this.hasSecondaries ? [primary, secondary] : [primary];
    for (const n of nodes) {
      if (this.isKnown[n]) continue;
      this.isKnown[n] = 1;
      const at = n * METRIC_COUNT;
      rowWithPrimary(state, i, n, 0, primary.rows, at);
      if (this.hasSecondaries) rowWithSecondary(state, i, n, n, secondary.rows, at);
      for (const role of roles) {
        scorer.leaveOut(n, role.rows, at);
        for (let m = 0; m < METRIC_COUNT; m++)
          magnitude[m] = Math.max(magnitude[m]!, replace(role, m, n, scorer.rows[at + m]!));
      }
    }
  }

  /** Statistics as stock has them. */
  private addUp(): void {
    const { rows, now } = this.scorer;
    this.sums.set(now.sums);
    this.sums[LOCATION_EXCLUSION_SCORE] = this.scorer.crowding();
    this.variances.set(now.variances);
    this.counts.set(now.counts);
    this.values.set(rows);
    this.largest.set(now.variances);
    this.travelled.fill(0);
    this.replaced = 0;
  }

  private follow(changed: readonly number[]): void {
    const { sums, variances, values, counts, largest, travelled } = this;
    const { rows } = this.scorer;
    this.replaced += changed.length;
    for (const n of changed) {
      for (let m = 0, at = n * METRIC_COUNT; m < METRIC_COUNT; m++, at++) {
        const x = values[at]!;
        const y = rows[at]!;
        if (x === y || !METRICS[m]!.online) continue;
        if (IS_DEVIATION[m]) variances[m] = updatedVariance(counts[m]!, sums[m]!, variances[m]!, x, y);
        sums[m]! += y - x;
        values[at] = y;
        travelled[m]! += Math.abs(y - x);
        if (variances[m]! > largest[m]!) largest[m] = variances[m]!;
      }
    }
  }

  /**
   * How far a variance that a pair leads to may be from stock's. Each addition of a square, and each update,
   * rounds the variance. The sum of n values up to M may be off by n^2 M units in the last place, which
   * counts with 2d/n^2 where a value changes by d. What else is rounded in an update is of the order M^2/n.
   */
  private error(m: number): number {
    const count = this.counts[m]!;
    const magnitude = this.magnitude[m]!;
    const ofSquares = (count + this.replaced) * this.largest[m]!;
    const ofSum = 2 * magnitude * this.travelled[m]!;
    const further = FURTHER_ADDITIONS * magnitude ** 2;
    return Number.EPSILON * (ofSquares + (ofSum + further) * (1 + this.replaced / count));
  }

  /**
   * How far that deviation may be off: the error of its variance over itself, or the root of that where it
   * may be zero.
   */
  deviationError(m: number, leastVariance: number): number {
    const error = this.error(m);
    return leastVariance > error ? error / Math.sqrt(leastVariance) : Math.sqrt(error);
  }

  /**
   * The same but for what the deviation before is off by, which does not matter between two pairs: the error
   * of the variance counts as far as they shift it. Their own are those of a few additions to it, and of the
   * sum, which may be off by EPSILON n^2 M, times 2d/n^2.
   * @param shift largest shift of the variance @param change largest change of the values, both added up
   */
  distanceError(m: number, leastVariance: number, shift: number, change: number): number {
    const variance = this.variances[m]!;
    const common = this.error(m);
    const least = Math.min(variance, leastVariance);
    if (least <= 2 * common) return this.deviationError(m, leastVariance) + this.deviationError(m, variance);
    const count = this.counts[m]!;
    const magnitude = this.magnitude[m]!;
    const ofSum = 2 * change * magnitude * (1 + this.replaced / count);
    const further = FURTHER_ADDITIONS * (variance + shift + magnitude ** 2 / count);
    const own = Number.EPSILON * (ofSum + further);
    return (own + (common * shift) / least) / Math.sqrt(least);
  }

  /**
   * How far a deviation may be off that stock adds up: each addition rounds the sum of the squares by half a
   * unit in its last place, and a mean that is off counts by its square.
   */
  sumError(m: number, variance: number): number {
    const count = this.counts[m]!;
    const deviation = Math.sqrt(Math.max(0, variance));
    const ofMean = Number.EPSILON * count * this.magnitude[m]!;
    return (
      (Number.EPSILON / 4) * (count + FURTHER_ADDITIONS) * deviation +
      (ofMean < deviation ? ofMean ** 2 / deviation : ofMean)
    );
  }

  /** What comes is not forthcoming and changes twins alike, so a node as it is tells whether they differ. */
  private updateTwins(n: number): void {
    const { rows } = this.scorer;
    const at = n * METRIC_COUNT;
    for (let twin = 0; twin < TWINS.length; twin++) {
      const [a, b] = TWINS[twin]!;
      const differs = rows[at + a] === rows[at + b] ? 0 : 1;
      const place = twin * this.state.nodeCount + n;
      this.differing[twin]! += differs - this.differs[place]!;
      this.differs[place] = differs;
    }
  }

  /** Writes metrics' weights, twins' on the first of them. Returns whether they are others than before. */
  weights(out: Float64Array): boolean {
    const { weights } = this.state;
    const before = out.slice();
    out.set(weights);
    TWINS.forEach(([a, b], twin) => {
      if (this.differing[twin]! > 0 || weights[a] !== weights[b]) return;
      out[a]! += weights[b]!;
      out[b] = 0;
    });
    return out.some((weight, m) => weight !== before[m]);
  }

  /** What one node's change does to a variance. */
  shift(m: number, n: number, { change, squares }: RoleColumns): number {
    const { sums } = this;
    const count = this.counts[m]!;
    const d = change[m]![n]!;
    return (count * squares[m]![n]! - 2 * sums[m]! * d - d * d) / (count * count);
  }
}

/** Notes what a value changes by; returns the size of the new one. */
function replace({ rows, change, squares }: RoleColumns, m: number, n: number, before: number): number {
  const after = rows[n * METRIC_COUNT + m]!;
  change[m]![n] = after - before;
  squares[m]![n] = after * after - before * before;
  return Math.abs(after);
}
