/**
 * Lower bounds on the score that the moves of an instance can lead to, and the scan of those that they do
 * not rule out.
 *
 * The bound of a kind of move has two parts: what the nodes that the instance leaves do (`leaving`) and the
 * least that any target adds (`adds`, by the lines of target-lines.ts and by how much worse its locations do
 * than the best). Both are kept from search to search: how far they can have fallen follows from the
 * variances and lines before and after, and targets that a step touched are weighed anew. Only where a bound
 * reaches the best score are targets weighed again, and only what is left then is scored with its roots.
 * Every bound holds for certain: the steps are those of a full scan
 * (test/htools/properties/step-search.property.test.ts).
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
import { type LineArrays, PRIMARY, type Role, SECONDARY, TargetLines } from './target-lines.ts';

const ROLES = [PRIMARY, SECONDARY] as const;
/** Kinds of move by the role that the target gets. */
const KINDS_OF = [
  [FAILOVER_TO_ANY, REPLACE_AND_FAILOVER, REPLACE_PRIMARY],
  [REPLACE_SECONDARY, FAILOVER_AND_REPLACE],
] as const;
const KINDS = [FAILOVER, ...KINDS_OF[PRIMARY], ...KINDS_OF[SECONDARY]] as const;
/** Not to be moved; all known; all but what its nodes do when it leaves them; nothing. */
const OUT = 0;
const KNOWN = 1;
const LEFT_BEHIND = 2;
const UNKNOWN = 3;
/** Added by the targets of a kind of move that was impossible so far; no infinity, as it is added to some. */
const NOT_WEIGHED = -Number.MAX_VALUE;
/** Instances that are looked at at a time. */
const CHUNK = 256;

export interface BoundArrays {
  /** Lowest score that an instance can lead to, as of its last look. */
  readonly lowest: Float64Array;
  /** What is known of an instance: one of the constants. */
  readonly knowledge: Uint8Array;
  /** By instance and kind; `leaving` as it would have been before all that `fallen` says. */
  readonly leaving: Float64Array;
  readonly adds: Float64Array;
  /** How much of `adds` is due to the locations of targets at most: what they do worse than the best. */
  readonly ofLocations: Float64Array;
  /** Places of targets that steps touched since the last search; as many as the last figure says. */
  readonly touched: Int32Array;
  readonly ofLeavings: LeavingArrays;
  readonly ofLines: LineArrays;
}

export class ScoreBounds {
  readonly arrays: BoundArrays;
  /** Targets weighed so far, once for each kind of move. */
  weighed = 0;
  private readonly data: ScanData;
  private readonly lines: TargetLines;
  private readonly leavings: Leavings;
  private readonly isTouched: Uint8Array;
  /** For a chunk of instances: what has fallen, or what a touched target adds; the most of their kinds. */
  private readonly ofChunk = new Float64Array(CHUNK);
  private readonly mostAdded = new Float64Array(CHUNK);
  /** Targets that are left to scan. */
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
      ofLocations: float64(count * H.SLOTS),
      touched: int32(data.nodeCount + 1),
      ofLeavings: this.leavings.arrays,
      ofLines: this.lines.arrays,
    };
    this.isTouched = new Uint8Array(data.targets.length);
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

  /** Takes over that others with its exclusion tags have come to locations or left them, and no more. */
  refreshLocations(i: number): void {
    const { knowledge, adds, ofLocations } = this.arrays;
    if (knowledge[i] === OUT) return;
    if (knowledge[i] === KNOWN) knowledge[i] = LEFT_BEHIND;
    for (let at = i * H.SLOTS; at < (i + 1) * H.SLOTS; at++) {
      adds[at]! -= ofLocations[at]!;
      ofLocations[at] = 0;
    }
    this.leavings.refreshLocations(i);
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
    const { knowledge, leaving, adds, lowest } = this.arrays;
    const { instances } = this.lines.arrays;
    const fallen = this.leavings.arrays.fallen[0]!;
    for (let first = from; first < to; first += CHUNK) this.carry(first, Math.min(first + CHUNK, to));
    for (let place = from; place < to; place++) {
      const i = instances[place]!;
      if (knowledge[i] === OUT) continue;
      if (knowledge[i] !== KNOWN) this.renew(i);
      const at = i * H.SLOTS;
      let least = leaving[at + FAILOVER]!;
      for (let k = at + 1; k < at + H.SLOTS; k++) {
        const score = leaving[k]! + adds[k]!;
        if (score < least) least = score;
      }
      lowest[i] = least - fallen;
    }
  }

  /** What targets add of now from that of the last search, but for what is not known any more. */
  private carry(from: number, to: number): void {
    const { touched } = this.arrays;
    const count = touched[this.data.nodeCount]!;
    for (const role of ROLES) {
      this.carryRole(role, from, to);
      for (let k = 0; k < count; k++) this.countIn(role, touched[k]!, from, to);
    }
  }

  /** What targets add of now, by the kinds of move of a role, and the most of those. */
  private carryRole(role: Role, from: number, to: number): void {
    const { lines, ofChunk, mostAdded } = this;
    const { adds } = this.arrays;
    const { instances } = lines.arrays;
    const kinds = KINDS_OF[role];
    lines.falls(role, from, to, ofChunk);
    for (let place = from; place < to; place++) {
      const at = instances[place]! * H.SLOTS;
      let most = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < kinds.length; k++) {
        const added = adds[at + kinds[k]!]! - ofChunk[place - from]!;
        adds[at + kinds[k]!] = added;
        if (added > most) most = added;
      }
      mostAdded[place - from] = most;
    }
  }

  /** Takes target j into account, which a step touched. */
  private countIn(role: Role, j: number, from: number, to: number): void {
    const { lines, ofChunk, mostAdded } = this;
    const { adds } = this.arrays;
    const { instances, reservations, reserved } = lines.arrays;
    const mostSaved = role === PRIMARY ? 0 : Math.min(0, reserved[j]!);
    lines.ofRow(role, j, from, to, ofChunk);
    for (let place = from; place < to; place++) {
      const added = ofChunk[place - from]!;
      const least = added + mostSaved * reservations[place]!;
      if (!(least < mostAdded[place - from]!)) continue;
      const i = instances[place]!;
      for (const kind of KINDS_OF[role]) {
        if (!(least < adds[i * H.SLOTS + kind]!)) continue;
        const reserving = role === PRIMARY ? 0 : lines.reservationAt(place, this.primaryWith(i, kind), j);
        this.lower(i, kind, j, added + reserving);
      }
    }
  }

  private primaryWith(i: number, kind: MoveKind): number {
    const { primary, secondary } = this.data;
    return (kind === REPLACE_SECONDARY ? primary : secondary)[i]!;
  }

  private lower(i: number, kind: MoveKind, j: number, added: number): void {
    const { adds, ofLocations } = this.arrays;
    const { rules } = this.scan;
    const at = i * H.SLOTS + kind;
    const known = adds[at]!;
    if (added >= known) return;
    const target = this.data.targets[j]!;
    const least = Math.min(added, known - ofLocations[at]!);
    let there = added;
    if (ofLocations[at]! > 0) {
      this.scan.locations.open(i);
      there += this.beyondBest(i, kind, target);
    }
    if (there < known) {
      rules.open(i, kind);
      if (!rules.allows(target)) return;
      adds[at] = there;
    }
    ofLocations[at] = adds[at]! - least;
  }

  /** How much worse a target's locations do than the best; the scan's are open for the instance. */
  private beyondBest(i: number, kind: MoveKind, target: number): number {
    const best = this.leavings.arrays.locations[i * H.SLOTS + kind]!;
    return Math.max(0, this.scan.locations.of(kind, target) - best);
  }

  /** What its nodes do when an instance leaves them, and what targets add where that is not known. */
  private renew(i: number): void {
    const { knowledge, leaving, adds } = this.arrays;
    const isUnknown = knowledge[i] === UNKNOWN;
    const fallen = this.leavings.arrays.fallen[0]!;
    knowledge[i] = KNOWN;
    for (const kind of KINDS) {
      const at = i * H.SLOTS + kind;
      leaving[at] = this.leavings.of(i, kind) + fallen;
      const isPossible = leaving[at] !== Number.POSITIVE_INFINITY;
      // What the rules say of touched targets is not known of a kind that is impossible.
      if (isUnknown || !isPossible) adds[at] = NOT_WEIGHED;
      if (isPossible && kind !== FAILOVER && adds[at] === NOT_WEIGHED)
        this.scanKind(i, kind, Number.NEGATIVE_INFINITY);
    }
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
    const fallen = this.leavings.arrays.fallen[0]!;
    for (const kind of KINDS) {
      const at = i * H.SLOTS + kind;
      const limit = scan.found.limit + margin + fallen;
      if (leaving[at]! + (kind === FAILOVER ? 0 : adds[at]!) > limit) continue;
      leaving[at] = this.leavings.of(i, kind) + fallen;
      if (kind === FAILOVER) {
        scan.kind(i, kind, this.left, 0);
        continue;
      }
      if (leaving[at]! + adds[at]! > limit) continue;
      this.scanKind(i, kind, limit - leaving[at]!);
    }
  }

  /**
   * Scans the targets that add no more than that. `adds` is no more than the least then that any adds which
   * the rules allow: what they forbid stays forbidden until a step touches the target.
   */
  private scanKind(i: number, kind: MoveKind, limit: number): void {
    const { scan, lines, left } = this;
    const { adds, ofLocations } = this.arrays;
    const { targets } = this.data;
    const { roles, placeOf } = lines.arrays;
    const role = toSecondary(kind) ? SECONDARY : PRIMARY;
    const { plain, order } = roles[role];
    const place = placeOf[i]!;
    const primary = this.primaryWith(i, kind);
    const beyond = lines.beyondPlain(role, place);
    const mostSaved = role === SECONDARY ? lines.leastReservation(place) : 0;
    const usesLocations = this.data.locationClassCount > 0;
    if (usesLocations) scan.locations.open(i);
    scan.rules.open(i, kind);
    let count = 0;
    let least = Number.POSITIVE_INFINITY;
    /** The same wherever its locations are. */
    let leastAnywhere = Number.POSITIVE_INFINITY;
    for (let k = 0; k < order.length; k++) {
      const j = order[k]!;
      const atLeast = plain[j]! + beyond;
      if (atLeast > limit && atLeast >= least) break;
      this.weighed++;
      let added = lines.at(role, place, j);
      if (added + mostSaved >= least && added + mostSaved > limit) continue;
      if (role === SECONDARY) added += lines.reservationAt(place, primary, j);
      if ((added >= least && added > limit) || !scan.rules.allows(targets[j]!)) continue;
      leastAnywhere = Math.min(leastAnywhere, added);
      if (usesLocations) added += this.beyondBest(i, kind, targets[j]!);
      least = Math.min(least, added);
      if (added <= limit && scan.rules.leavesPivot(targets[j]!)) left[count++] = targets[j]!;
    }
    const at = i * H.SLOTS + kind;
    adds[at] = least;
    ofLocations[at] = least > leastAnywhere ? least - leastAnywhere : 0;
    if (count > 0) scan.kind(i, kind, left, count);
  }
}
