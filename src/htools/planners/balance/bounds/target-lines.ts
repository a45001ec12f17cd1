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

/** Places of the falls of what is added whatever comes. */
const OF_PRIMARY = 0;
const OF_SECONDARY = 1;
const OF_RESERVATION = 2;

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
  /** Slopes times the two factors of r, `[(node * varying columns + column) * 2]`; that of a reservation. */
  readonly factors: Float64Array;
  readonly reserved: Float64Array;
  /** What is added whatever comes there. */
  readonly plainAsPrimary: Float64Array;
  readonly plainAsSecondary: Float64Array;
  /** How much these fell at most by the last search, at targets that no step touched. */
  readonly factorFalls: Float64Array;
  readonly falls: Float64Array;
}

function lineArrays(data: ScanData): LineArrays {
  const { columnCount: k, secondaryCount, flags, mem, nodeCount, asPrimary, asSecondary } = data;
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
    factors: float64(nodeCount * varying.length * 2),
    reserved: float64(nodeCount),
    plainAsPrimary: float64(nodeCount),
    plainAsSecondary: float64(nodeCount),
    factorFalls: float64(varying.length * 2),
    falls: float64(OF_RESERVATION + 1),
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

  /** What target t adds at least when the instance comes there as primary. */
  asPrimary(i: number, t: number): number {
    const { factors, primaryAmounts, plainAsPrimary, varying } = this.arrays;
    const { length } = varying;
    return plainAsPrimary[t]! + sumOf(primaryAmounts, i * length, length, factors, t * length * 2);
  }

  /** ...as secondary. */
  asSecondary(i: number, t: number): number {
    const { factors, secondaryAmounts, plainAsSecondary, reservations, reserved, ofSecondary, varying } =
      this.arrays;
    const { length } = varying;
    const plain = plainAsSecondary[t]! + reservations[i]! * reserved[t]!;
    return plain + sumOf(secondaryAmounts, i * length, ofSecondary, factors, t * length * 2);
  }

  /** How much less any target that no step touched adds than at the last search, at most. */
  fallAsPrimary(i: number): number {
    const { primaryAmounts, factorFalls, falls, varying } = this.arrays;
    const { length } = varying;
    return falls[OF_PRIMARY]! + sumOf(primaryAmounts, i * length, length, factorFalls, 0, true);
  }

  fallAsSecondary(i: number): number {
    const { secondaryAmounts, reservations, ofSecondary, factorFalls, falls, varying } = this.arrays;
    const plain = falls[OF_SECONDARY]! + reservations[i]! * falls[OF_RESERVATION]!;
    return plain + sumOf(secondaryAmounts, i * varying.length, ofSecondary, factorFalls, 0, true);
  }

  /**
   * Takes over the state after some steps.
   * @param least least h of any move, by column; @param most largest
   * @param isTouched 1 for nodes whose fall does not count
   */
  nextSearch(least: Float64Array, most: Float64Array, isTouched: Uint8Array): void {
    const { varying, factors, factorFalls, falls, reserved, plainAsPrimary, plainAsSecondary } = this.arrays;
    const { tables, targets, weights, metricWeights, columnCount: k, secondaryCount } = this.data;
    const { freeMem, counts, n1, x, scale, perNode, sums, reservedX, perMem } = tables;
    factorFalls.fill(0);
    falls.fill(0);
    for (const t of targets) {
      // A node that fails N+1 still does with one more instance.
      const isFailing = freeMem[t]! <= tables.reserved[t]!;
      let primary = metricWeights[N1_CNT]! * ((isFailing ? counts[t]! + 1 : 0) - n1[t]!);
      let secondary = primary;
      const isKept = isTouched[t] === 0;
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
        const at = (t * varying.length + v) * 2;
        const newLinear = weight * this.slope * linear;
        const newSquare = weight * this.slope * square;
        if (isKept) {
          factorFalls[2 * v] = Math.max(factorFalls[2 * v]!, Math.abs(factors[at]! - newLinear));
          factorFalls[2 * v + 1] = Math.max(factorFalls[2 * v + 1]!, factors[at + 1]! - newSquare);
        }
        factors[at] = newLinear;
        factors[at + 1] = newSquare;
        v++;
      }
      const p = perNode[k]!;
      // A reservation helps at most where it is below the mean, and as far as it reaches.
      const linear = 2 * p * perMem[t]! * Math.min(0, reservedX[t]! - sums[k]! * p);
      this.lay(k, linear, 0, least[k]!, most[k]!);
      const newReserved = weights[k]! * this.slope * linear;
      secondary += weights[k]! * this.start;
      if (isKept) {
        falls[OF_RESERVATION] = Math.max(falls[OF_RESERVATION]!, reserved[t]! - newReserved);
        falls[OF_PRIMARY] = Math.max(falls[OF_PRIMARY]!, plainAsPrimary[t]! - primary);
        falls[OF_SECONDARY] = Math.max(falls[OF_SECONDARY]!, plainAsSecondary[t]! - secondary);
      }
      reserved[t] = newReserved;
      plainAsPrimary[t] = primary;
      plainAsSecondary[t] = secondary;
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

/** Sum of each amount and its square times their two factors. @param isAbsolute of the amounts' sizes */
function sumOf(
  amounts: Float64Array,
  from: number,
  count: number,
  factors: Float64Array,
  at: number,
  isAbsolute = false,
): number {
  let sum = 0;
  for (let c = 0; c < count; c++) {
    const amount = isAbsolute ? Math.abs(amounts[from + c]!) : amounts[from + c]!;
    sum += amount * (factors[at + 2 * c]! + amount * factors[at + 2 * c + 1]!);
  }
  return sum;
}
