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
 *
 * Most of what targets differ by is the same whatever comes, so that in the order of that few of them have to
 * be weighed to know the least.
 */
import { float64, int32, int32Of } from '../../../../kit/shared-arrays.ts';
import { N1_CNT, RESERVED_MEM_RTOTAL } from '../../../model/score/metrics.ts';
import { IS_FORTHCOMING, RESERVES_MEMORY } from '../../../model/state/state.ts';
import type { ScanData } from '../scan/scan-data.ts';
import { varianceOf } from '../scan/tables.ts';

/** Roles that an instance may get at a target. */
export const PRIMARY = 0;
export const SECONDARY = 1;
export type Role = typeof PRIMARY | typeof SECONDARY;

/** The lines of one role, but for what a secondary reserves. */
interface RoleLines {
  /** How many of the varying columns it changes, from the front. */
  readonly columns: number;
  /** Amounts, `[varying column * instances + place]`. */
  readonly amounts: Float64Array;
  /** What is added whatever comes, by target. */
  readonly plain: Float64Array;
  /** Places of the targets by that, the least first. */
  readonly order: Int32Array;
  /** [0] how much it fell at most by the last search, at targets that no step touched. */
  readonly fall: Float64Array;
}

export interface LineArrays {
  /** Columns in which amounts differ, those of secondaries first. */
  readonly varying: readonly number[];
  /** Instances that may be moved, and the place of each among them. */
  readonly instances: Int32Array;
  readonly placeOf: Int32Array;
  /** Least and largest amount of any of them, by column; the reservation's last. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly roles: readonly [RoleLines, RoleLines];
  readonly reservations: Float64Array;
  /** Slopes times the two factors of r, `[target * width + varying column * 2 + factor]`. */
  readonly factors: Float64Array;
  /** Least and largest of any target, `[varying column * 2 + factor]`; and of how much they fell. */
  readonly leastFactors: Float64Array;
  readonly mostFactors: Float64Array;
  readonly leastFalls: Float64Array;
  readonly mostFalls: Float64Array;
  /** What a unit of a reservation adds, by target; [0] the least of them or nothing; [0] how much it fell. */
  readonly reserved: Float64Array;
  readonly leastReserved: Float64Array;
  readonly reservedFall: Float64Array;
  /** What each target reserves now. */
  readonly before: Float64Array;
}

function lineArrays(data: ScanData, movable: readonly number[]): LineArrays {
  const { columnCount: k, secondaryCount, flags, mem, targets, asPrimary, asSecondary } = data;
  const instances = int32Of(movable);
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
  const role = (of: Float64Array, columns: number): RoleLines => {
    const amounts = float64(count * columns);
    for (let v = 0; v < columns; v++)
      for (let at = 0; at < count; at++) amounts[v * count + at] = of[instances[at]! * k + varying[v]!]!;
    const order = int32Of(targets.map((_, j) => j));
    return { columns, amounts, plain: float64(targets.length), order, fall: float64(1) };
  };
  return {
    instances,
    placeOf,
    varying,
    least,
    most,
    roles: [
      role(asPrimary, varying.length),
      role(asSecondary, varying.filter((c) => c < secondaryCount).length),
    ],
    reservations,
    factors: float64(targets.length * varying.length * 2),
    leastFactors: float64(varying.length * 2),
    mostFactors: float64(varying.length * 2),
    leastFalls: float64(varying.length * 2),
    mostFalls: float64(varying.length * 2),
    reserved: float64(targets.length),
    leastReserved: float64(1),
    reservedFall: float64(1),
    before: float64(targets.length),
  };
}

export class TargetLines {
  /** Of the line laid last: where it is for no change, and its slope. */
  private start = 0;
  private slope = 0;

  readonly arrays: LineArrays;
  private readonly hasForthcoming: boolean;

  /** @param movable instances that may be moved, or the arrays of another thread */
  constructor(
    private readonly data: ScanData,
    movable: readonly number[] | LineArrays,
  ) {
    this.arrays = 'length' in movable ? lineArrays(data, movable) : movable;
    this.hasForthcoming = data.flags.some((flags) => flags & IS_FORTHCOMING);
  }

  /** What target j adds at least to the instance at that place in a role, but for what it reserves. */
  at(role: Role, place: number, j: number): number {
    const { roles, factors, varying, reservations } = this.arrays;
    const { columns, amounts, plain } = roles[role];
    let added = plain[j]!;
    let at = j * varying.length * 2;
    for (let from = place, v = 0; v < columns; v++, from += reservations.length, at += 2) {
      const amount = amounts[from]!;
      added += amount * (factors[at]! + amount * factors[at + 1]!);
    }
    return added;
  }

  /** What any target adds at least to the instance at that place, beyond what it adds whatever comes. */
  beyondPlain(role: Role, place: number): number {
    const { roles, leastFactors, mostFactors, reservations } = this.arrays;
    const { columns, amounts } = roles[role];
    let added = role === PRIMARY ? 0 : this.leastReservation(place);
    for (let v = 0; v < columns; v++) {
      const amount = amounts[v * reservations.length + place]!;
      added +=
        amount * ((amount > 0 ? leastFactors : mostFactors)[2 * v]! + amount * leastFactors[2 * v + 1]!);
    }
    return added;
  }

  /** The least that any target adds by its reservation for the instance at that place; never above zero. */
  leastReservation(place: number): number {
    return this.arrays.reservations[place]! * this.arrays.leastReserved[0]!;
  }

  /** What target j adds by its reservation for the instance at that place with this primary. */
  reservationAt(place: number, primary: number, j: number): number {
    const { reservations, reserved, before } = this.arrays;
    const { byPrimary, placeOf, size } = this.data.peers;
    const more = byPrimary[placeOf[primary]! * size + j]! + reservations[place]! - before[j]!;
    return more > 0 ? more * reserved[j]! : 0;
  }

  /** `at` for each of the instances at these places: column by column, which is quicker. */
  ofRow(role: Role, j: number, from: number, to: number, added: Float64Array): void {
    const { roles, factors, varying, reservations } = this.arrays;
    const { columns, amounts, plain } = roles[role];
    added.fill(plain[j]!, 0, to - from);
    for (let v = 0; v < columns; v++) {
      const first = v * reservations.length;
      const linear = factors[(j * varying.length + v) * 2]!;
      const square = factors[(j * varying.length + v) * 2 + 1]!;
      for (let at = from; at < to; at++) {
        const amount = amounts[first + at]!;
        added[at - from]! += amount * (linear + amount * square);
      }
    }
  }

  /** How much less any target that no step touched adds now at most to the instances at these places. */
  falls(role: Role, from: number, to: number, fell: Float64Array): void {
    const { roles, leastFalls, mostFalls, reservations, reservedFall } = this.arrays;
    const { columns, amounts, fall } = roles[role];
    const ofReserved = role === PRIMARY ? 0 : reservedFall[0]!;
    for (let at = from; at < to; at++) fell[at - from] = fall[0]! + reservations[at]! * ofReserved;
    for (let v = 0; v < columns; v++) {
      const first = v * reservations.length;
      const least = leastFalls[2 * v]!;
      const most = mostFalls[2 * v]!;
      const square = mostFalls[2 * v + 1]!;
      for (let at = from; at < to; at++) {
        const amount = amounts[first + at]!;
        fell[at - from]! += amount * ((amount > 0 ? most : least) + amount * square);
      }
    }
  }

  /**
   * Takes over the state after some steps.
   * @param least least h of any move, by column; @param most largest
   * @param isTouched 1 for targets whose fall does not count
   */
  nextSearch(least: Float64Array, most: Float64Array, isTouched: Uint8Array): void {
    const { roles, leastFactors, mostFactors, leastFalls, mostFalls, leastReserved, reservedFall } =
      this.arrays;
    leastFactors.fill(Number.POSITIVE_INFINITY);
    mostFactors.fill(Number.NEGATIVE_INFINITY);
    leastFalls.fill(0);
    mostFalls.fill(0);
    leastReserved[0] = 0;
    reservedFall[0] = 0;
    for (const { fall } of roles) fall[0] = 0;
    for (let j = 0; j < isTouched.length; j++) this.layLines(j, least, most, isTouched[j] === 0);
    for (const { order, plain } of roles) sortBy(order, plain);
  }

  private layLines(j: number, least: Float64Array, most: Float64Array, isKept: boolean): void {
    const { roles, varying, reserved, before, leastReserved, reservedFall } = this.arrays;
    const { tables, targets, weights, metricWeights, columnCount: k, secondaryCount } = this.data;
    const { freeMem, counts, n1, x, scale, perNode, sums, reservedX, perMem } = tables;
    const t = targets[j]!;
    // A node that fails N+1 still does with one more instance.
    const isFailing = freeMem[t]! <= tables.reserved[t]!;
    const failures = (isFailing ? counts[t]! + 1 : 0) - n1[t]!;
    // Forthcoming instances fail with no node.
    let primary = metricWeights[N1_CNT]! * (this.hasForthcoming ? Math.min(0, failures) : failures);
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
      this.keepFactor(j, 2 * v, weight * this.slope * linear, isKept);
      this.keepFactor(j, 2 * v + 1, weight * this.slope * square, isKept);
      v++;
    }
    const p = perNode[k]!;
    // A reservation helps at most where it is below the mean, and as far as it reaches.
    const linear = 2 * p * perMem[t]! * Math.min(0, reservedX[t]! - sums[k]! * p);
    const square = p * (1 - p) * perMem[t]! ** 2;
    this.layOver(k, Math.min(0, this.lowest(k, linear, square)), 0, least[k]!, most[k]!);
    const unit = weights[k]! * this.slope * linear + metricWeights[RESERVED_MEM_RTOTAL]! * perMem[t]!;
    leastReserved[0] = Math.min(leastReserved[0]!, unit);
    if (isKept) reservedFall[0] = Math.max(reservedFall[0]!, reserved[j]! - unit);
    reserved[j] = unit;
    before[j] = tables.reserved[t]!;
    keepPlain(roles[PRIMARY], j, primary, isKept);
    keepPlain(roles[SECONDARY], j, secondary + weights[k]! * this.start, isKept);
  }

  private keepFactor(j: number, factor: number, value: number, isKept: boolean): void {
    const { varying, factors, leastFactors, mostFactors, leastFalls, mostFalls } = this.arrays;
    const at = j * varying.length * 2 + factor;
    if (isKept) {
      leastFalls[factor] = Math.min(leastFalls[factor]!, factors[at]! - value);
      mostFalls[factor] = Math.max(mostFalls[factor]!, factors[at]! - value);
    }
    leastFactors[factor] = Math.min(leastFactors[factor]!, value);
    mostFactors[factor] = Math.max(mostFactors[factor]!, value);
    factors[at] = value;
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

function keepPlain({ plain, fall }: RoleLines, j: number, value: number, isKept: boolean): void {
  if (isKept) fall[0] = Math.max(fall[0]!, plain[j]! - value);
  plain[j] = value;
}

/** Sorts places by their values, the least first: by insertion, as they are nearly in order. */
function sortBy(order: Int32Array, values: Float64Array): void {
  for (let k = 1; k < order.length; k++) {
    const j = order[k]!;
    let at = k;
    for (; at > 0 && values[order[at - 1]!]! > values[j]!; at--) order[at] = order[at - 1]!;
    order[at] = j;
  }
}

const rise = (from: number, by: number): number => Math.sqrt(from + by) - Math.sqrt(from);
