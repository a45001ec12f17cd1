/**
 * What the pairs of each group score at least, kept from one instance of a size to the next.
 *
 * A variance in which a primary changes one value by d and a secondary another by e becomes V + u + v -
 * 2de/n^2, with a u for each primary and a v for each secondary (role-changes.ts). The root of it lies above
 * its chord over the range that the group's pairs have, and the chord is a sum of what the primary and what
 * the secondary bring. With all metrics added up each node has one figure a role, and a pair scores at least
 * the sum of two. Product and bend are of the order of 1/n^2, so that hardly a pair is looked at in vain.
 *
 * An instance changes one group. For the others V and the sum S of the values are others now: y = V + u + v
 * has become y + dV - 2 dS (d + e) / n^2. The ranges of y and of d + e tell how far any score can have moved,
 * which is added up. So a group is computed anew when it changes, and where that does not rule it out.
 */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { reservationOf } from '../../../model/rules/n-plus-one.ts';
import {
  LOCATION_SCORE,
  METRIC_COUNT,
  METRICS,
  N1_CNT,
  RESERVED_MEM_CV,
  RESERVED_MEM_RTOTAL,
} from '../../../model/score/metrics.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import { IS_DEVIATION } from '../../../model/score/statistics.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { RefusalTable } from '../choose/refusal-table.ts';
import type { RoleChanges } from './role-changes.ts';
import { Range, ScoreDrift } from './score-drift.ts';

/** Half of the rounding to allow for: a pair and its rival may both be off, and the bound. */
const PART_OF_ERROR = 1.5;

export interface GroupPairs {
  readonly nodes: readonly number[];
  /** Allowed primaries, and secondaries of primaries for which they reserve nothing. */
  open: readonly number[];
  seconds: readonly number[];
  /** Deviations that both roles change. */
  shared: readonly number[];
  leastFirst: number;
  /** How far a score that is computed here may be from stock's, but for what all are off by. */
  error: number;
  /** Its position among the groups. */
  readonly place: number;
  /** When it was computed, and what its pairs scored at least then. */
  moment: number;
  least: number;
}

export class PairBounds {
  readonly changes: RoleChanges;
  readonly groups: readonly GroupPairs[];
  readonly weights: Float64Array;
  /** What each node does to the variances. */
  readonly primaryShift: readonly Float64Array[];
  readonly secondaryShift: readonly Float64Array[];
  /** What primaries score in metrics without secondaries, secondaries in those of their reservation. */
  readonly primaryScore: Float64Array;
  readonly secondaryScore: Float64Array;
  /** The figures whose sum no pair scores less than. */
  readonly first: Float64Array;
  readonly second: Float64Array;
  /** Memory that the instance needs reserved on its secondary. */
  reservation = 0;
  private readonly state: ClusterState;
  private readonly scorer: Scorer;
  private readonly groupAt: ReadonlyMap<number, GroupPairs>;
  private readonly drift: ScoreDrift;
  /** What the pairs of each group score at least, less how far scores had moved; -Infinity: not known. */
  private readonly least: Float64Array;
  /** The score when all was computed anew. */
  private score = 0;

  /** @param candidates nodes that pairs are made of; those of a group all go together */
  constructor(scorer: Scorer, candidates: readonly number[]) {
    const { state } = scorer;
    const column = (): Float64Array => new Float64Array(state.nodeCount);
    this.state = state;
    this.scorer = scorer;
    this.drift = new ScoreDrift(scorer, true, candidates.length);
    this.changes = this.drift.changes;
    this.weights = this.drift.weights;
    this.primaryShift = METRICS.map(column);
    this.secondaryShift = METRICS.map(column);
    this.primaryScore = column();
    this.secondaryScore = column();
    this.first = column();
    this.second = column();
    const places = [...new Set(candidates.map((n) => state.groupOf[n]!))];
    this.groups = places.map((group, place) => ({
      nodes: candidates.filter((n) => state.groupOf[n] === group),
      place,
      open: [],
      seconds: [],
      shared: [],
      leastFirst: 0,
      error: 0,
      moment: 0,
      least: Number.NEGATIVE_INFINITY,
    }));
    this.groupAt = new Map(places.map((group, place) => [group, this.groups[place]!]));
    this.least = new Float64Array(places.length);
  }

  /** Whether the bounds hold: no metric is undefined. */
  get areDefined(): boolean {
    return this.changes.areDefined;
  }

  /** By node, the class of those that have the same locations. */
  get locationClassOf(): Int32Array {
    return this.state.tags.locationClassOf;
  }

  /** What a pair scores by the locations that its nodes have in common. */
  locationScore(primary: number, secondary: number): number {
    const { tags, weights } = this.state;
    return tags.hasLocations ? weights[LOCATION_SCORE]! * tags.commonLocations(primary, secondary) : 0;
  }

  /** Takes over changes on nodes. @param isAll nothing of the others was about an instance of this size */
  update(i: number, changed: readonly number[], isAll: boolean, table: RefusalTable): void {
    if (this.drift.update(changed, isAll)) {
      this.score = this.scorer.score;
      this.least.fill(Number.NEGATIVE_INFINITY);
    }
    if (isAll) for (const group of this.groups) this.list(group, i, table);
    else for (const n of changed) this.hear(n, i, table);
    this.reservation = reservationOf(this.state, i);
    if (!this.areDefined) return;
    for (const group of this.groups)
      if (this.least[group.place] === Number.NEGATIVE_INFINITY) this.renew(group);
  }

  /** A node of a group changed. */
  private hear(n: number, i: number, table: RefusalTable): void {
    const group = this.groupAt.get(this.state.groupOf[n]!);
    if (!group) return;
    this.least[group.place] = Number.NEGATIVE_INFINITY;
    const isOpen = table.primaryCode(n) === ALLOWED;
    const isSecond = table.isOpenSecondary(n);
    if (group.open.includes(n) !== isOpen || group.seconds.includes(n) !== isSecond)
      this.list(group, i, table);
    else if (isOpen || isSecond) this.changes.know(i, [n]);
  }

  private list(group: GroupPairs, i: number, table: RefusalTable): void {
    group.open = group.nodes.filter((p) => table.primaryCode(p) === ALLOWED);
    group.seconds = group.open.length === 0 ? [] : group.nodes.filter((s) => table.isOpenSecondary(s));
    if (group.seconds.length === 0) return;
    this.changes.know(i, group.open);
    this.changes.know(i, group.seconds);
  }

  /**
   * Takes out the group whose pairs may score least, computed anew; undefined when no pair that is left may
   * score as little as that. `putBack` when the group has been looked at, and all that are to be are out.
   */
  take(score: number): GroupPairs | undefined {
    const { least, drift } = this;
    for (;;) {
      let place = 0;
      for (let k = 1; k < least.length; k++) if (least[k]! < least[place]!) place = k;
      if (!(least[place]! + drift.moved <= score) || least[place] === Number.POSITIVE_INFINITY)
        return undefined;
      const group = this.groups[place]!;
      if (group.moment === drift.moment) {
        least[place] = Number.POSITIVE_INFINITY;
        return group;
      }
      this.renew(group);
    }
  }

  /** Puts back a group none of whose pairs scores less than that now. */
  putBack(group: GroupPairs, least: number): void {
    this.least[group.place] = Math.max(group.least, least) - this.drift.moved;
  }

  private renew(group: GroupPairs): void {
    const { state, changes, weights, first, second, primaryScore } = this;
    group.moment = this.drift.moment;
    this.least[group.place] = Number.POSITIVE_INFINITY;
    if (group.open.length === 0 || group.seconds.length === 0) return;
    for (const p of group.open)
      first[p] = primaryScore[p] = state.weights[N1_CNT]! * changes.primary.change[N1_CNT]![p]!;
    const ofLocations = state.weights[LOCATION_SCORE]! * state.tags.locationCount;
    let error = (Math.abs(this.score) + ofLocations) * Number.EPSILON * METRIC_COUNT;
    error += this.addReserved(group.seconds);
    const shared: number[] = [];
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (weights[m] === 0 || !IS_DEVIATION[m] || m === RESERVED_MEM_CV) continue;
      const change = changes.secondary.change[m]!;
      const isShared = group.seconds.some((s) => change[s] !== 0);
      if (isShared) shared.push(m);
      error += isShared ? this.addShared(m, group) : this.addPrimaries(m, group.open);
    }
    group.shared = shared;
    group.error = PART_OF_ERROR * error;
    const firsts = lowest(group.open, first);
    const seconds = lowest(group.seconds, second);
    group.leastFirst = firsts.low;
    const least =
      firsts.node === seconds.node
        ? Math.min(firsts.low + seconds.next, firsts.next + seconds.low)
        : firsts.low + seconds.low;
    group.least = least - group.error;
    this.least[group.place] = group.least - this.drift.moved;
  }

  /** Adds a deviation that the primary alone changes. Returns its error, as the two below. */
  private addPrimaries(m: number, open: readonly number[]): number {
    const { changes, first, primaryScore } = this;
    const weight = this.weights[m]!;
    const variance = changes.variances[m]!;
    const { first: change, second, firstShift, secondShift } = this.drift.reach[m]!;
    const d = Range.of(open, changes.primary.change[m]!);
    const u = this.primaryShift[m]!;
    for (const p of open) {
      u[p] = changes.shift(m, p, changes.primary);
      const score = weight * Math.sqrt(Math.max(0, variance + u[p]!));
      primaryScore[p]! += score;
      first[p]! += score;
    }
    const shifts = Range.of(open, u);
    change.cover(d);
    firstShift.cover(shifts);
    second.add(0);
    secondShift.add(0);
    return weight * changes.distanceError(m, variance + shifts.low, shifts.largest, d.largest);
  }

  /** Adds the chord of a deviation that both roles change. */
  private addShared(m: number, { open, seconds }: GroupPairs): number {
    const { changes, first, second } = this;
    const weight = this.weights[m]!;
    const variance = changes.variances[m]!;
    const d = Range.of(open, changes.primary.change[m]!);
    const e = Range.of(seconds, changes.secondary.change[m]!);
    const u = this.primaryShift[m]!;
    const v = this.secondaryShift[m]!;
    for (const p of open) u[p] = changes.shift(m, p, changes.primary);
    for (const s of seconds) v[s] = changes.shift(m, s, changes.secondary);
    const firsts = Range.of(open, u);
    const others = Range.of(seconds, v);
    const product = this.drift.largestProduct(m, d, e);
    const low = variance + firsts.low + others.low - product;
    const start = Math.max(0, low);
    const end = Math.max(0, variance + firsts.high + others.high + product);
    const slope = end > start ? (Math.sqrt(end) - Math.sqrt(start)) / (end - start) : 0;
    const fixed = Math.sqrt(start) + slope * (variance - product - start);
    for (const p of open) first[p]! += weight * (fixed + slope * u[p]!);
    for (const s of seconds) second[s]! += weight * slope * v[s]!;
    const reach = this.drift.reach[m]!;
    reach.first.cover(d);
    reach.second.cover(e);
    reach.firstShift.cover(firsts);
    reach.secondShift.cover(others);
    const shift = firsts.largest + others.largest + product;
    return weight * changes.distanceError(m, low, shift, d.largest + e.largest);
  }

  /**
   * Begins the figures of secondaries with the metrics that follow their reservation. What a node reserves
   * for the primary already only raises its share, the total and the N+1 count.
   */
  private addReserved(seconds: readonly number[]): number {
    const { changes, second, secondaryScore } = this;
    const reach = this.drift.reach[RESERVED_MEM_CV]!;
    const change = new Range();
    const shifts = new Range();
    for (const s of seconds) {
      const at = s * METRIC_COUNT;
      const share = changes.secondary.rows[at + RESERVED_MEM_CV]!;
      // For a primary that has some reserved already.
      const before = this.scorer.rows[at + RESERVED_MEM_CV]!;
      const most = Math.max(share, before + this.reservation / this.state.totalMem[s]!);
      const evenest = this.reservedShift(s, this.evenestShare(s, share, most));
      const shift = this.reservedShift(s, share);
      change.add(share - before);
      change.add(most - before);
      shifts.add(shift);
      shifts.add(this.reservedShift(s, most));
      shifts.add(evenest);
      secondaryScore[s] = this.reservedScore(s, share, changes.secondary.rows[at + N1_CNT]!);
      second[s] = secondaryScore[s]! - this.mayFall(s, share, shift, evenest);
    }
    reach.first.add(0);
    reach.firstShift.add(0);
    reach.second.cover(change);
    reach.secondShift.cover(shifts);
    const least = changes.variances[RESERVED_MEM_CV]! + shifts.low;
    return (
      this.weights[RESERVED_MEM_CV]! *
      changes.distanceError(RESERVED_MEM_CV, least, shifts.largest, change.largest)
    );
  }

  /** The share that makes the reserved memory most even, between what it is at least and at most. */
  private evenestShare(s: number, least: number, most: number): number {
    const { counts, sums } = this.changes;
    const count = counts[RESERVED_MEM_CV]!;
    if (count <= 1) return least;
    const own = this.scorer.rows[s * METRIC_COUNT + RESERVED_MEM_CV]!;
    return Math.min(most, Math.max(least, (sums[RESERVED_MEM_CV]! - own) / (count - 1)));
  }

  /**
   * How much less a secondary may score that reserves for the primary already. The deviation is a convex
   * function of the share: where it falls by less than the total rises, nothing.
   */
  private mayFall(s: number, share: number, shift: number, evenestShift: number): number {
    const { weights } = this.state;
    const { counts, sums, variances } = this.changes;
    const count = counts[RESERVED_MEM_CV]!;
    const variance = variances[RESERVED_MEM_CV]!;
    const deviation = Math.sqrt(Math.max(0, variance + shift));
    const own = this.scorer.rows[s * METRIC_COUNT + RESERVED_MEM_CV]!;
    const mean = (sums[RESERVED_MEM_CV]! - own + share) / count;
    const rise = weights[RESERVED_MEM_RTOTAL]! * count * deviation;
    if (rise + weights[RESERVED_MEM_CV]! * (share - mean) >= 0) return 0;
    return weights[RESERVED_MEM_CV]! * (deviation - Math.sqrt(Math.max(0, variance + evenestShift)));
  }

  /** Shift of the reserved memory's variance by another share of a node. */
  private reservedShift(s: number, share: number): number {
    const { counts, sums } = this.changes;
    const count = counts[RESERVED_MEM_CV]!;
    const before = this.scorer.rows[s * METRIC_COUNT + RESERVED_MEM_CV]!;
    const d = share - before;
    return (count * (share * share - before * before) - 2 * sums[RESERVED_MEM_CV]! * d - d * d) / count ** 2;
  }

  /** Score of the metrics that follow a secondary's reservation: its deviation, total, and N+1 count. */
  reservedScore(s: number, share: number, failing: number): number {
    const { weights } = this.state;
    const { rows } = this.scorer;
    const at = s * METRIC_COUNT;
    const variance = this.changes.variances[RESERVED_MEM_CV]! + this.reservedShift(s, share);
    return (
      weights[RESERVED_MEM_CV]! * Math.sqrt(Math.max(0, variance)) +
      weights[RESERVED_MEM_RTOTAL]! * (share - rows[at + RESERVED_MEM_RTOTAL]!) +
      weights[N1_CNT]! * (failing - rows[at + N1_CNT]!)
    );
  }
}

/** The node with the lowest figure, that figure, and the lowest of the others. */
function lowest(nodes: readonly number[], figures: Float64Array) {
  let node = -1;
  let low = Number.POSITIVE_INFINITY;
  let next = Number.POSITIVE_INFINITY;
  for (const n of nodes) {
    const figure = figures[n]!;
    if (figure < low) {
      next = low;
      low = figure;
      node = n;
    } else if (figure < next) next = figure;
  }
  return { node, low, next };
}
