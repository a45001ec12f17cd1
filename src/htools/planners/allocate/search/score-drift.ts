/**
 * How far the scores of homes can have moved whose nodes did not change, while instances of a size came to
 * others: a variance that was y = V + u + v has become y + dV - 2 dS (d + e) / n^2 (pair-bounds.ts). The
 * ranges of y, d and e over all homes tell, and it is added up.
 */

import { METRIC_COUNT, METRICS } from '../../../model/score/metrics.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import { IS_DEVIATION } from '../../../model/score/statistics.ts';
import { RoleChanges } from './role-changes.ts';

export class Range {
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;

  static of(nodes: readonly number[], values: Float64Array): Range {
    const range = new Range();
    for (let k = 0; k < nodes.length; k++) range.add(values[nodes[k]!]!);
    return range;
  }

  get isEmpty(): boolean {
    return this.low > this.high;
  }

  /** Largest amount, whatever its sign. */
  get largest(): number {
    return Math.max(Math.abs(this.low), Math.abs(this.high));
  }

  add(value: number): void {
    if (value < this.low) this.low = value;
    if (value > this.high) this.high = value;
  }

  cover(other: Range): void {
    this.add(other.low);
    this.add(other.high);
  }

  /** Each figure may have changed by any of those in `by`, times the factor. */
  widen(by: Range, factor: number): void {
    this.low += Math.min(by.low * factor, by.high * factor);
    this.high += Math.max(by.low * factor, by.high * factor);
  }

  clear(): void {
    this.low = Number.POSITIVE_INFINITY;
    this.high = Number.NEGATIVE_INFINITY;
  }
}

/** What primaries and secondaries change in a metric, and by how much that shifts its variance. */
class Reach {
  readonly first = new Range();
  readonly second = new Range();
  readonly firstShift = new Range();
  readonly secondShift = new Range();

  clear(): void {
    for (const range of [this.first, this.second, this.firstShift, this.secondShift]) range.clear();
  }
}

/** Updates by the number of nodes until all is computed anew, so that little is lost to what is added up. */
const ROUND = 1 / 8;

export class ScoreDrift {
  readonly changes: RoleChanges;
  /** The metrics' weights, those of twins on the first of them. */
  readonly weights = new Float64Array(METRIC_COUNT);
  /** Number of the last update. */
  moment = 0;
  /** By metric; who computes homes notes here what they change. */
  readonly reach = METRICS.map(() => new Reach());
  /** Least that any score has moved by. */
  moved = 0;
  /** Statistics before the last change. */
  private readonly sums = new Float64Array(METRIC_COUNT);
  private readonly variances = new Float64Array(METRIC_COUNT);

  private readonly mostUpdates: number;
  private updates = Number.POSITIVE_INFINITY;

  /** @param candidates how many nodes homes are made of */
  constructor(scorer: Scorer, hasSecondaries: boolean, candidates: number) {
    this.changes = new RoleChanges(scorer, hasSecondaries);
    this.mostUpdates = candidates * ROUND;
  }

  /**
   * Takes over changes on nodes. Returns whether all homes are to be computed anew.
   * @param isAll whether nothing of the others was about an instance of this size
   */
  update(changed: readonly number[], isAll: boolean): boolean {
    const { changes } = this;
    this.moment++;
    const isAnew = this.updates++ >= this.mostUpdates || !changes.areDefined;
    if (isAnew) this.updates = 0;
    this.sums.set(changes.sums);
    this.variances.set(changes.variances);
    changes.update(changed, isAnew, isAll);
    const areLost = changes.weights(this.weights) || isAnew || isAll;
    if (areLost) {
      this.moved = 0;
      for (const reach of this.reach) reach.clear();
    } else this.follow();
    return areLost;
  }

  private follow(): void {
    const { weights } = this;
    for (let m = 0; m < METRIC_COUNT; m++)
      if (IS_DEVIATION[m] && weights[m] !== 0) this.moved += weights[m]! * this.leastChange(m);
  }

  /** What the deviation of a home whose nodes did not change has changed by at least. */
  private leastChange(m: number): number {
    const { changes } = this;
    const { first, second, firstShift, secondShift } = this.reach[m]!;
    if (firstShift.isEmpty) return 0;
    const before = this.variances[m]!;
    const after = changes.variances[m]!;
    const perChange = (-2 * (changes.sums[m]! - this.sums[m]!)) / changes.counts[m]! ** 2;
    firstShift.widen(first, perChange);
    secondShift.widen(second, perChange);
    const product = this.largestProduct(m, first, second);
    const change =
      after - before + Math.min(perChange * (first.low + second.low), perChange * (first.high + second.high));
    const variance =
      change < 0
        ? Math.min(before, after) + firstShift.low + secondShift.low - product
        : Math.max(before, after) + firstShift.high + secondShift.high + product;
    if (variance > 0) return change / (2 * Math.sqrt(variance));
    return change < 0 ? -Math.sqrt(-change) : 0;
  }

  /** Upper limit of 2de/n^2. */
  largestProduct(m: number, first: Range, second: Range): number {
    return (2 * first.largest * second.largest) / this.changes.counts[m]! ** 2;
  }
}
