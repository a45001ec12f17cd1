/**
 * Lower bounds on the score that the moves of an instance can lead to, and the scan of those that they do
 * not rule out.
 *
 * The bound of a kind of move begins with two parts: what the nodes that the instance leaves do (`leaving`)
 * and the least that any target adds (by the lines of target-lines.ts). Where it reaches the best score all
 * targets are weighed, what is left is scored with its roots, and the least of these scores is the bound from
 * then on: how far it can have fallen since follows from the variances before and after (leavings.ts), and
 * targets that a step touched are weighed, and scored, apart. Every bound holds for certain: the steps are
 * those of a full scan (test/htools/properties/step-search.property.test.ts).
 */
import { float64, int32, uint8 } from '../../../../kit/shared-arrays.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import { MIRROR_INTERNAL } from '../../../model/state/state.ts';
import * as H from '../scan/hoists.ts';
import type { Scan } from '../scan/scan.ts';
import type { ScanData } from '../scan/scan-data.ts';
import { type LeavingArrays, Leavings } from './leavings.ts';
import { type LineArrays, TargetLines } from './target-lines.ts';

const KINDS = [
  FAILOVER,
  FAILOVER_TO_ANY,
  REPLACE_SECONDARY,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  FAILOVER_AND_REPLACE,
] as const;
/**
 * How far below the best gain moves are asked whether rules forbid them, in gains: those that are forbidden
 * no longer count when gains have become smaller.
 */
const AHEAD = 0.1;

const toSecondary = (kind: number): boolean => kind === REPLACE_SECONDARY || kind === FAILOVER_AND_REPLACE;

/** What the bounds share with other threads. */
export interface BoundArrays {
  /** Lowest score that an instance can lead to, as of its last look. */
  readonly lowest: Float64Array;
  /** 1 where nothing is known of an instance. */
  readonly isUnknown: Uint8Array;
  /** By instance and kind: the least that any target leads to which the last steps did not touch... */
  readonly reached: Float64Array;
  /** ...what all targets lead to but for themselves, and the least that a touched one adds to that. */
  readonly leaving: Float64Array;
  readonly adds: Float64Array;
  /** Places of targets that steps touched since the last search; as many as the last figure says. */
  readonly touched: Int32Array;
  readonly ofLeavings: LeavingArrays;
  readonly ofLines: LineArrays;
}

export class ScoreBounds {
  readonly arrays: BoundArrays;
  /** Targets weighed so far, once for each role. */
  weighed = 0;
  private readonly data: ScanData;
  private readonly lines: TargetLines;
  private readonly leavings: Leavings;
  /** Place of a node among the targets. */
  private readonly placeOf: Int32Array;
  /** What each target adds to the instance at hand, by role, and the targets that are left. */
  private readonly addedAsPrimary: Float64Array;
  private readonly addedAsSecondary: Float64Array;
  private readonly left: Int32Array;

  /** @param arrays another thread's: instances are shared out, all else is for the one that made them */
  constructor(
    private readonly scan: Scan,
    arrays?: BoundArrays,
  ) {
    const { data } = scan;
    const count = data.flags.length;
    this.data = data;
    this.leavings = new Leavings(data, arrays?.ofLeavings);
    this.lines = new TargetLines(data, arrays?.ofLines);
    this.arrays = arrays ?? {
      lowest: float64(count),
      isUnknown: uint8(count),
      reached: float64(count * H.SLOTS),
      leaving: float64(count * H.SLOTS),
      adds: float64(count * H.SLOTS),
      touched: int32(data.nodeCount + 1),
      ofLeavings: this.leavings.arrays,
      ofLines: this.lines.arrays,
    };
    this.addedAsPrimary = new Float64Array(data.targets.length);
    this.addedAsSecondary = new Float64Array(data.targets.length);
    this.placeOf = new Int32Array(data.nodeCount).fill(-1);
    data.targets.forEach((t, j) => {
      this.placeOf[t] = j;
    });
    this.left = new Int32Array(data.targets.length);
  }

  /** Takes over the hoists of an instance after they were refreshed; nothing else is known of it then. */
  refresh(i: number): void {
    this.arrays.isUnknown[i] = 1;
    this.leavings.refresh(i);
  }

  /**
   * Takes over the state after some steps.
   * @param instances those that may be moved
   * @param touched targets that the steps touched
   */
  nextSearch(instances: readonly number[], touched: readonly number[]): void {
    const { leavings, lines, data } = this;
    this.arrays.touched.set(touched.map((t) => this.placeOf[t]!));
    this.arrays.touched[data.nodeCount] = touched.length;
    leavings.nextSearch(instances);
    lines.nextSearch(leavings.least, leavings.most);
  }

  /** The lowest score that an instance can lead to now; `lowest` has it then. */
  look(i: number): number {
    if (this.arrays.isUnknown[i] === 1) this.weighAnew(i);
    else this.carry(i);
    const { reached, leaving, adds } = this.arrays;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0, at = i * H.SLOTS; k < H.SLOTS; k++, at++)
      least = Math.min(least, reached[at]!, leaving[at]! + adds[at]!);
    this.arrays.lowest[i] = least;
    return least;
  }

  /** What is known of an instance after steps that did not touch it. */
  private carry(i: number): void {
    const { lines, data } = this;
    const { reached, leaving, adds, touched } = this.arrays;
    const fall = this.leavings.arrays.fall[0]!;
    let primary = Number.POSITIVE_INFINITY;
    let secondary = Number.POSITIVE_INFINITY;
    for (let k = 0; k < touched[data.nodeCount]!; k++) {
      const j = touched[k]!;
      primary = Math.min(primary, lines.asPrimary(i, j));
      secondary = Math.min(secondary, lines.asSecondary(i, j));
    }
    for (const kind of KINDS) {
      const at = i * H.SLOTS + kind;
      reached[at] = Math.min(reached[at]!, leaving[at]! + adds[at]!) - fall;
      leaving[at]! -= fall;
      if (kind !== FAILOVER) adds[at] = toSecondary(kind) ? secondary : primary;
    }
  }

  private weighAnew(i: number): void {
    const { isUnknown, reached, leaving, adds } = this.arrays;
    isUnknown[i] = 0;
    const primary = this.weighAsPrimary(i);
    const secondary = this.data.mirroring[i] === MIRROR_INTERNAL ? this.weighAsSecondary(i) : 0;
    for (const kind of KINDS) {
      const at = i * H.SLOTS + kind;
      leaving[at] = this.leavings.of(i, kind);
      const added = toSecondary(kind) ? secondary : primary;
      reached[at] = leaving[at]! + (kind === FAILOVER ? 0 : added);
      adds[at] = Number.POSITIVE_INFINITY;
    }
  }

  /** Weighs all targets, `addedAsPrimary` has what each adds at least then. Returns the least. */
  private weighAsPrimary(i: number): number {
    this.lines.weighAsPrimary(i, this.addedAsPrimary);
    return this.leastAdded(i, this.addedAsPrimary);
  }

  private weighAsSecondary(i: number): number {
    this.lines.weighAsSecondary(i, this.addedAsSecondary);
    return this.leastAdded(i, this.addedAsSecondary);
  }

  /** An instance's own nodes are none of its targets. */
  private leastAdded(i: number, added: Float64Array): number {
    const { data, placeOf } = this;
    this.weighed += added.length;
    const p = placeOf[data.primary[i]!]!;
    if (p >= 0) added[p] = Number.POSITIVE_INFINITY;
    // Without a secondary there is no place of it either.
    const s = placeOf[data.secondary[i]!] ?? -1;
    if (s >= 0) added[s] = Number.POSITIVE_INFINITY;
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < added.length; j++) least = Math.min(least, added[j]!);
    return least;
  }

  /**
   * Scans the moves of an instance that may reach the best score; `scan.found` takes them.
   * @param margin of rounding
   */
  scanBest(i: number, margin: number): void {
    const { scan } = this;
    const { reached, leaving, adds } = this.arrays;
    let isWeighedAsPrimary = false;
    let isWeighedAsSecondary = false;
    for (const kind of KINDS) {
      const at = i * H.SLOTS + kind;
      const { limit, best } = scan.found;
      const isReached = reached[at]! <= limit + margin;
      if (!isReached && leaving[at]! + adds[at]! > limit + margin) continue;
      leaving[at] = this.leavings.of(i, kind);
      if (kind === FAILOVER) {
        scan.kind(i, kind, this.left, 0);
        reached[at] = scan.least - margin;
        continue;
      }
      // What rules forbid counts no more: it stays forbidden until a step touches its nodes.
      const ahead = Math.max(0, AHEAD * (this.data.tables.base[1]! - best));
      const most = limit + margin + ahead - leaving[at]!;
      let added: number;
      if (isReached) {
        const becomesSecondary = toSecondary(kind);
        if (becomesSecondary && !isWeighedAsSecondary) this.weighAsSecondary(i);
        if (!becomesSecondary && !isWeighedAsPrimary) this.weighAsPrimary(i);
        isWeighedAsSecondary ||= becomesSecondary;
        isWeighedAsPrimary ||= !becomesSecondary;
        added = this.scanAll(i, kind, most);
        reached[at] = Number.POSITIVE_INFINITY;
      } else added = this.scanTouched(i, kind, most);
      reached[at] = Math.min(reached[at]!, leaving[at]! + added, scan.least - margin);
      adds[at] = Number.POSITIVE_INFINITY;
    }
  }

  /** Scans the targets that add no more than that. Returns the least that any other adds. */
  private scanAll(i: number, kind: MoveKind, most: number): number {
    const { scan, left } = this;
    const { targets } = this.data;
    const added = toSecondary(kind) ? this.addedAsSecondary : this.addedAsPrimary;
    let count = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < added.length; j++) {
      if (added[j]! > most) least = Math.min(least, added[j]!);
      else left[count++] = targets[j]!;
    }
    scan.kind(i, kind, left, count);
    return least;
  }

  /** The same of the targets that the last steps touched. */
  private scanTouched(i: number, kind: MoveKind, most: number): number {
    const { scan, left, lines } = this;
    const { targets, nodeCount } = this.data;
    const { touched } = this.arrays;
    let count = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < touched[nodeCount]!; k++) {
      const j = touched[k]!;
      const added = toSecondary(kind) ? lines.asSecondary(i, j) : lines.asPrimary(i, j);
      if (added > most) least = Math.min(least, added);
      else left[count++] = targets[j]!;
    }
    scan.kind(i, kind, left, count);
    return least;
  }
}
