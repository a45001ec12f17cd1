/**
 * What a target adds to the score at least, as a straight line in what comes to it: no roots are taken for
 * each instance.
 *
 * In a column with variance V the nodes that an instance leaves change the variance by h, and the target by
 * r. With value x there, mean m, amount a, worth s of a unit and p one divided by the number of nodes,
 *
 *   r = a (2 p s (x - m) + a p (1 - p) s^2),
 *
 * and it adds sqrt(V + h + r) - sqrt(V + h). For r < 0 that is lowest at the least h of any move, for r > 0
 * at the largest; the lower of both bends downwards, so that between the least and the largest r which any
 * amount can make at this very target its chord lies below it. Where all amounts are equal it is one figure.
 */
import { float64 } from '../../../../kit/shared-arrays.ts';
import { N1_CNT } from '../../../model/score/metrics.ts';
import { RESERVES_MEMORY } from '../../../model/state/state.ts';
import type { ScanData } from '../scan/scan-data.ts';
import { varianceOf } from '../scan/tables.ts';

/** What the lines share with other threads. */
export interface LineArrays {
  /** Columns in which amounts differ, those of secondaries first, and how many these are. */
  readonly varying: readonly number[];
  readonly ofSecondary: number;
  /** Least and largest amount of any instance, by column; the reservation's last. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** Amounts, `[instance * varying columns + column]`. */
  readonly primaryAmounts: Float64Array;
  readonly secondaryAmounts: Float64Array;
  readonly reservations: Float64Array;
  /** Slopes times the two factors of r, `[(column * 2 + factor) * targets + target]`; a reservation's. */
  readonly factors: Float64Array;
  readonly reserved: Float64Array;
  /** What is added whatever comes there. */
  readonly plainAsPrimary: Float64Array;
  readonly plainAsSecondary: Float64Array;
}

function lineArrays(data: ScanData): LineArrays {
  const { columnCount: k, secondaryCount, flags, mem, targets, asPrimary, asSecondary } = data;
  const count = flags.length;
  const least = float64(k + 1).fill(Number.POSITIVE_INFINITY);
  const most = float64(k + 1).fill(Number.NEGATIVE_INFINITY);
  const reservations = float64(count);
  const widen = (c: number, amount: number): void => {
    least[c] = Math.min(least[c]!, amount);
    most[c] = Math.max(most[c]!, amount);
  };
  widen(k, 0);
  for (let i = 0; i < count; i++) {
    if (flags[i]! & RESERVES_MEMORY) reservations[i] = mem[i]!;
    widen(k, reservations[i]!);
    for (let c = 0; c < k; c++) {
      widen(c, asPrimary[i * k + c]!);
      if (c < secondaryCount) widen(c, asSecondary[i * k + c]!);
    }
  }
  const varying = [...Array(k).keys()].filter((c) => least[c] !== most[c]);
  const amountsOf = (amounts: Float64Array): Float64Array => {
    const kept = float64(count * varying.length);
    for (let i = 0, at = 0; i < count; i++) for (const c of varying) kept[at++] = amounts[i * k + c]!;
    return kept;
  };
  return {
    varying,
    ofSecondary: varying.filter((c) => c < secondaryCount).length,
    least,
    most,
    primaryAmounts: amountsOf(asPrimary),
    secondaryAmounts: amountsOf(asSecondary),
    reservations,
    factors: float64(targets.length * varying.length * 2),
    reserved: float64(targets.length),
    plainAsPrimary: float64(targets.length),
    plainAsSecondary: float64(targets.length),
  };
}

export class TargetLines {
  /** Of the line laid last: where it is for no change, and its slope. */
  private start = 0;
  private slope = 0;

  /** @param arrays another thread's, where they are shared */
  constructor(
    private readonly data: ScanData,
    readonly arrays: LineArrays = lineArrays(data),
  ) {}

  /** What all targets add at least when the instance comes there as primary, in their order. */
  weighAsPrimary(i: number, added: Float64Array): void {
    const { primaryAmounts, plainAsPrimary, varying } = this.arrays;
    added.set(plainAsPrimary);
    this.addColumns(added, primaryAmounts, i * varying.length, varying.length);
  }

  /** ...as secondary. */
  weighAsSecondary(i: number, added: Float64Array): void {
    const { secondaryAmounts, plainAsSecondary, reservations, reserved, ofSecondary, varying } = this.arrays;
    const reservation = reservations[i]!;
    for (let j = 0; j < added.length; j++) added[j] = plainAsSecondary[j]! + reservation * reserved[j]!;
    this.addColumns(added, secondaryAmounts, i * varying.length, ofSecondary);
  }

  /** Column by column, which takes half the time of target by target. */
  private addColumns(added: Float64Array, amounts: Float64Array, from: number, columns: number): void {
    const { factors } = this.arrays;
    const count = added.length;
    for (let c = 0; c < columns; c++) {
      const amount = amounts[from + c]!;
      const linear = 2 * c * count;
      const square = linear + count;
      for (let j = 0; j < count; j++)
        added[j]! += amount * (factors[linear + j]! + amount * factors[square + j]!);
    }
  }

  /** The same of target j alone. */
  asPrimary(i: number, j: number): number {
    const { primaryAmounts, plainAsPrimary, varying } = this.arrays;
    return plainAsPrimary[j]! + this.atTarget(j, primaryAmounts, i * varying.length, varying.length);
  }

  asSecondary(i: number, j: number): number {
    const { secondaryAmounts, plainAsSecondary, reservations, reserved, ofSecondary, varying } = this.arrays;
    const plain = plainAsSecondary[j]! + reservations[i]! * reserved[j]!;
    return plain + this.atTarget(j, secondaryAmounts, i * varying.length, ofSecondary);
  }

  private atTarget(j: number, amounts: Float64Array, from: number, columns: number): number {
    const { factors } = this.arrays;
    const count = this.data.targets.length;
    let sum = 0;
    for (let c = 0; c < columns; c++) {
      const amount = amounts[from + c]!;
      sum += amount * (factors[2 * c * count + j]! + amount * factors[(2 * c + 1) * count + j]!);
    }
    return sum;
  }

  /**
   * Takes over the state after some steps.
   * @param least least h of any move, by column; @param most largest
   */
  nextSearch(least: Float64Array, most: Float64Array): void {
    const { varying, factors, reserved, plainAsPrimary, plainAsSecondary } = this.arrays;
    const { tables, targets, weights, metricWeights, columnCount: k, secondaryCount } = this.data;
    const { freeMem, counts, n1, x, scale, perNode, sums, reservedX, perMem } = tables;
    for (let j = 0; j < targets.length; j++) {
      const t = targets[j]!;
      // A node that fails N+1 still does with one more instance.
      const isFailing = freeMem[t]! <= tables.reserved[t]!;
      let primary = metricWeights[N1_CNT]! * ((isFailing ? counts[t]! + 1 : 0) - n1[t]!);
      let secondary = primary;
      for (let c = 0, v = 0; c < k; c++) {
        const p = perNode[c]!;
        const unit = scale[t * k + c]!;
        const linear = 2 * p * unit * (x[t * k + c]! - sums[c]! * p);
        const square = p * (1 - p) * unit * unit;
        const weight = weights[c]!;
        this.lay(c, linear, square, least[c]!, most[c]!);
        primary += weight * this.start;
        if (c < secondaryCount) secondary += weight * this.start;
        if (varying[v] !== c) continue;
        const at = 2 * v * targets.length + j;
        factors[at] = weight * this.slope * linear;
        factors[at + targets.length] = weight * this.slope * square;
        v++;
      }
      const p = perNode[k]!;
      // A reservation helps at most where it is below the mean, and as far as it reaches.
      const linear = 2 * p * perMem[t]! * Math.min(0, reservedX[t]! - sums[k]! * p);
      this.lay(k, linear, 0, least[k]!, most[k]!);
      reserved[j] = weights[k]! * this.slope * linear;
      secondary += weights[k]! * this.start;
      plainAsPrimary[j] = primary;
      plainAsSecondary[j] = secondary;
    }
  }

  /** Lays the line of a target in a column: r is `linear` times the amount and `square` times its square. */
  private lay(c: number, linear: number, square: number, least: number, most: number): void {
    const a = this.arrays.least[c]!;
    const b = this.arrays.most[c]!;
    const atA = a * (linear + a * square);
    const atB = b * (linear + b * square);
    const vertex = -linear / (2 * square);
    const low = Math.min(atA, atB, vertex > a && vertex < b ? (vertex * linear) / 2 : atA);
    const high = Math.max(atA, atB);
    const variance = varianceOf(this.data.tables, c);
    const bottom = Math.max(0, variance + least);
    const top = Math.max(0, variance + most);
    this.slope = 0;
    if (bottom + low < 0) {
      // No move has all of this least h and r; what r alone can do is a bound, but no line through it.
      this.start = -Math.sqrt(-low);
      return;
    }
    const from = rise(low < 0 ? bottom : top, low);
    if (high > low) this.slope = (rise(high < 0 ? bottom : top, high) - from) / (high - low);
    this.start = from - this.slope * low;
  }
}

const rise = (from: number, by: number): number => Math.sqrt(from + by) - Math.sqrt(from);
