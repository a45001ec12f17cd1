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
import { locationChange } from '../scan/location-change.ts';
import type { ScanData } from '../scan/scan-data.ts';
import { varianceOf } from '../scan/tables.ts';

/** What the leavings share with other threads. */
export interface LeavingArrays {
  /** By column, as of the last search. */
  readonly variances: Float64Array;
  readonly means: Float64Array;
  /** The most that an instance changes a target's value, `[instance * columns + column]`. */
  readonly reach: Float64Array;
  /** The best that locations do, by instance and kind. */
  readonly locations: Float64Array;
  /** [0] how much any candidate that no step touched, with or without its target, fell at most. */
  readonly fall: Float64Array;
}

function leavingArrays({ columnCount, flags, locationClassCount }: ScanData): LeavingArrays {
  return {
    variances: float64(columnCount + 1),
    means: float64(columnCount + 1),
    reach: float64(flags.length * (columnCount + 1)),
    locations: float64(locationClassCount > 0 ? flags.length * H.SLOTS : 0),
    fall: float64(1),
  };
}

export class Leavings {
  /** Least and largest h of any move, by column. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  private readonly width: number;
  private score = 0;
  /** Least and largest hoisted change of the squares, as `reach`. */
  private readonly leastSquare: Float64Array;
  private readonly mostSquare: Float64Array;
  /** Largest hoisted change of the sums, and largest reach, of all instances so far. */
  private readonly mostSum: Float64Array;
  private readonly mostReach: Float64Array;
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
    this.leastSquare = new Float64Array(data.flags.length * width);
    this.mostSquare = new Float64Array(data.flags.length * width);
    this.mostSum = new Float64Array(width);
    this.mostReach = new Float64Array(width);
    this.classNodes = [...new Map([...data.targets].map((t) => [data.locationClassOf[t], t])).values()];
  }

  /** Takes over the hoists of an instance after they were refreshed. */
  refresh(i: number): void {
    const { data, width, leastSquare, mostSquare, mostSum, mostReach } = this;
    const { hoists, asPrimary, asSecondary, largestScale } = data;
    const { reach, locations } = this.arrays;
    const k = width - 1;
    for (let c = 0, at = i * width; c < width; c++, at++) {
      leastSquare[at] = 0;
      mostSquare[at] = 0;
      const amounts = i * k + c;
      const amount =
        c === k
          ? this.reservation(i)
          : Math.max(Math.abs(asPrimary[amounts]!), Math.abs(asSecondary[amounts]!));
      reach[at] = amount * largestScale[c]!;
      mostReach[c] = Math.max(mostReach[c]!, reach[at]!);
    }
    for (let kind = 0; kind < H.SLOTS; kind++) {
      const slot = (i * H.SLOTS + kind) * data.slotStride;
      if (hoists[slot + H.IS_POSSIBLE] === 0) continue;
      for (let c = 0, at = i * width; c < width; c++, at++) {
        const square = hoists[slot + H.CHANGES + 2 * c + 1]!;
        const pivot = c === k ? 2 * reach[at]! * Math.min(0, hoists[slot + H.PIVOT_X]!) : 0;
        leastSquare[at] = Math.min(leastSquare[at]!, square + pivot);
        mostSquare[at] = Math.max(mostSquare[at]!, square);
        mostSum[c] = Math.max(mostSum[c]!, Math.abs(hoists[slot + H.CHANGES + 2 * c]!));
      }
      if (locations.length > 0) locations[i * H.SLOTS + kind] = this.bestLocation(i, kind as MoveKind);
    }
  }

  private reservation(i: number): number {
    const { flags, mem } = this.data;
    return flags[i]! & RESERVES_MEMORY ? mem[i]! : 0;
  }

  private bestLocation(i: number, kind: MoveKind): number {
    const nodes = kind === FAILOVER ? [-1] : this.classNodes;
    return Math.min(...nodes.map((node) => locationChange(this.data, i, kind, node)));
  }

  /** Takes over the state after some steps. @param instances those that may be moved */
  nextSearch(instances: readonly number[]): void {
    const { data, width, least, most, leastSquare, mostSquare, mostSum, mostReach } = this;
    const { perNode, sums, base } = data.tables;
    const { variances, means } = this.arrays;
    least.fill(0);
    most.fill(0);
    for (const i of instances) {
      for (let c = 0, at = i * width; c < width; c++, at++) {
        if (leastSquare[at]! < least[c]!) least[c] = leastSquare[at]!;
        if (mostSquare[at]! > most[c]!) most[c] = mostSquare[at]!;
      }
    }
    let fall = this.score - base[0]!;
    this.score = base[0]!;
    for (let c = 0; c < width; c++) {
      const p = perNode[c]!;
      const mean = sums[c]! * p;
      const shift = p * (mostSum[c]! + mostReach[c]!);
      const ofMean = shift * (2 * Math.abs(mean) + 2 * shift);
      least[c] = least[c]! * p - ofMean;
      most[c] = most[c]! * p + ofMean;
      const variance = varianceOf(data.tables, c);
      const change = variances[c]! - variance + 2 * shift * Math.abs(mean - means[c]!);
      const { low, high } = targetRange(this.largestX(c), mostReach[c]!);
      fall += data.weights[c]! * rootFall(variances[c]!, change, least[c]! + p * low, most[c]! + p * high);
      variances[c] = variance;
      means[c] = mean;
    }
    this.arrays.fall[0] = fall;
  }

  /** Largest centred value of a target now. */
  private largestX(column: number): number {
    const { tables, targets, columnCount: k } = this.data;
    let largest = 0;
    for (const t of targets)
      largest = Math.max(largest, Math.abs(column === k ? tables.reservedX[t]! : tables.x[t * k + column]!));
    return largest;
  }

  /** What a kind of move leads to at least, but for its target; Infinity where it is not possible. */
  of(i: number, kind: MoveKind): number {
    const { width } = this;
    const { hoists, weights, slotStride, metricWeights, tables } = this.data;
    const { reach, variances, means, locations } = this.arrays;
    const slot = (i * H.SLOTS + kind) * slotStride;
    if (hoists[slot + H.IS_POSSIBLE] === 0) return Number.POSITIVE_INFINITY;
    const { perNode, base } = tables;
    const k = width - 1;
    let score =
      base[0]! +
      hoists[slot + H.PLAIN_CHANGE]! +
      metricWeights[RESERVED_MEM_RTOTAL]! * hoists[slot + H.CHANGES + 2 * k]!;
    if (locations.length > 0) score += locations[i * H.SLOTS + kind]!;
    for (let c = 0, at = slot + H.CHANGES; c < width; c++, at += 2) {
      const p = perNode[c]!;
      const shift = p * hoists[at]!;
      const ofMean = shift * (shift + 2 * means[c]!) + 2 * p * Math.abs(shift) * reach[i * width + c]!;
      let variance = variances[c]! + p * hoists[at + 1]! - ofMean;
      if (c === k) variance += this.ofPivot(i, slot, means[k]! + shift);
      if (variance > 0) score += weights[c]! * Math.sqrt(variance);
    }
    return score;
  }

  /** What the pivot reserves for the target is at best what brings it nearest to the mean. */
  private ofPivot(i: number, slot: number, mean: number): number {
    const { hoists } = this.data;
    const p = this.data.tables.perNode[this.width - 1]!;
    const x = hoists[slot + H.PIVOT_X]! - mean;
    const most = this.reservation(i) * hoists[slot + H.PIVOT_PER_MEM]!;
    if (!(x < 0 && most > 0)) return 0;
    const dx = Math.min(most, -x / (1 - p));
    return p * dx * (2 * x + dx * (1 - p));
  }
}

/** How far a change of at most `reach` takes a square, where values are at most that large before. */
function targetRange(largest: number, reach: number): { low: number; high: number } {
  // The pivot's own value has fallen by up to as much.
  const value = largest + reach;
  return { low: -reach * (2 * value - reach), high: reach * (2 * value + reach) };
}

/**
 * How much lower sqrt(V + h - change) is than sqrt(V + h) at most, for any h from the least to the largest;
 * below zero where it is higher.
 */
function rootFall(variance: number, change: number, least: number, most: number): number {
  const from = Math.max(0, change, variance + (change > 0 ? least : most));
  return Math.sqrt(from) - Math.sqrt(from - change);
}
