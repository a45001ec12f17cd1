/**
 * What a move leads to at least by the nodes that the instance leaves, or stays on in another role: with
 * roots, column by column, and before any target.
 *
 * In target-lines.ts' terms a column is left with sqrt(V + h). What the changes of these nodes and of the
 * target have in common, -2 p^2 times their product, is in h at its lowest, and so is what the pivot will
 * reserve for the target.
 */
import { float64 } from '../../../../kit/shared-arrays.ts';
import { FAILOVER, type MoveKind } from '../../../model/moves/kinds.ts';
import { RESERVED_MEM_RTOTAL } from '../../../model/score/metrics.ts';
import { RESERVES_MEMORY } from '../../../model/state/state.ts';
import * as H from '../scan/hoists.ts';
import { LocationChange } from '../scan/location-change.ts';
import type { ScanData } from '../scan/scan-data.ts';
import { varianceOf } from '../scan/tables.ts';
import { toSecondary } from '../scan/target-rules.ts';

export interface LeavingArrays {
  /** By column, as of the last search. */
  readonly variances: Float64Array;
  readonly means: Float64Array;
  /** The best that locations do, by instance and kind. */
  readonly locations: Float64Array;
  /** [0] how much any leaving that no step touched fell at most by all searches so far. */
  readonly fallen: Float64Array;
}

function leavingArrays({ columnCount, flags, locationClassCount }: ScanData): LeavingArrays {
  return {
    variances: float64(columnCount + 1),
    means: float64(columnCount + 1),
    locations: float64(locationClassCount > 0 ? flags.length * H.SLOTS : 0),
    fallen: float64(1),
  };
}

export class Leavings {
  /** Least and largest h of any move, by column. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  private readonly width: number;
  /** Of the last search; not known yet. Were it a whole number first, V8 would compile twice what uses it. */
  private score = Number.NaN;
  /** Least and largest h of an instance for a mean of nothing, `[column * instances + instance]`. */
  private readonly leastOf: Float64Array;
  private readonly mostOf: Float64Array;
  /** Largest change of the sums that any instance made so far. */
  private readonly mostSum: Float64Array;
  /** The most that an instance changes a target's value, `[instance * columns + column]`. */
  private readonly reach: Float64Array;
  /** Where the changes of the possible kinds of move start, of the instance at hand. */
  private readonly possible = new Int32Array(H.SLOTS);
  private readonly ofLocations: LocationChange;
  /** Targets of all location classes. */
  private readonly classNodes: readonly number[];

  /** @param arrays another thread's, where they are shared: `of` is for all threads, the rest for one */
  constructor(
    private readonly data: ScanData,
    readonly arrays: LeavingArrays = leavingArrays(data),
  ) {
    const width = data.columnCount + 1;
    this.width = width;
    this.least = new Float64Array(width);
    this.most = new Float64Array(width);
    this.leastOf = new Float64Array(data.flags.length * width);
    this.mostOf = new Float64Array(data.flags.length * width);
    this.mostSum = new Float64Array(width);
    this.reach = this.reaches();
    this.ofLocations = new LocationChange(data);
    this.classNodes = [...new Map([...data.targets].map((t) => [data.locationClassOf[t], t])).values()];
  }

  private reaches(): Float64Array {
    const { asPrimary, asSecondary, largestScale, flags } = this.data;
    const k = this.width - 1;
    const reach = new Float64Array(flags.length * this.width);
    for (let i = 0; i < flags.length; i++) {
      for (let c = 0; c < k; c++) {
        const at = i * k + c;
        const amount = Math.max(Math.abs(asPrimary[at]!), Math.abs(asSecondary[at]!));
        reach[i * this.width + c] = amount * largestScale[c]!;
      }
      reach[i * this.width + k] = this.reservation(i) * largestScale[k]!;
    }
    return reach;
  }

  /** Takes over the hoists of an instance after they were refreshed. */
  refresh(i: number): void {
    this.refreshLocations(i);
    const count = this.findPossible(i);
    for (let c = 0; c < this.width - 1; c++) this.refreshColumn(i, c, count, 0, 0, 0);
    this.refreshReserved(i, count);
  }

  /** Finds the changes of the possible kinds of move. @returns how many kinds these are */
  private findPossible(i: number): number {
    const { hoists, slotStride } = this.data;
    let count = 0;
    for (let kind = 0; kind < H.SLOTS; kind++) {
      const slot = (i * H.SLOTS + kind) * slotStride;
      if (hoists[slot + H.IS_POSSIBLE] !== 0) this.possible[count++] = slot + H.CHANGES;
    }
    return count;
  }

  /** The reserved memory's column, with what a pivot may reserve for the target. */
  private refreshReserved(i: number, count: number): void {
    const { hoists } = this.data;
    const last = this.width - 1;
    const reservation = this.reservation(i);
    let low = 0;
    let high = 0;
    let largest = 0;
    for (let n = 0; n < count; n++) {
      const slot = this.possible[n]! - H.CHANGES;
      const pivot = reservation * hoists[slot + H.PIVOT_PER_MEM]!;
      if (!(pivot > 0)) continue;
      const x = hoists[slot + H.PIVOT_X]!;
      const square = hoists[slot + H.CHANGES + 2 * last + 1]!;
      const nearest = Math.min(pivot, Math.max(0, -x));
      low = Math.min(low, square + nearest * (2 * x + nearest));
      high = Math.max(high, square + pivot * (2 * x + pivot));
      largest = Math.max(largest, pivot);
    }
    this.refreshColumn(i, last, count, low, high, largest);
  }

  /**
   * One column, by the changes of the possible kinds.
   * @param low and high: changes of the squares beside these @param more that the sum may change beside them
   */
  private refreshColumn(i: number, c: number, count: number, low: number, high: number, more: number): void {
    const { data, width, leastOf, mostOf, mostSum, reach, possible } = this;
    const { hoists, tables, flags } = data;
    let least = low;
    let most = high;
    let sum = 0;
    for (let n = 0; n < count; n++) {
      const at = possible[n]! + 2 * c;
      const size = Math.abs(hoists[at]!);
      const square = hoists[at + 1]!;
      if (size > sum) sum = size;
      if (square < least) least = square;
      if (square > most) most = square;
    }
    sum += more;
    const p = tables.perNode[c]!;
    // What the target has in common with them.
    const common = 2 * sum * reach[i * width + c]!;
    const at = c * flags.length + i;
    leastOf[at] = p * (least - p * (sum * sum + common));
    mostOf[at] = p * (most + p * common);
    if (sum > mostSum[c]!) mostSum[c] = sum;
  }

  private reservation(i: number): number {
    const { flags, mem } = this.data;
    return flags[i]! & RESERVES_MEMORY ? mem[i]! : 0;
  }

  /** Takes over who is in which location; the hoists stand. */
  refreshLocations(i: number): void {
    const { locations } = this.arrays;
    if (locations.length === 0) return;
    const { hoists, slotStride } = this.data;
    this.ofLocations.open(i);
    for (let kind = 0; kind < H.SLOTS; kind++) {
      const slot = i * H.SLOTS + kind;
      if (hoists[slot * slotStride + H.IS_POSSIBLE] !== 0)
        locations[slot] = this.bestLocation(kind as MoveKind);
    }
  }

  private bestLocation(kind: MoveKind): number {
    const { ofLocations } = this;
    if (kind === FAILOVER) return ofLocations.of(kind, -1);
    let best = Number.POSITIVE_INFINITY;
    for (const node of this.classNodes) best = Math.min(best, ofLocations.of(kind, node));
    return best;
  }

  /** Takes over the state after some steps. */
  nextSearch(): void {
    const { data, width, least, most, leastOf, mostOf, mostSum } = this;
    const { perNode, sums, base } = data.tables;
    const { variances, means } = this.arrays;
    let fall = Number.isNaN(this.score) ? 0 : this.score - base[0]!;
    this.score = base[0]!;
    for (let c = 0; c < width; c++) {
      let low = 0;
      let high = 0;
      for (let at = c * data.flags.length, end = at + data.flags.length; at < end; at++) {
        if (leastOf[at]! < low) low = leastOf[at]!;
        if (mostOf[at]! > high) high = mostOf[at]!;
      }
      const p = perNode[c]!;
      const mean = sums[c]! * p;
      const shift = 2 * p * mostSum[c]!;
      const ofMean = shift * Math.max(Math.abs(mean), Math.abs(means[c]!));
      least[c] = low - ofMean;
      most[c] = high + ofMean;
      const variance = varianceOf(data.tables, c);
      const change = variances[c]! - variance + shift * Math.abs(mean - means[c]!);
      fall += data.weights[c]! * rootFall(variances[c]!, change, least[c]!, most[c]!);
      variances[c] = variance;
      means[c] = mean;
    }
    this.arrays.fallen[0]! += fall;
  }

  /** What a kind of move leads to at least, but for its target; Infinity where it is not possible. */
  of(i: number, kind: MoveKind): number {
    const { hoists, weights, slotStride, metricWeights, tables, asPrimary, asSecondary } = this.data;
    const { leastScale, largestScale, secondaryCount, columnCount: k } = this.data;
    const { variances, means, locations } = this.arrays;
    const slot = (i * H.SLOTS + kind) * slotStride;
    if (hoists[slot + H.IS_POSSIBLE] === 0) return Number.POSITIVE_INFINITY;
    const { perNode, base } = tables;
    const isSecond = toSecondary(kind);
    const amounts = isSecond ? asSecondary : asPrimary;
    // Columns that the target changes as well.
    const shared = kind === FAILOVER ? 0 : isSecond ? secondaryCount : k;
    const last = slot + H.CHANGES + 2 * k;
    let score =
      base[0]! + hoists[slot + H.PLAIN_CHANGE]! + metricWeights[RESERVED_MEM_RTOTAL]! * hoists[last]!;
    if (locations.length > 0) score += locations[i * H.SLOTS + kind]!;
    for (let c = 0, at = slot + H.CHANGES; at <= last; c++, at += 2) {
      const p = perNode[c]!;
      const shift = p * hoists[at]!;
      const amount = c < shared ? amounts[i * k + c]! : isSecond && c === k ? this.reservation(i) : 0;
      // The change at a target that has most in common with that of the nodes left.
      const common = amount * (amount * shift > 0 ? largestScale : leastScale)[c]!;
      const variance = variances[c]! + p * hoists[at + 1]! - shift * (shift + 2 * means[c]! + 2 * p * common);
      if (c === k && hoists[slot + H.PIVOT_PER_MEM]! > 0)
        score += this.withPivot(i, slot, means[k]! + shift, variance);
      else if (variance > 0) score += weights[c]! * Math.sqrt(variance);
    }
    return score;
  }

  /**
   * The deviation of the reserved memory, and what its total costs, by what the pivot reserves for the
   * target: between what it has to and all that the instance needs.
   */
  private withPivot(i: number, slot: number, mean: number, variance: number): number {
    const { hoists, weights, metricWeights, tables } = this.data;
    const p = tables.perNode[this.width - 1]!;
    const weight = weights[this.width - 1]!;
    const ofTotal = metricWeights[RESERVED_MEM_RTOTAL]!;
    const perMem = hoists[slot + H.PIVOT_PER_MEM]!;
    const reservation = this.reservation(i);
    const x = hoists[slot + H.PIVOT_X]! - mean;
    const least = Math.max(0, reservation - hoists[slot + H.PIVOT_RESERVED]!) * perMem;
    const most = reservation * perMem;
    // What brings it nearest to the mean.
    const nearest = Math.min(most, Math.max(least, x < 0 ? -x / (1 - p) : 0));
    const lowest = rootWith(variance, p, x, nearest);
    // As a rule the total costs more than any reservation saves, so that the least is the best.
    const saved = weight * p * Math.max(0, -x);
    if (ofTotal * lowest >= saved) return ofTotal * least + weight * rootWith(variance, p, x, least);
    return Math.min(ofTotal * least, ofTotal * most) + weight * lowest;
  }
}

/** The deviation once a value that is `x` from the mean has changed by dx. */
const rootWith = (variance: number, p: number, x: number, dx: number): number =>
  Math.sqrt(Math.max(0, variance + p * dx * (2 * x + dx * (1 - p))));

/**
 * How much lower sqrt(V + h - change) is than sqrt(V + h) at most, for any h from the least to the largest;
 * below zero where it is higher.
 */
function rootFall(variance: number, change: number, least: number, most: number): number {
  const from = Math.max(0, change, variance + (change > 0 ? least : most));
  return Math.sqrt(from) - Math.sqrt(from - change);
}
