/**
 * Upper bounds on what any move of an instance can gain, carried from search to search.
 *
 * A step changes the sums of all columns a little, so every candidate's gain changes even where no node of it
 * was touched. For a column with variance V a candidate that changes it by d gains sqrt(V) - sqrt(V + d).
 * Going from V0 to V1 that gain changes by
 *
 *   (V1 - V0) x (1 / (sqrt(V1) + sqrt(V0)) - 1 / (sqrt(V1 + d) + sqrt(V0 + d))),
 *
 * which rises with d when V1 > V0 and falls when V1 < V0; so an interval [-D, D] that holds d for all
 * candidates of the instance bounds the change. D follows from what the hoists change exactly, and from how
 * much the instance can add to any target: with value x there and amount a, the square changes by a(2x + a);
 * the step did not touch these targets, so the largest x of now holds for them. That d itself depends on the
 * mean (d = squares' change - (2 A a' + a'^2) with a' the change of the mean A) adds 2 |A1 - A0| a' / (2
 * sqrt(V1 - D)).
 *
 * A bound is an upper bound only: an instance whose bound reaches the best gain is scanned again. That the
 * steps are those of the full scan is a property test (test/htools/properties/step-search.property.test.ts).
 */
import type { ClusterState } from '../../../model/state/state.ts';
import { RESERVES_MEMORY } from '../../../model/state/state.ts';
import { CHANGES, type Hoists, IS_POSSIBLE, SLOTS } from '../scan/hoists.ts';
import type { NodeTables } from '../scan/tables.ts';

export class GainBounds {
  /** Upper bound of the gain of each instance; Infinity = not known, scan it. */
  readonly gains: Float64Array;
  private readonly state: ClusterState;
  private readonly width: number;
  /** Largest hoisted changes and largest reach at a target, `[instance * width + column]`. */
  private readonly hoistedSum: Float64Array;
  private readonly hoistedSquare: Float64Array;
  private readonly reach: Float64Array;
  /** Variances and means at the last search, and now. */
  private readonly variance0: Float64Array;
  private readonly variance1: Float64Array;
  private readonly mean0: Float64Array;
  private readonly mean1: Float64Array;

  constructor(
    private readonly tables: NodeTables,
    private readonly hoists: Hoists,
  ) {
    this.state = tables.state;
    this.width = tables.columnCount + 1;
    const count = this.state.instanceCount;
    this.gains = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.hoistedSum = new Float64Array(count * this.width);
    this.hoistedSquare = new Float64Array(count * this.width);
    this.reach = new Float64Array(count * this.width);
    this.variance0 = new Float64Array(this.width);
    this.variance1 = new Float64Array(this.width);
    this.mean0 = new Float64Array(this.width);
    this.mean1 = new Float64Array(this.width);
    this.nextSearch();
  }

  /** Takes over the sums after the steps since the last search. */
  nextSearch(): void {
    const { tables, width } = this;
    const { sums, perNode } = tables.arrays;
    this.variance0.set(this.variance1);
    this.mean0.set(this.mean1);
    for (let c = 0; c < width; c++) {
      this.variance1[c] = tables.variance(c);
      this.mean1[c] = sums[c]! * perNode[c]!;
    }
  }

  /** Takes over the hoists of an instance after they were refreshed. */
  refresh(i: number): void {
    const { hoists, tables, width } = this;
    const at = i * width;
    const { list } = tables.columns;
    for (let k = at; k < at + width; k++) {
      this.hoistedSum[k] = 0;
      this.hoistedSquare[k] = 0;
    }
    for (let kind = 0; kind < SLOTS; kind++) {
      const slot = hoists.slot(i, kind);
      if (hoists.data[slot + IS_POSSIBLE] === 0) continue;
      for (let c = 0; c < width; c++) {
        const sum = Math.abs(hoists.data[slot + CHANGES + 2 * c]!);
        const square = Math.abs(hoists.data[slot + CHANGES + 2 * c + 1]!);
        if (sum > this.hoistedSum[at + c]!) this.hoistedSum[at + c] = sum;
        if (square > this.hoistedSquare[at + c]!) this.hoistedSquare[at + c] = square;
      }
    }
    for (let c = 0; c < width - 1; c++) {
      const amount = Math.max(Math.abs(list[c]!.asPrimary[i]!), Math.abs(list[c]!.asSecondary[i]!));
      this.reach[at + c] = amount * tables.largestScale[c]!;
    }
    const reservation = this.state.flags[i]! & RESERVES_MEMORY ? this.state.mem[i]! : 0;
    this.reach[at + width - 1] = reservation * tables.largestScale[width - 1]!;
  }

  /**
   * The bound of an untouched instance after the steps since the last search, for the targets that they did
   * not touch.
   */
  carried(i: number): number {
    const gain = this.gains[i]!;
    // Where nothing was possible nothing has become so; an unknown drift must not make that "not a number".
    return gain === Number.NEGATIVE_INFINITY ? gain : gain + this.drift(i);
  }

  /**
   * How much these steps can have raised the gain of any move of the instance; Infinity when nothing can be
   * said.
   */
  private drift(i: number): number {
    const { tables, width, variance0, variance1, mean0, mean1 } = this;
    const at = i * width;
    let drift = 0;
    for (let c = 0; c < width; c++) {
      const v0 = variance0[c]!;
      const v1 = variance1[c]!;
      const m0 = mean0[c]!;
      const m1 = mean1[c]!;
      if (v0 === v1 && m0 === m1) continue;
      const reach = this.reach[at + c]!;
      const perNode = tables.arrays.perNode[c]!;
      const shift = (this.hoistedSum[at + c]! + reach) * perNode;
      const mean = Math.max(Math.abs(m0), Math.abs(m1));
      const d =
        (this.hoistedSquare[at + c]! + reach * (2 * tables.largestX[c]! + reach)) * perNode +
        shift * (2 * mean + shift);
      if (d === 0) continue;
      const low0 = v0 - d;
      const low1 = v1 - d;
      if (!(low0 > 0 && low1 > 0)) return Number.POSITIVE_INFINITY;
      const rootLow1 = Math.sqrt(low1);
      const roots = Math.sqrt(v1) + Math.sqrt(v0);
      const change =
        v1 < v0
          ? (v0 - v1) * (1 / (rootLow1 + Math.sqrt(low0)) - 1 / roots)
          : (v1 - v0) * (1 / roots - 1 / (Math.sqrt(v1 + d) + Math.sqrt(v0 + d)));
      const weight = c === width - 1 ? tables.columns.reservedWeight : tables.columns.list[c]!.weight;
      drift += weight * (change + (Math.abs(m1 - m0) * shift) / rootLow1);
    }
    return drift;
  }
}
