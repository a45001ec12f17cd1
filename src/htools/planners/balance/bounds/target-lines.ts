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
 *
 * In the reserved memory's column the amount is what the target reserves more than before, which is often
 * nothing; its line has what the total of reservations costs in it.
 */
import { float64, int32 } from '../../../../kit/shared-arrays.ts';
import { N1_CNT, RESERVED_MEM_RTOTAL } from '../../../model/score/metrics.ts';
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
  /** Instances that may be moved, and the place of each among them. */
  readonly instances: Int32Array;
  readonly placeOf: Int32Array;
  /** Least and largest amount of any of them, by column; the reservation's last. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** Amounts, `[varying column * instances + place]`. */
  readonly primaryAmounts: Float64Array;
  readonly secondaryAmounts: Float64Array;
  readonly reservations: Float64Array;
  /** Slopes times the two factors of r, `[(column * 2 + factor) * targets + target]`; a reservation's. */
  readonly factors: Float64Array;
  readonly reserved: Float64Array;
  /** What each target reserves now. */
  readonly before: Float64Array;
  /** What is added whatever comes there. */
  readonly plainAsPrimary: Float64Array;
  readonly plainAsSecondary: Float64Array;
  /** How much these fell at most by the last search, at targets that no step touched. */
  readonly factorFalls: Float64Array;
  readonly falls: Float64Array;
}

function lineArrays(data: ScanData, movable: readonly number[]): LineArrays {
  const { columnCount: k, secondaryCount, flags, mem, targets, asPrimary, asSecondary } = data;
  const instances = int32(movable.length);
  instances.set(movable);
  const placeOf = int32(flags.length).fill(-1);
  const count = instances.length;
  const least = float64(k + 1).fill(Number.POSITIVE_INFINITY);
  const most = float64(k + 1).fill(Number.NEGATIVE_INFINITY);
  const reservations = float64(count);
  const widen = (c: number, amount: number): void => {
    least[c] = Math.min(least[c]!, amount);
    most[c] = Math.max(most[c]!, amount);
  };
  widen(k, 0);
  for (let at = 0; at < count; at++) {
    const i = instances[at]!;
    placeOf[i] = at;
    if (flags[i]! & RESERVES_MEMORY) reservations[at] = mem[i]!;
    widen(k, reservations[at]!);
    for (let c = 0; c < k; c++) {
      widen(c, asPrimary[i * k + c]!);
      if (c < secondaryCount) widen(c, asSecondary[i * k + c]!);
    }
  }
  const varying = [...Array(k).keys()].filter((c) => least[c] !== most[c]);
  const amountsOf = (amounts: Float64Array): Float64Array => {
    const kept = float64(count * varying.length);
    varying.forEach((c, v) => {
      for (let at = 0; at < count; at++) kept[v * count + at] = amounts[instances[at]! * k + c]!;
    });
    return kept;
  };
  return {
    instances,
    placeOf,
    varying,
    ofSecondary: varying.filter((c) => c < secondaryCount).length,
    least,
    most,
    primaryAmounts: amountsOf(asPrimary),
    secondaryAmounts: amountsOf(asSecondary),
    reservations,
    factors: float64(targets.length * varying.length * 2),
    reserved: float64(targets.length),
    before: float64(targets.length),
    plainAsPrimary: float64(targets.length),
    plainAsSecondary: float64(targets.length),
    factorFalls: float64(varying.length * 2),
    falls: float64(OF_RESERVATION + 1),
  };
}

export class TargetLines {
  /** Of the line laid last: where it is for no change, and its slope. */
  private start = 0;
  private slope = 0;

  readonly arrays: LineArrays;

  /** @param movable instances that may be moved, or the arrays of another thread */
  constructor(
    private readonly data: ScanData,
    movable: readonly number[] | LineArrays,
  ) {
    this.arrays = 'length' in movable ? lineArrays(data, movable) : movable;
  }

  /** What all targets add at least when the instance comes there as primary, in their order. */
  weighAsPrimary(i: number, added: Float64Array): Float64Array {
    const { primaryAmounts, plainAsPrimary, varying } = this.arrays;
    added.set(plainAsPrimary);
    return this.addColumns(added, primaryAmounts, i, varying.length);
  }

  /** ...as secondary, but for what they reserve. */
  weighAsSecondary(i: number, added: Float64Array): Float64Array {
    const { secondaryAmounts, plainAsSecondary, ofSecondary } = this.arrays;
    added.set(plainAsSecondary);
    return this.addColumns(added, secondaryAmounts, i, ofSecondary);
  }

  /** `added` and what all targets reserve for the instance with this primary. */
  weighReservations(i: number, primary: number, added: Float64Array, withReserved: Float64Array): void {
    const { reservations, reserved, before, placeOf: ownPlace } = this.arrays;
    const { byPrimary, placeOf, size } = this.data.peers;
    const reservation = reservations[ownPlace[i]!]!;
    const row = placeOf[primary]! * size;
    for (let j = 0; j < added.length; j++) {
      const more = byPrimary[row + j]! + reservation - before[j]!;
      withReserved[j] = more > 0 ? added[j]! + more * reserved[j]! : added[j]!;
    }
  }

  /** Column by column, which takes half the time of target by target. */
  private addColumns(added: Float64Array, amounts: Float64Array, i: number, columns: number): Float64Array {
    const { factors, reservations, placeOf } = this.arrays;
    const count = added.length;
    for (let c = 0; c < columns; c++) {
      const amount = amounts[c * reservations.length + placeOf[i]!]!;
      const linear = 2 * c * count;
      const square = linear + count;
      for (let j = 0; j < count; j++)
        added[j]! += amount * (factors[linear + j]! + amount * factors[square + j]!);
    }
    return added;
  }

  /** What target j adds when each of the instances at these places comes there as primary. */
  asPrimary(j: number, from: number, to: number, added: Float64Array): void {
    const { primaryAmounts, plainAsPrimary, varying } = this.arrays;
    added.fill(plainAsPrimary[j]!, 0, to - from);
    this.addAmounts(j, from, to, added, primaryAmounts, varying.length);
  }

  /** ...as secondary, but for what it reserves. */
  asSecondary(j: number, from: number, to: number, added: Float64Array): void {
    const { secondaryAmounts, plainAsSecondary, ofSecondary } = this.arrays;
    added.fill(plainAsSecondary[j]!, 0, to - from);
    this.addAmounts(j, from, to, added, secondaryAmounts, ofSecondary);
  }

  private addAmounts(
    j: number,
    from: number,
    to: number,
    added: Float64Array,
    amounts: Float64Array,
    columns: number,
  ): void {
    const { factors, reservations, reserved } = this.arrays;
    const count = reserved.length;
    for (let c = 0; c < columns; c++) {
      const first = c * reservations.length;
      const linear = factors[2 * c * count + j]!;
      const square = factors[(2 * c + 1) * count + j]!;
      for (let at = from; at < to; at++) {
        const amount = amounts[first + at]!;
        added[at - from]! += amount * (linear + amount * square);
      }
    }
  }

  /** What target j adds by its reservation for the instance at that place with this primary. */
  reservationAt(place: number, primary: number, j: number): number {
    const { reservations, reserved, before } = this.arrays;
    const { byPrimary, placeOf, size } = this.data.peers;
    const more = byPrimary[placeOf[primary]! * size + j]! + reservations[place]! - before[j]!;
    return more > 0 ? more * reserved[j]! : 0;
  }

  /** How much less any target that no step touched adds now at most to the instances at these places. */
  fallsAsPrimary(from: number, to: number, fell: Float64Array): void {
    const { primaryAmounts, falls, varying } = this.arrays;
    fell.fill(falls[OF_PRIMARY]!, 0, to - from);
    this.addFalls(from, to, fell, primaryAmounts, varying.length);
  }

  fallsAsSecondary(from: number, to: number, fell: Float64Array): void {
    const { secondaryAmounts, reservations, ofSecondary, falls } = this.arrays;
    for (let at = from; at < to; at++)
      fell[at - from] = falls[OF_SECONDARY]! + reservations[at]! * falls[OF_RESERVATION]!;
    this.addFalls(from, to, fell, secondaryAmounts, ofSecondary);
  }

  /** Each amount's size and its square times their two falls. */
  private addFalls(
    from: number,
    to: number,
    fell: Float64Array,
    amounts: Float64Array,
    columns: number,
  ): void {
    const { factorFalls, reservations } = this.arrays;
    for (let c = 0; c < columns; c++) {
      const first = c * reservations.length;
      const linear = factorFalls[2 * c]!;
      const square = factorFalls[2 * c + 1]!;
      for (let at = from; at < to; at++) {
        const amount = Math.abs(amounts[first + at]!);
        fell[at - from]! += amount * (linear + amount * square);
      }
    }
  }

  /**
   * Takes over the state after some steps.
   * @param least least h of any move, by column; @param most largest
   * @param isTouched 1 for targets whose fall does not count
   */
  nextSearch(least: Float64Array, most: Float64Array, isTouched: Uint8Array): void {
    const { varying, factors, factorFalls, falls, reserved, before, plainAsPrimary, plainAsSecondary } =
      this.arrays;
    const { tables, targets, weights, metricWeights, columnCount: k, secondaryCount } = this.data;
    const { freeMem, counts, n1, x, scale, perNode, sums, reservedX, perMem } = tables;
    factorFalls.fill(0);
    falls.fill(0);
    for (let j = 0; j < targets.length; j++) {
      const t = targets[j]!;
      // A node that fails N+1 still does with one more instance.
      const isFailing = freeMem[t]! <= tables.reserved[t]!;
      let primary = metricWeights[N1_CNT]! * ((isFailing ? counts[t]! + 1 : 0) - n1[t]!);
      let secondary = primary;
      const isKept = isTouched[j] === 0;
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
        const then = at + targets.length;
        const newLinear = weight * this.slope * linear;
        const newSquare = weight * this.slope * square;
        if (isKept) {
          factorFalls[2 * v] = Math.max(factorFalls[2 * v]!, Math.abs(factors[at]! - newLinear));
          factorFalls[2 * v + 1] = Math.max(factorFalls[2 * v + 1]!, factors[then]! - newSquare);
        }
        factors[at] = newLinear;
        factors[then] = newSquare;
        v++;
      }
      const p = perNode[k]!;
      // A reservation helps at most where it is below the mean, and as far as it reaches.
      const linear = 2 * p * perMem[t]! * Math.min(0, reservedX[t]! - sums[k]! * p);
      const square = p * (1 - p) * perMem[t]! ** 2;
      this.layOver(k, Math.min(0, this.lowest(k, linear, square)), 0, least[k]!, most[k]!);
      const newReserved =
        weights[k]! * this.slope * linear + metricWeights[RESERVED_MEM_RTOTAL]! * perMem[t]!;
      secondary += weights[k]! * this.start;
      if (isKept) {
        falls[OF_RESERVATION] = Math.max(falls[OF_RESERVATION]!, reserved[j]! - newReserved);
        falls[OF_PRIMARY] = Math.max(falls[OF_PRIMARY]!, plainAsPrimary[j]! - primary);
        falls[OF_SECONDARY] = Math.max(falls[OF_SECONDARY]!, plainAsSecondary[j]! - secondary);
      }
      reserved[j] = newReserved;
      before[j] = tables.reserved[t]!;
      plainAsPrimary[j] = primary;
      plainAsSecondary[j] = secondary;
    }
  }

  /** Lays the line of a target in a column: r is `linear` times the amount and `square` times its square. */
  private lay(c: number, linear: number, square: number, least: number, most: number): void {
    const a = this.arrays.least[c]!;
    const b = this.arrays.most[c]!;
    const high = Math.max(a * (linear + a * square), b * (linear + b * square));
    this.layOver(c, this.lowest(c, linear, square), high, least, most);
  }

  /** The least r that any amount makes. */
  private lowest(c: number, linear: number, square: number): number {
    const a = this.arrays.least[c]!;
    const b = this.arrays.most[c]!;
    const vertex = -linear / (2 * square);
    const atEnds = Math.min(a * (linear + a * square), b * (linear + b * square));
    return vertex > a && vertex < b ? Math.min(atEnds, (vertex * linear) / 2) : atEnds;
  }

  /** Lays a line for r from `low` to `high`, where h is from `least` to `most`. */
  private layOver(c: number, low: number, high: number, least: number, most: number): void {
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
