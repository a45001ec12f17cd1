/**
 * The best pair of nodes for one instance after the other, without looking at all pairs: the same pair as the full scan
 * (Allocator) finds.
 *
 * What a node changes in each metric as primary or as secondary is kept from one allocation to the next and renewed for
 * the nodes that changed. A variance in which a primary changes one value by d and a secondary another by e becomes
 * V + u(primary) + u(secondary) - 2de/n^2, so that one pair costs a few roots. Taking each secondary's part at its
 * smallest gives a bound for a primary, and the other way round; primaries are opened in the order of their bounds, and
 * their secondaries in the order of theirs, until no bound can win.
 * Pairs that these figures cannot tell apart are scored by PairScan, in stock's order of operations, for the last bit.
 */
import * as F from '../cluster/node-fields.ts';
import { ALLOWED } from '../cluster/refusal.ts';
import type { ClusterState } from '../cluster/state.ts';
import { rowWithPrimary, rowWithSecondary } from '../moves/arrival-rows.ts';
import { failsWith, reservationOf } from '../rules/n-plus-one.ts';
import { IS_DEVIATION, WEIGHTS } from '../score/incremental.ts';
import {
  FREE_DISK_CV,
  FREE_DISK_CV_FORTH,
  FREE_MEM_CV,
  FREE_MEM_CV_FORTH,
  METRIC_COUNT,
  METRICS,
  N1_CNT,
  OFFLINE_ALL_CNT,
  RESERVED_MEM_CV,
  RESERVED_MEM_RTOTAL,
  SPINDLES_CV,
  SPINDLES_CV_FORTH,
  VCPU_RATIO_CV,
  VCPU_RATIO_CV_FORTH,
} from '../score/metrics.ts';
import type { PairScan } from './pair-scan.ts';
import type { RefusalTable } from './refusal-table.ts';
import type { Placement } from './solution.ts';

/** Metrics that are most often equal on all nodes, and of equal weight: the second is counted with the first then. */
const TWINS: readonly (readonly [number, number])[] = [
  [FREE_MEM_CV, FREE_MEM_CV_FORTH],
  [FREE_DISK_CV, FREE_DISK_CV_FORTH],
  [VCPU_RATIO_CV, VCPU_RATIO_CV_FORTH],
  [SPINDLES_CV, SPINDLES_CV_FORTH],
];

/** Roundings in one updated variance, each of at most one unit in the last place of a few times the largest square. */
const ROUNDINGS = 64;

export interface PairsOfPrimary {
  readonly primary: number;
  readonly secondaries: readonly number[];
}

export class PairSearch {
  private readonly state: ClusterState;
  private readonly scan: PairScan;
  private readonly pairs: readonly PairsOfPrimary[];
  private readonly online: readonly number[];
  /** Contributions with the instance as primary and as secondary, and what they change: value and square, per metric. */
  private readonly asPrimary: Float64Array;
  private readonly asSecondary: Float64Array;
  private readonly primaryChange: Float64Array[];
  private readonly primarySquares: Float64Array[];
  private readonly secondaryChange: Float64Array[];
  private readonly secondarySquares: Float64Array[];
  /** Largest value, old or new, that a node has in a metric. */
  private readonly magnitude: Float64Array[];
  /** 1 where the metrics of a pair of twins differ on a node: `[twin * nodeCount + node]`. */
  private readonly differs: Uint8Array;
  private readonly differing = new Int32Array(TWINS.length);

  // The figures of one search.
  private readonly weights = new Float64Array(METRIC_COUNT);
  private readonly primaryShift: Float64Array[];
  private readonly secondaryShift: Float64Array[];
  /** What a secondary adds to the score whoever the primary is. */
  private readonly secondaryScore: Float64Array;
  /** What a primary adds in the metrics that no secondary changes. */
  private readonly primaryScore: Float64Array;
  private readonly bound: Float64Array;
  private readonly leastWith: Float64Array;
  private readonly ranked = new Map<number, number[]>();
  private shared: number[] = [];
  private reservation = 0;
  private readonly found = { primaries: [] as number[], secondaries: [] as number[], scores: [] as number[] };
  private best = Number.POSITIVE_INFINITY;
  private slack = 0;

  /** @param online the nodes whose figures are kept, among them all of the pairs */
  constructor(scan: PairScan, pairs: readonly PairsOfPrimary[], online: readonly number[]) {
    const { state } = scan.statistics;
    this.online = online;
    this.scan = scan;
    this.state = state;
    this.pairs = pairs;
    const n = state.nodeCount;
    const columns = (): Float64Array[] => METRICS.map(() => new Float64Array(n));
    this.asPrimary = new Float64Array(n * METRIC_COUNT);
    this.asSecondary = new Float64Array(n * METRIC_COUNT);
    this.primaryChange = columns();
    this.primarySquares = columns();
    this.secondaryChange = columns();
    this.secondarySquares = columns();
    this.magnitude = columns();
    this.primaryShift = columns();
    this.secondaryShift = columns();
    this.differs = new Uint8Array(n * TWINS.length);
    this.secondaryScore = new Float64Array(n);
    this.primaryScore = new Float64Array(n);
    this.bound = new Float64Array(n);
    this.leastWith = new Float64Array(n);
  }

  /** Whether the bounds hold: no metric is undefined, and none depends on both nodes' locations. */
  get isApplicable(): boolean {
    return !this.state.tags.hasLocations && !this.scan.statistics.isUndefined;
  }

  /** Renews what is known of these nodes. The rest must be about an instance of the same size. */
  update(i: number, changed: readonly number[]): void {
    this.reservation = reservationOf(this.state, i);
    for (const n of changed) {
      const at = n * METRIC_COUNT;
      rowWithPrimary(this.state, i, n, 0, this.asPrimary, at);
      rowWithSecondary(this.state, i, n, n, this.asSecondary, at);
      for (let m = 0; m < METRIC_COUNT; m++) this.updateChange(n, m);
      this.updateTwins(n);
    }
  }

  private updateChange(n: number, m: number): void {
    const before = this.scan.statistics.rows[n * METRIC_COUNT + m]!;
    const first = this.asPrimary[n * METRIC_COUNT + m]!;
    const second = this.asSecondary[n * METRIC_COUNT + m]!;
    this.primaryChange[m]![n] = first - before;
    this.primarySquares[m]![n] = first * first - before * before;
    this.secondaryChange[m]![n] = second - before;
    this.secondarySquares[m]![n] = second * second - before * before;
    this.magnitude[m]![n] = Math.max(Math.abs(before), Math.abs(first), Math.abs(second));
  }

  private updateTwins(n: number): void {
    const { rows } = this.scan.statistics;
    const at = n * METRIC_COUNT;
    TWINS.forEach(([a, b], twin) => {
      const differs =
        rows[at + a] !== rows[at + b] ||
        this.asPrimary[at + a] !== this.asPrimary[at + b] ||
        this.asSecondary[at + a] !== this.asSecondary[at + b];
      const place = twin * this.state.nodeCount + n;
      this.differing[twin]! += (differs ? 1 : 0) - this.differs[place]!;
      this.differs[place] = differs ? 1 : 0;
    });
  }

  /** The best allowed pair, of equal ones the last; undefined when there is none. */
  find(i: number, table: RefusalTable): Placement | undefined {
    const open = this.pairs.filter(({ primary }) => table.primaryCode(primary) === ALLOWED);
    if (open.length === 0) return undefined;
    this.found.primaries.length = 0;
    this.found.secondaries.length = 0;
    this.found.scores.length = 0;
    this.best = Number.POSITIVE_INFINITY;
    this.prepare(open, table);
    const order = open.toSorted((a, b) => this.bound[a.primary]! - this.bound[b.primary]!);
    for (const pair of order) {
      if (this.bound[pair.primary]! > this.best + this.slack) break;
      this.openPrimary(pair.primary, table);
    }
    return this.decide(i);
  }

  /** Everything that one search shares: shifts of the variances, scores of the single roles, bounds. */
  private prepare(open: readonly PairsOfPrimary[], table: RefusalTable): void {
    const { now } = this.scan.statistics;
    const { weights, primaryScore, secondaryScore } = this;
    this.weighMetrics();
    primaryScore.fill(0);
    secondaryScore.fill(0);
    this.shared = [];
    const seconds = this.pairs.map((pair) => pair.primary).filter((s) => table.isOpenSecondary(s));
    this.slack = ROUNDINGS * Number.EPSILON * now.score(0);
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (weights[m] === 0 || !IS_DEVIATION[m] || m === RESERVED_MEM_CV) continue;
      const least = this.findShifts(m, open, seconds);
      this.allowForRounding(m, weights[m]!, least);
    }
    for (const { primary } of open)
      primaryScore[primary]! += WEIGHTS[N1_CNT]! * this.primaryChange[N1_CNT]![primary]!;
    for (const s of seconds) {
      const row = s * METRIC_COUNT;
      secondaryScore[s] = this.reservationScore(
        s,
        this.asSecondary[row + RESERVED_MEM_CV]!,
        this.asSecondary[row + N1_CNT]!,
      );
    }
    this.findBounds(open, seconds);
  }

  private weighMetrics(): void {
    this.weights.set(WEIGHTS);
    TWINS.forEach(([a, b], twin) => {
      if (this.differing[twin]! > 0 || WEIGHTS[a] !== WEIGHTS[b]) return;
      this.weights[a]! += WEIGHTS[b]!;
      this.weights[b] = 0;
    });
  }

  /**
   * What each node's change does to a variance. Where no secondary changes anything, the deviation is the primary's alone.
   * Returns a lower limit of the variance behind any pair.
   */
  private findShifts(m: number, open: readonly PairsOfPrimary[], seconds: readonly number[]): number {
    const { variances, count } = this.scan.statistics.now;
    const scale = 1 / (count * count);
    const weight = this.weights[m]!;
    const isShared = seconds.some((s) => this.secondaryChange[m]![s] !== 0);
    let first = Number.POSITIVE_INFINITY;
    for (const { primary } of open) {
      const shift = this.shift(m, primary, this.primaryChange, this.primarySquares) * scale;
      this.primaryShift[m]![primary] = shift;
      if (!isShared) this.primaryScore[primary]! += weight * Math.sqrt(Math.max(0, variances[m]! + shift));
      first = Math.min(first, shift);
    }
    if (!isShared) return variances[m]! + first;
    let second = Number.POSITIVE_INFINITY;
    for (const s of seconds) {
      const shift = this.shift(m, s, this.secondaryChange, this.secondarySquares) * scale;
      this.secondaryShift[m]![s] = shift;
      second = Math.min(second, shift);
    }
    this.shared.push(m);
    return variances[m]! + first + second - this.largestProduct(m, open, seconds);
  }

  /** What one node's change does to a variance, times n^2. */
  private shift(m: number, n: number, change: Float64Array[], squares: Float64Array[]): number {
    const { sums, count } = this.scan.statistics.now;
    const d = change[m]![n]!;
    return count * squares[m]![n]! - 2 * sums[m]! * d - d * d;
  }

  /** Score of the metrics that follow a secondary's reservation: its deviation, total, and N+1 count. */
  private reservationScore(s: number, share: number, failing: number): number {
    const { rows } = this.scan.statistics;
    const row = s * METRIC_COUNT;
    return (
      this.reservedDeviation(s, share) +
      WEIGHTS[RESERVED_MEM_RTOTAL]! * (share - rows[row + RESERVED_MEM_RTOTAL]!) +
      WEIGHTS[N1_CNT]! * (failing - rows[row + N1_CNT]!)
    );
  }

  private reservedDeviation(s: number, share: number): number {
    const { rows, now } = this.scan.statistics;
    const before = rows[s * METRIC_COUNT + RESERVED_MEM_CV]!;
    const d = share - before;
    const shift = now.count * (share * share - before * before) - 2 * now.sums[RESERVED_MEM_CV]! * d - d * d;
    const variance = now.variances[RESERVED_MEM_CV]! + shift / (now.count * now.count);
    return WEIGHTS[RESERVED_MEM_CV]! * Math.sqrt(Math.max(0, variance));
  }

  /**
   * Widens the slack by how far a metric may be from stock's. Both start from the same sums and variances and differ by
   * roundings alone: a variance by e = 64 units in the last place of its largest square, a deviation by at most e over
   * itself (or the root of e, where it may be zero). Twice, since the best and its rival may both be off, and once more
   * for the bound.
   */
  private allowForRounding(m: number, weight: number, leastVariance: number): void {
    let largest = 0;
    for (const n of this.online) largest = Math.max(largest, this.magnitude[m]![n]!);
    const error = ROUNDINGS * Number.EPSILON * largest * largest;
    this.slack += 3 * weight * (leastVariance > error ? error / Math.sqrt(leastVariance) : Math.sqrt(error));
  }

  /** Upper limit of 2de/n^2 over all pairs. */
  private largestProduct(m: number, open: readonly PairsOfPrimary[], seconds: readonly number[]): number {
    let d = 0;
    let e = 0;
    for (const { primary } of open) d = Math.max(d, Math.abs(this.primaryChange[m]![primary]!));
    for (const s of seconds) e = Math.max(e, Math.abs(this.secondaryChange[m]![s]!));
    const { count } = this.scan.statistics.now;
    return (2 * d * e) / (count * count);
  }

  /**
   * The least that a primary can come to with any secondary, and what any primary comes to with a secondary at least,
   * its own score left out. The secondaries of each group are ranked by the latter.
   */
  private findBounds(open: readonly PairsOfPrimary[], seconds: readonly number[]): void {
    const { variances } = this.scan.statistics.now;
    const { bound, leastWith, weights } = this;
    let leastReserved = Number.POSITIVE_INFINITY;
    let leastDeviation = Number.POSITIVE_INFINITY;
    for (const s of seconds) {
      const deviation = this.leastReservedDeviation(s);
      const share = this.asSecondary[s * METRIC_COUNT + RESERVED_MEM_CV]!;
      leastWith[s] = this.secondaryScore[s]! - this.reservedDeviation(s, share) + deviation;
      leastReserved = Math.min(leastReserved, leastWith[s]!);
      leastDeviation = Math.min(leastDeviation, deviation);
    }
    const weight = WEIGHTS[RESERVED_MEM_CV]!;
    this.allowForRounding(RESERVED_MEM_CV, weight, (leastDeviation / weight) ** 2);
    for (const { primary } of open) bound[primary] = this.primaryScore[primary]! + leastReserved;
    for (const m of this.shared) {
      let first = Number.POSITIVE_INFINITY;
      let second = Number.POSITIVE_INFINITY;
      for (const { primary } of open) first = Math.min(first, this.primaryShift[m]![primary]!);
      for (const s of seconds) second = Math.min(second, this.secondaryShift[m]![s]!);
      const rest = variances[m]! - this.largestProduct(m, open, seconds);
      const least = (shift: number): number => weights[m]! * Math.sqrt(Math.max(0, rest + shift));
      for (const { primary } of open) bound[primary]! += least(second + this.primaryShift[m]![primary]!);
      for (const s of seconds) leastWith[s]! += least(first + this.secondaryShift[m]![s]!);
    }
    this.rank(seconds);
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

  /**
   * Lower limit of the deviation with a secondary's reservation for any primary. Earlier reservations only raise the
   * share (and with it the total and the N+1 count); the deviation is least where the share is the others' mean.
   */
  private leastReservedDeviation(s: number): number {
    const { now, rows } = this.scan.statistics;
    const row = s * METRIC_COUNT;
    const share = this.asSecondary[row + RESERVED_MEM_CV]!;
    const others =
      now.count > 1 ? (now.sums[RESERVED_MEM_CV]! - rows[row + RESERVED_MEM_CV]!) / (now.count - 1) : share;
    return this.reservedDeviation(s, Math.max(share, others));
  }

  private openPrimary(primary: number, table: RefusalTable): void {
    const { state, shared, weights, found } = this;
    const { variances, count } = this.scan.statistics.now;
    const base = this.primaryScore[primary]!;
    const peers = primary * state.nodeCount;
    const cross = 2 / (count * count);
    for (const s of this.ranked.get(state.groupOf[primary]!) ?? []) {
      if (base + this.leastWith[s]! > this.best + this.slack) break;
      if (s === primary) continue;
      const peer = state.peersByPrimary[peers + s]!;
      let score = base + this.secondaryScore[s]!;
      if (peer > 0) {
        if (table.secondaryCode(primary, s) !== ALLOWED) continue;
        const reserved = peer + this.reservation;
        const at = s * F.NODE_STRIDE;
        if (reserved > state.nodeFields[at + F.RESERVED_MEM]!) {
          const fails = failsWith(state.nodeFields[at + F.FREE_MEM]!, reserved);
          const failing = fails ? this.asSecondary[s * METRIC_COUNT + OFFLINE_ALL_CNT]! : 0;
          score = base + this.reservationScore(s, reserved / state.totalMem[s]!, failing);
        }
      }
      for (let k = 0; k < shared.length; k++) {
        const m = shared[k]!;
        const variance =
          variances[m]! +
          this.primaryShift[m]![primary]! +
          this.secondaryShift[m]![s]! -
          cross * this.primaryChange[m]![primary]! * this.secondaryChange[m]![s]!;
        if (variance > 0) score += weights[m]! * Math.sqrt(variance);
      }
      if (score > this.best + this.slack) continue;
      if (score < this.best) this.best = score;
      found.primaries.push(primary);
      found.secondaries.push(s);
      found.scores.push(score);
    }
  }

  /** Scores exactly what is within the slack of the best. */
  private decide(i: number): Placement | undefined {
    const { found, scan } = this;
    const limit = this.best + this.slack;
    const close = [...found.scores.keys()].filter((k) => found.scores[k]! <= limit);
    const homes = this.oneOfEach(
      close.map((k) => ({ primary: found.primaries[k]!, secondary: found.secondaries[k]! })),
    );
    if (homes.length <= 1) return homes[0];
    scan.prepare(
      i,
      [...new Set(homes.map((home) => home.primary))],
      [...new Set(homes.map((home) => home.secondary))],
    );
    let best: Placement | undefined;
    let bestScore = Number.POSITIVE_INFINITY;
    let opened = -1;
    for (const home of homes.sort(byPlace)) {
      if (home.primary !== opened) scan.open(home.primary);
      opened = home.primary;
      const score = scan.score(home.secondary);
      if (score > bestScore) continue;
      best = home;
      bestScore = score;
    }
    return best;
  }

  /**
   * The last of all pairs whose nodes are alike to the last bit, so that their scores are the same number.
   * Pairs whose secondary would reserve more because of an earlier reservation stand for themselves.
   */
  private oneOfEach(homes: readonly Placement[]): Placement[] {
    if (homes.length <= 1) return [...homes];
    const { state } = this;
    const kinds = new Map<number, string>();
    const kindOf = (n: number): string => {
      let kind = kinds.get(n);
      if (kind === undefined) {
        kind = this.imageOf(n);
        kinds.set(n, kind);
      }
      return kind;
    };
    const numbers = new Map<string, number>();
    const numberOf = (n: number): number => {
      const kind = kindOf(n);
      let number = numbers.get(kind);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(kind, number);
      }
      return number;
    };
    const last = new Map<number, Placement>();
    const singles: Placement[] = [];
    for (const home of homes) {
      const { primary, secondary } = home;
      if (state.peersByPrimary[primary * state.nodeCount + secondary]! > 0) {
        singles.push(home);
        continue;
      }
      const key = numberOf(primary) * state.nodeCount + numberOf(secondary);
      const known = last.get(key);
      if (known === undefined || byPlace(known, home) < 0) last.set(key, home);
    }
    return [...last.values(), ...singles];
  }

  /** Everything of a node that scores depend on, as a text. */
  private imageOf(n: number): string {
    const { state } = this;
    const at = n * METRIC_COUNT;
    const fields = n * F.NODE_STRIDE;
    return [
      this.scan.statistics.rows.subarray(at, at + METRIC_COUNT).join(),
      this.asPrimary.subarray(at, at + METRIC_COUNT).join(),
      this.asSecondary.subarray(at, at + METRIC_COUNT).join(),
      state.nodeFields[fields + F.FREE_MEM],
      state.nodeFields[fields + F.RESERVED_MEM],
      state.totalMem[n],
    ].join('|');
  }
}

const byPlace = (a: Placement, b: Placement): number => a.primary - b.primary || a.secondary - b.secondary;
