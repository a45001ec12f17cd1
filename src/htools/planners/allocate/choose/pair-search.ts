/**
 * The best pair of nodes for one instance after the other, without looking at all pairs: the same pair as the
 * full scan (Allocator) finds.
 *
 * A variance in which a primary changes one value by d and a secondary another by e becomes V + u(primary) +
 * u(secondary) - 2de/n^2 (u: role-changes.ts), so that one pair costs a few roots. Taking each secondary's
 * part at its smallest gives a bound for a primary, and the other way round; primaries are opened in the
 * order of their bounds, and their secondaries in the order of theirs, until no bound can win. Pairs that
 * these figures cannot tell apart are scored by PairScan, in stock's order of operations, for the last bit.
 */

import { ALLOWED } from '../../../cluster/refusal.ts';
import { failsWith, reservationOf } from '../../../model/rules/n-plus-one.ts';
import { IS_DEVIATION, type ScopeStatistics } from '../../../model/score/incremental.ts';
import {
  METRIC_COUNT,
  METRICS,
  N1_CNT,
  OFFLINE_ALL_CNT,
  RESERVED_MEM_CV,
  RESERVED_MEM_RTOTAL,
} from '../../../model/score/metrics.ts';
import * as F from '../../../model/state/node-fields.ts';
import { PeerRow } from '../../../model/state/peer-rows.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { Placement } from '../solution.ts';
import { byPlace, oneOfEach } from './like-pairs.ts';
import { PairScan } from './pair-scan.ts';
import type { RefusalTable } from './refusal-table.ts';
import { RoleChanges } from './role-changes.ts';

/**
 * Roundings in one updated variance, each of at most one unit in the last place of a few times the largest
 * square.
 */
const ROUNDINGS = 64;

export class PairSearch {
  private readonly state: ClusterState;
  private readonly statistics: ScopeStatistics;
  private readonly scan: PairScan;
  private readonly changes: RoleChanges;
  private readonly candidates: readonly number[];

  // The figures of one search.
  private readonly weights = new Float64Array(METRIC_COUNT);
  /** Metrics that both roles change, and what each node does to their variances. */
  private shared: number[] = [];
  private readonly primaryShift: readonly Float64Array[];
  private readonly secondaryShift: readonly Float64Array[];
  /**
   * What a primary scores in the metrics that no secondary changes, and a secondary in those that follow its
   * reservation.
   */
  private readonly primaryScore: Float64Array;
  private readonly secondaryScore: Float64Array;
  /**
   * The least that a primary scores with any secondary, and a secondary with any primary, its own score left
   * out.
   */
  private readonly bound: Float64Array;
  private readonly leastWith: Float64Array;
  /** Allowed secondaries of each group, those with the least score first. */
  private readonly ranked = new Map<number, number[]>();
  private reservation = 0;
  private found: { readonly home: Placement; readonly score: number }[] = [];
  private best = Number.POSITIVE_INFINITY;
  /** How far above the best score here the exactly best pair may be. */
  private slack = 0;

  /**
   * @param candidates nodes that pairs are made of; those of a group all go together
   * @param online nodes that count for the score
   */
  private readonly peerRow: PeerRow;

  constructor(statistics: ScopeStatistics, candidates: readonly number[], online: readonly number[]) {
    const { state } = statistics;
    const columns = (): Float64Array[] => METRICS.map(() => new Float64Array(state.nodeCount));
    this.state = state;
    this.statistics = statistics;
    this.candidates = candidates;
    this.scan = new PairScan(statistics);
    this.changes = new RoleChanges(statistics, online);
    this.primaryShift = columns();
    this.secondaryShift = columns();
    this.primaryScore = new Float64Array(state.nodeCount);
    this.secondaryScore = new Float64Array(state.nodeCount);
    this.peerRow = new PeerRow(state);
    this.bound = new Float64Array(state.nodeCount);
    this.leastWith = new Float64Array(state.nodeCount);
  }

  /** Whether the bounds hold: no metric is undefined, and none depends on both nodes' locations. */
  get isApplicable(): boolean {
    return !this.state.tags.hasLocations && !this.statistics.isUndefined;
  }

  /** Renews what is known of these nodes. The rest must be about an instance of the same size. */
  update(i: number, changed: readonly number[]): void {
    this.reservation = reservationOf(this.state, i);
    this.changes.update(i, changed);
  }

  /** The best allowed pair, of equal ones the last; undefined when there is none. */
  find(i: number, table: RefusalTable): Placement | undefined {
    const open = this.candidates.filter((p) => table.primaryCode(p) === ALLOWED);
    const seconds = this.candidates.filter((s) => table.isOpenSecondary(s));
    if (open.length === 0 || seconds.length === 0) return undefined;
    this.found = [];
    this.best = Number.POSITIVE_INFINITY;
    this.prepare(open, seconds);
    const { bound } = this;
    for (const primary of open.sort((a, b) => bound[a]! - bound[b]!)) {
      if (bound[primary]! > this.best + this.slack) break;
      this.openPrimary(primary, table);
    }
    return this.decide(i);
  }

  /** Everything that one search shares: shifts of the variances, scores of the single roles, bounds. */
  private prepare(open: readonly number[], seconds: readonly number[]): void {
    const { weights, primaryScore, secondaryScore, changes } = this;
    changes.weights(weights);
    this.shared = [];
    this.slack = ROUNDINGS * Number.EPSILON * this.statistics.now.score(0);
    for (const p of open) primaryScore[p] = this.state.weights[N1_CNT]! * changes.primary.change[N1_CNT]![p]!;
    for (const s of seconds) {
      const at = s * METRIC_COUNT;
      const { rows } = changes.secondary;
      secondaryScore[s] = this.reservationScore(s, rows[at + RESERVED_MEM_CV]!, rows[at + N1_CNT]!);
    }
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (weights[m] === 0 || !IS_DEVIATION[m] || m === RESERVED_MEM_CV) continue;
      this.allowForRounding(m, weights[m]!, this.findShifts(m, open, seconds));
    }
    this.findBounds(open, seconds);
    this.rank(seconds);
  }

  /**
   * What each node's change does to a variance. Where no secondary changes anything, the deviation is the
   * primary's alone. Returns a lower limit of the variance behind any pair.
   */
  private findShifts(m: number, open: readonly number[], seconds: readonly number[]): number {
    const { changes, primaryShift, secondaryShift } = this;
    const variance = this.statistics.now.variances[m]!;
    const isShared = seconds.some((s) => changes.secondary.change[m]![s] !== 0);
    for (const p of open) primaryShift[m]![p] = changes.shift(m, p, changes.primary);
    const first = leastOf(primaryShift[m]!, open);
    if (!isShared) {
      const weight = this.weights[m]!;
      for (const p of open)
        this.primaryScore[p]! += weight * Math.sqrt(Math.max(0, variance + primaryShift[m]![p]!));
      return variance + first;
    }
    this.shared.push(m);
    for (const s of seconds) secondaryShift[m]![s] = changes.shift(m, s, changes.secondary);
    return variance + first + leastOf(secondaryShift[m]!, seconds) - this.largestProduct(m, open, seconds);
  }

  /** Upper limit of 2de/n^2 over all pairs. */
  private largestProduct(m: number, open: readonly number[], seconds: readonly number[]): number {
    const { primary, secondary } = this.changes;
    const { count } = this.statistics.now;
    let d = 0;
    let e = 0;
    for (const p of open) d = Math.max(d, Math.abs(primary.change[m]![p]!));
    for (const s of seconds) e = Math.max(e, Math.abs(secondary.change[m]![s]!));
    return (2 * d * e) / (count * count);
  }

  /**
   * Widens the slack by how far a metric may be from stock's. Both start from the same sums and variances and
   * differ by roundings alone: a variance by e = 64 units in the last place of its largest square, a
   * deviation by at most e over itself (or the root of e, where it may be zero). Twice, since the best and
   * its rival may both be off, and once more for the bound.
   */
  private allowForRounding(m: number, weight: number, leastVariance: number): void {
    const largest = this.changes.largest(m);
    const error = ROUNDINGS * Number.EPSILON * largest * largest;
    this.slack += 3 * weight * (leastVariance > error ? error / Math.sqrt(leastVariance) : Math.sqrt(error));
  }

  /** Score of the metrics that follow a secondary's reservation: its deviation, total, and N+1 count. */
  private reservationScore(s: number, share: number, failing: number): number {
    const { rows } = this.statistics;
    const at = s * METRIC_COUNT;
    return (
      this.reservedDeviation(s, share) +
      this.state.weights[RESERVED_MEM_RTOTAL]! * (share - rows[at + RESERVED_MEM_RTOTAL]!) +
      this.state.weights[N1_CNT]! * (failing - rows[at + N1_CNT]!)
    );
  }

  private reservedDeviation(s: number, share: number): number {
    const { rows, now } = this.statistics;
    const before = rows[s * METRIC_COUNT + RESERVED_MEM_CV]!;
    const d = share - before;
    const shift = now.count * (share * share - before * before) - 2 * now.sums[RESERVED_MEM_CV]! * d - d * d;
    const variance = now.variances[RESERVED_MEM_CV]! + shift / (now.count * now.count);
    return this.state.weights[RESERVED_MEM_CV]! * Math.sqrt(Math.max(0, variance));
  }

  /**
   * Lower limit of the deviation with a secondary's reservation for any primary. Earlier reservations only
   * raise the share (and with it the total and the N+1 count); the deviation is least where the share is the
   * others' mean.
   */
  private leastReservedDeviation(s: number, share: number): number {
    const { now, rows } = this.statistics;
    const own = rows[s * METRIC_COUNT + RESERVED_MEM_CV]!;
    const others = now.count > 1 ? (now.sums[RESERVED_MEM_CV]! - own) / (now.count - 1) : share;
    return this.reservedDeviation(s, Math.max(share, others));
  }

  private findBounds(open: readonly number[], seconds: readonly number[]): void {
    const { bound, leastWith, weights, primaryShift, secondaryShift } = this;
    const { variances } = this.statistics.now;
    let leastDeviation = Number.POSITIVE_INFINITY;
    for (const s of seconds) {
      const share = this.changes.secondary.rows[s * METRIC_COUNT + RESERVED_MEM_CV]!;
      const deviation = this.leastReservedDeviation(s, share);
      leastWith[s] = this.secondaryScore[s]! - this.reservedDeviation(s, share) + deviation;
      leastDeviation = Math.min(leastDeviation, deviation);
    }
    const weight = this.state.weights[RESERVED_MEM_CV]!;
    this.allowForRounding(RESERVED_MEM_CV, weight, (leastDeviation / weight) ** 2);
    const leastReserved = leastOf(leastWith, seconds);
    for (const p of open) bound[p] = this.primaryScore[p]! + leastReserved;
    for (const m of this.shared) {
      const first = leastOf(primaryShift[m]!, open);
      const second = leastOf(secondaryShift[m]!, seconds);
      const rest = variances[m]! - this.largestProduct(m, open, seconds);
      for (const p of open)
        bound[p]! += weights[m]! * Math.sqrt(Math.max(0, rest + second + primaryShift[m]![p]!));
      for (const s of seconds)
        leastWith[s]! += weights[m]! * Math.sqrt(Math.max(0, rest + first + secondaryShift[m]![s]!));
    }
  }

  private rank(seconds: readonly number[]): void {
    const { ranked, leastWith } = this;
    ranked.clear();
    for (const s of seconds.toSorted((a, b) => leastWith[a]! - leastWith[b]!)) {
      const group = this.state.groupOf[s]!;
      const list = ranked.get(group);
      if (list) list.push(s);
      else ranked.set(group, [s]);
    }
  }

  /** Notes the pairs of a primary that are near the best. */
  private openPrimary(primary: number, table: RefusalTable): void {
    const { state, shared, weights, primaryShift, secondaryShift } = this;
    const { variances, count } = this.statistics.now;
    const { change: firstChange } = this.changes.primary;
    const { change: secondChange } = this.changes.secondary;
    const base = this.primaryScore[primary]!;
    const peers = this.peerRow.open(primary);
    const cross = 2 / (count * count);
    for (const s of this.ranked.get(state.groupOf[primary]!) ?? []) {
      if (base + this.leastWith[s]! > this.best + this.slack) break;
      if (s === primary) continue;
      const peer = peers[s]!;
      if (peer > 0 && table.secondaryCode(primary, s) !== ALLOWED) continue;
      let score = base + (peer > 0 ? this.scoreWithPeer(s, peer) : this.secondaryScore[s]!);
      for (let k = 0; k < shared.length; k++) {
        const m = shared[k]!;
        const product = cross * firstChange[m]![primary]! * secondChange[m]![s]!;
        const variance = variances[m]! + primaryShift[m]![primary]! + secondaryShift[m]![s]! - product;
        if (variance > 0) score += weights[m]! * Math.sqrt(variance);
      }
      if (score > this.best + this.slack) continue;
      if (score < this.best) this.best = score;
      this.found.push({ home: { primary, secondary: s }, score });
    }
  }

  /** What a secondary's reservation scores when it reserves that much for the primary already. */
  private scoreWithPeer(s: number, peer: number): number {
    const { state } = this;
    const at = s * F.NODE_STRIDE;
    const reserved = peer + this.reservation;
    if (reserved <= state.nodeFields[at + F.RESERVED_MEM]!) return this.secondaryScore[s]!;
    const fails = failsWith(state.nodeFields[at + F.FREE_MEM]!, reserved);
    const failing = fails ? this.changes.secondary.rows[s * METRIC_COUNT + OFFLINE_ALL_CNT]! : 0;
    return this.reservationScore(s, reserved / state.totalMem[s]!, failing);
  }

  /** Scores exactly what is within the slack of the best. */
  private decide(i: number): Placement | undefined {
    const { scan } = this;
    const limit = this.best + this.slack;
    const close = this.found.filter(({ score }) => score <= limit).map(({ home }) => home);
    const homes = oneOfEach(this.state, this.changes, close).toSorted(byPlace);
    if (homes.length <= 1) return homes[0];
    scan.prepare(
      i,
      [...new Set(homes.map((home) => home.primary))],
      [...new Set(homes.map((home) => home.secondary))],
    );
    let best: Placement | undefined;
    let bestScore = Number.POSITIVE_INFINITY;
    let opened = -1;
    for (const home of homes) {
      if (home.primary !== opened) scan.open(home.primary);
      opened = home.primary;
      const score = scan.score(home.secondary);
      if (score > bestScore) continue;
      best = home;
      bestScore = score;
    }
    return best;
  }
}

function leastOf(values: Float64Array, nodes: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < nodes.length; k++) least = Math.min(least, values[nodes[k]!]!);
  return least;
}
