/**
 * Lower bounds on the score that the moves of an instance can lead to, and the scan of those that they do
 * not rule out.
 *
 * The bound of a kind of move has two parts: what the nodes that the instance leaves do (`leaving`) and the
 * least that any target adds (`adds`, by the lines of target-lines.ts). Both are kept from search to search:
 * how far they can have fallen follows from the variances and lines before and after, and targets that a
 * step touched are weighed anew. Only where a bound reaches the best score are all targets weighed again, and
 * only what is left then is scored with its roots. Every bound holds for certain: the steps are those of a
 * full scan (test/htools/properties/step-search.property.test.ts).
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
import * as H from '../scan/hoists.ts';
import type { Scan } from '../scan/scan.ts';
import type { ScanData } from '../scan/scan-data.ts';
import { toSecondary } from '../scan/target-rules.ts';
import { type LeavingArrays, Leavings } from './leavings.ts';
import { type LineArrays, TargetLines } from './target-lines.ts';

const AS_PRIMARY = [FAILOVER_TO_ANY, REPLACE_AND_FAILOVER, REPLACE_PRIMARY] as const;
const AS_SECONDARY = [REPLACE_SECONDARY, FAILOVER_AND_REPLACE] as const;
const IS_SECOND = Uint8Array.from({ length: H.SLOTS }, (_, kind) => Number(toSecondary(kind as MoveKind)));
const KINDS = [FAILOVER, ...AS_PRIMARY, ...AS_SECONDARY] as const;
/** Not to be moved; all known; all but what its nodes do when it leaves them; nothing. */
const OUT = 0;
const KNOWN = 1;
const LEFT_BEHIND = 2;
const UNKNOWN = 3;
/** Added by the targets of a kind of move that was impossible so far; no infinity, as it is added to some. */
const NOT_WEIGHED = -Number.MAX_VALUE;
/** Instances that are looked at at a time. */
const CHUNK = 256;

/** What the bounds share with other threads. */
export interface BoundArrays {
  /** Lowest score that an instance can lead to, as of its last look. */
  readonly lowest: Float64Array;
  /** What is known of an instance: one of the constants. */
  readonly knowledge: Uint8Array;
  /** By instance and kind. */
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
  private readonly isTouched: Uint8Array;
  /** What each target adds to the instance at hand, by role, and the targets that are left. */
  private readonly addedAsPrimary: Float64Array;
  private readonly addedAsSecondary: Float64Array;
  /** The latter with what the target reserves. */
  private readonly addedWithReserved: Float64Array;
  /** What has fallen, and what a touched target adds, for a row of instances. */
  private readonly fellAsPrimary = new Float64Array(CHUNK);
  private readonly fellAsSecondary = new Float64Array(CHUNK);
  private readonly mostAsPrimary = new Float64Array(CHUNK);
  private readonly mostAsSecondary = new Float64Array(CHUNK);
  private readonly chunkAsPrimary = new Float64Array(CHUNK);
  private readonly chunkAsSecondary = new Float64Array(CHUNK);
  private hasPrimary = false;
  private hasSecondary = false;
  private readonly left: Int32Array;

  /**
   * @param movable instances that may be moved, or the arrays of another thread: places are shared out then,
   *   all else is for the one that made them
   */
  constructor(
    private readonly scan: Scan,
    movable: readonly number[] | BoundArrays,
  ) {
    const arrays = 'length' in movable ? undefined : movable;
    const { data } = scan;
    const count = data.flags.length;
    this.data = data;
    this.leavings = new Leavings(data, arrays?.ofLeavings);
    this.lines = new TargetLines(data, 'length' in movable ? movable : movable.ofLines);
    this.arrays = arrays ?? {
      lowest: float64(count).fill(Number.POSITIVE_INFINITY),
      knowledge: uint8(count),
      leaving: float64(count * H.SLOTS),
      adds: float64(count * H.SLOTS).fill(NOT_WEIGHED),
      touched: int32(data.nodeCount + 1),
      ofLeavings: this.leavings.arrays,
      ofLines: this.lines.arrays,
    };
    this.isTouched = new Uint8Array(data.targets.length);
    this.addedAsPrimary = new Float64Array(data.targets.length);
    this.addedAsSecondary = new Float64Array(data.targets.length);
    this.addedWithReserved = new Float64Array(data.targets.length);
    this.left = new Int32Array(data.targets.length);
  }

  /**
   * Takes over the hoists of an instance after they were refreshed.
   * @param hasMoved whether it is on other nodes than before: all targets are weighed anew then
   */
  refresh(i: number, hasMoved: boolean): void {
    const { knowledge } = this.arrays;
    if (hasMoved || knowledge[i] === OUT) knowledge[i] = UNKNOWN;
    else if (knowledge[i] === KNOWN) knowledge[i] = LEFT_BEHIND;
    this.leavings.refresh(i);
  }

  /** The instance is not to be moved for now. */
  leaveOut(i: number): void {
    this.arrays.knowledge[i] = OUT;
    this.arrays.lowest[i] = Number.POSITIVE_INFINITY;
  }

  /**
   * Takes over the state after some steps.
   * @param touched targets that the steps touched
   */
  nextSearch(touched: readonly number[]): void {
    const { leavings, lines, isTouched } = this;
    isTouched.fill(0);
    const places = touched.map((t) => this.data.peers.placeOf[t]!);
    for (const j of places) isTouched[j] = 1;
    this.arrays.touched.set(places);
    this.arrays.touched[this.data.nodeCount] = touched.length;
    leavings.nextSearch();
    lines.nextSearch(leavings.least, leavings.most, isTouched);
  }

  /** Finds the lowest scores that the instances at these places can lead to now; `lowest` has them then. */
  look(from: number, to: number): void {
    for (let first = from; first < to; first += CHUNK) this.carry(first, Math.min(first + CHUNK, to));
    const { knowledge, leaving, adds, lowest } = this.arrays;
    const { instances } = this.lines.arrays;
    for (let place = from; place < to; place++) {
      const i = instances[place]!;
      if (knowledge[i] === KNOWN || knowledge[i] === OUT) continue;
      this.renew(i);
      const at = i * H.SLOTS;
      let least = leaving[at + FAILOVER]!;
      for (let k = at + 1; k < at + H.SLOTS; k++) least = Math.min(least, leaving[k]! + adds[k]!);
      lowest[i] = least;
    }
  }

  /** Bounds of now; `leaving` and `lowest` only of instances whose nodes no step touched. */
  private carry(from: number, to: number): void {
    const { lines, data, fellAsPrimary, fellAsSecondary, mostAsPrimary, mostAsSecondary } = this;
    const { knowledge, leaving, adds, lowest, touched } = this.arrays;
    const { instances } = lines.arrays;
    const fall = this.leavings.arrays.fall[0]!;
    lines.fallsAsPrimary(from, to, fellAsPrimary);
    lines.fallsAsSecondary(from, to, fellAsSecondary);
    for (let place = from; place < to; place++) {
      const i = instances[place]!;
      const fellFirst = fellAsPrimary[place - from]!;
      const fellSecond = fellAsSecondary[place - from]!;
      const at = i * H.SLOTS;
      let least = leaving[at + FAILOVER]! - fall;
      leaving[at + FAILOVER] = least;
      let mostFirst = Number.NEGATIVE_INFINITY;
      let mostSecond = Number.NEGATIVE_INFINITY;
      for (let k = 1; k < H.SLOTS; k++) {
        const left = leaving[at + k]! - fall;
        const isSecond = IS_SECOND[k] === 1;
        const added = adds[at + k]! - (isSecond ? fellSecond : fellFirst);
        leaving[at + k] = left;
        adds[at + k] = added;
        if (isSecond) {
          if (added > mostSecond) mostSecond = added;
        } else if (added > mostFirst) mostFirst = added;
        if (left + added < least) least = left + added;
      }
      mostAsPrimary[place - from] = mostFirst;
      mostAsSecondary[place - from] = mostSecond;
      if (knowledge[i] === KNOWN) lowest[i] = least;
    }
    for (let k = 0; k < touched[data.nodeCount]!; k++) this.countIn(touched[k]!, from, to);
  }

  /** Takes target j into account, which a step touched. */
  private countIn(j: number, from: number, to: number): void {
    const { lines, data, chunkAsPrimary, chunkAsSecondary, mostAsPrimary, mostAsSecondary } = this;
    const { primary, secondary } = data;
    lines.asPrimary(j, from, to, chunkAsPrimary);
    lines.asSecondary(j, from, to, chunkAsSecondary);
    const { adds } = this.arrays;
    const { instances, reservations, reserved } = lines.arrays;
    const mostSaved = Math.min(0, reserved[j]!);
    for (let place = from; place < to; place++) {
      const asPrimary = chunkAsPrimary[place - from]!;
      const asSecondary = chunkAsSecondary[place - from]!;
      const least = asSecondary + mostSaved * reservations[place]!;
      const mayLead = asPrimary < mostAsPrimary[place - from]!;
      const maySecond = least < mostAsSecondary[place - from]!;
      if (!mayLead && !maySecond) continue;
      const i = instances[place]!;
      const at = i * H.SLOTS;
      if (mayLead)
        for (const kind of AS_PRIMARY) if (asPrimary < adds[at + kind]!) this.lower(i, kind, j, asPrimary);
      if (!maySecond) continue;
      for (const kind of AS_SECONDARY) {
        if (!(least < adds[at + kind]!)) continue;
        const reserved = lines.reservationAt(
          place,
          (kind === REPLACE_SECONDARY ? primary : secondary)[i]!,
          j,
        );
        this.lower(i, kind, j, asSecondary + reserved);
      }
    }
  }

  private lower(i: number, kind: MoveKind, j: number, added: number): void {
    const { knowledge, leaving, adds, lowest } = this.arrays;
    const at = i * H.SLOTS + kind;
    if (added >= adds[at]!) return;
    const { rules } = this.scan;
    rules.open(i, kind);
    if (!rules.allows(this.data.targets[j]!)) return;
    adds[at] = added;
    if (knowledge[i] === KNOWN && leaving[at]! + added < lowest[i]!) lowest[i] = leaving[at]! + added;
  }

  /** What its nodes do when an instance leaves them, and what targets add where that is not known. */
  private renew(i: number): void {
    const { knowledge, leaving, adds } = this.arrays;
    const isUnknown = knowledge[i] === UNKNOWN;
    knowledge[i] = KNOWN;
    this.startWeighing();
    for (const kind of KINDS) {
      const at = i * H.SLOTS + kind;
      leaving[at] = this.leavings.of(i, kind);
      const isPossible = leaving[at] !== Number.POSITIVE_INFINITY;
      // What the rules say of touched targets is not known of a kind that is impossible.
      if (isUnknown || !isPossible) adds[at] = NOT_WEIGHED;
      if (isPossible && kind !== FAILOVER && adds[at] === NOT_WEIGHED)
        adds[at] = this.scanKind(i, kind, Number.NEGATIVE_INFINITY);
    }
  }

  /** Nothing is known of the next instance to be weighed. */
  private startWeighing(): void {
    this.hasPrimary = false;
    this.hasSecondary = false;
  }

  /** What each target adds at least by a kind of move; what both kinds of a role share is weighed once. */
  private weigh(i: number, kind: MoveKind): Float64Array {
    const { data, lines, addedAsPrimary, addedAsSecondary, addedWithReserved } = this;
    if (!toSecondary(kind)) {
      if (!this.hasPrimary) lines.weighAsPrimary(i, addedAsPrimary);
      this.weighed += this.hasPrimary ? 0 : addedAsPrimary.length;
      this.hasPrimary = true;
      return addedAsPrimary;
    }
    if (!this.hasSecondary) lines.weighAsSecondary(i, addedAsSecondary);
    this.weighed += this.hasSecondary ? 0 : addedAsSecondary.length;
    this.hasSecondary = true;
    const primary = kind === REPLACE_SECONDARY ? data.primary[i]! : data.secondary[i]!;
    lines.weighReservations(i, primary, addedAsSecondary, addedWithReserved);
    return addedWithReserved;
  }

  /**
   * Scans the instances at these places whose bounds reach the best score.
   * @param margin of rounding
   */
  scanReaching(from: number, to: number, margin: number): void {
    const { found } = this.scan;
    for (let place = from; place < to; place++) {
      const i = this.lines.arrays.instances[place]!;
      if (!(this.arrays.lowest[i]! > found.limit + margin)) this.scanBest(i, margin);
    }
  }

  /**
   * Scans the moves of an instance that may reach the best score; `scan.found` takes them.
   * @param margin of rounding
   */
  scanBest(i: number, margin: number): void {
    const { scan } = this;
    const { leaving, adds } = this.arrays;
    this.startWeighing();
    for (const kind of KINDS) {
      const at = i * H.SLOTS + kind;
      const limit = scan.found.limit + margin;
      if (leaving[at]! + (kind === FAILOVER ? 0 : adds[at]!) > limit) continue;
      leaving[at] = this.leavings.of(i, kind);
      if (kind === FAILOVER) {
        scan.kind(i, kind, this.left, 0);
        continue;
      }
      if (leaving[at]! + adds[at]! > limit) continue;
      adds[at] = this.scanKind(i, kind, limit - leaving[at]!);
    }
  }

  /**
   * Scans the targets that add no more than that.
   * @returns the least that any adds which the rules allow: what they forbid stays forbidden until a step
   *   touches the target
   */
  private scanKind(i: number, kind: MoveKind, limit: number): number {
    const { scan, left } = this;
    const { targets } = this.data;
    const added = this.weigh(i, kind);
    scan.rules.open(i, kind);
    let count = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < added.length; j++) {
      const it = added[j]!;
      if ((it >= least && it > limit) || !scan.rules.allows(targets[j]!)) continue;
      least = Math.min(least, it);
      if (it <= limit && scan.rules.leavesPivot(targets[j]!)) left[count++] = targets[j]!;
    }
    if (count > 0) scan.kind(i, kind, left, count);
    return least;
  }
}
