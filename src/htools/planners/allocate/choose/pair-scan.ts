/**
 * Scores of pairs of nodes for one instance: constant work a pair, and for new instances exactly stock's
 * figures.
 *
 * Most metrics follow the primary alone and are updated once per primary. What the secondary changes as well
 * (disk, spindles, reserved memory, N+1, disk load) is updated per pair, in stock's order of operations.
 */
import { crowdingWith, rowWithPrimary, rowWithSecondary } from '../../../model/moves/arrival-rows.ts';
import { failsWith, reservationOf } from '../../../model/rules/n-plus-one.ts';
import {
  LOCATION_SCORE,
  METRIC_COUNT,
  METRICS,
  N1_CNT,
  OFFLINE_ALL_CNT,
  RESERVED_MEM_CV,
  RESERVED_MEM_RTOTAL,
} from '../../../model/score/metrics.ts';
import { nodeRows, type Scorer } from '../../../model/score/scorer.ts';
import { IS_DEVIATION, Statistics, updatedVariance } from '../../../model/score/statistics.ts';
import * as F from '../../../model/state/node-fields.ts';
import { type ClusterState, IS_FORTHCOMING } from '../../../model/state/state.ts';
import type { Choice, Placement } from '../solution.ts';

/** How a metric is had for one pair. */
const FIXED = 0;
const SUM = 1;
const DEVIATION = 2;
/** A deviation whose values are those of an earlier metric, bit for bit. */
const TWIN = 3;

/** What a scan writes by node. Scans of parts without a common node may share it. */
export interface PairRows {
  /** Contributions with it as primary (sharing no location) and as secondary (reserving nothing yet). */
  readonly asPrimary: Float64Array;
  readonly asSecondary: Float64Array;
  /** Value of the crowding metric with the instance as a primary. */
  readonly crowdingWith: Float64Array;
}

export const pairRows = (state: ClusterState): PairRows => ({
  asPrimary: nodeRows(state),
  asSecondary: nodeRows(state),
  crowdingWith: new Float64Array(state.nodeCount),
});

export class PairScan {
  readonly scorer: Scorer;
  private readonly state: ClusterState;
  readonly asPrimary: Float64Array;
  readonly asSecondary: Float64Array;
  readonly crowdingWith: Float64Array;
  private readonly kinds = new Uint8Array(METRIC_COUNT);
  private readonly twins = new Uint8Array(METRIC_COUNT);
  private readonly afterPrimary: Statistics;
  private readonly products = new Float64Array(METRIC_COUNT);
  private readonly row = new Float64Array(METRIC_COUNT);
  private primary = -1;
  private reservation = 0;
  private isForthcoming = false;

  constructor(scorer: Scorer, rows: PairRows = pairRows(scorer.state)) {
    this.scorer = scorer;
    this.state = scorer.state;
    this.afterPrimary = new Statistics(this.state);
    this.asPrimary = rows.asPrimary;
    this.asSecondary = rows.asSecondary;
    this.crowdingWith = rows.crowdingWith;
  }

  /** Takes an instance that is on no node, and the nodes that may become its primary or secondary. */
  prepare(i: number, primaries: readonly number[], secondaries: readonly number[]): void {
    const { state } = this;
    this.isForthcoming = (state.flags[i]! & IS_FORTHCOMING) !== 0;
    this.reservation = reservationOf(state, i);
    const crowding = crowdingWith(this.scorer, i);
    for (const p of primaries) {
      rowWithPrimary(state, i, p, 0, this.asPrimary, p * METRIC_COUNT);
      this.scorer.leaveOut(p, this.asPrimary, p * METRIC_COUNT);
      this.crowdingWith[p] = crowding(p);
    }
    for (const s of secondaries) {
      rowWithSecondary(state, i, s, s, this.asSecondary, s * METRIC_COUNT);
      this.scorer.leaveOut(s, this.asSecondary, s * METRIC_COUNT);
    }
    this.findKinds(primaries, secondaries);
  }

  private findKinds(primaries: readonly number[], secondaries: readonly number[]): void {
    const { kinds, state } = this;
    kinds.fill(FIXED);
    METRICS.forEach(({ online }, m) => {
      const isChanged = secondaries.some((s) => {
        const at = s * METRIC_COUNT + m;
        return online !== (state.isOffline[s] === 1) && this.asSecondary[at] !== this.scorer.rows[at];
      });
      // Stock updates every variance with each node, and a variance that was no number is 0 then.
      const isUndefined = IS_DEVIATION[m] && Number.isNaN(this.scorer.now.variances[m]!);
      if (isChanged || isUndefined) kinds[m] = IS_DEVIATION[m] ? DEVIATION : SUM;
    });
    if (!this.isForthcoming) {
      kinds[N1_CNT] = SUM;
      kinds[RESERVED_MEM_CV] = DEVIATION;
      kinds[RESERVED_MEM_RTOTAL] = SUM;
    }
    if (state.tags.hasLocations && !this.isForthcoming) kinds[LOCATION_SCORE] = SUM;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (kinds[m] !== DEVIATION) continue;
      const isTwin = (k: number): boolean => this.areEqual(k, m, primaries, secondaries);
      const twin = kinds.subarray(0, m).findIndex((kind, k) => kind === DEVIATION && isTwin(k));
      if (twin < 0) continue;
      kinds[m] = TWIN;
      this.twins[m] = twin;
    }
  }

  /** Whether two metrics have the same values and weights everywhere, so that shares are the same. */
  private areEqual(
    a: number,
    b: number,
    primaries: readonly number[],
    secondaries: readonly number[],
  ): boolean {
    const { rows, nodes } = this.scorer;
    const { weights } = this.state;
    if (a === RESERVED_MEM_CV || b === RESERVED_MEM_CV || weights[a] !== weights[b]) return false;
    const isSame = (values: Float64Array) => (n: number) =>
      values[n * METRIC_COUNT + a] === values[n * METRIC_COUNT + b];
    return (
      nodes.every(isSame(rows)) &&
      primaries.every(isSame(this.asPrimary)) &&
      secondaries.every(isSame(this.asSecondary))
    );
  }

  /** Goes to a primary; returns the statistics with the instance on it. Scores for its secondaries follow. */
  open(p: number): Statistics {
    const { scorer, afterPrimary, products, state } = this;
    const { weights } = state;
    const at = p * METRIC_COUNT;
    this.primary = p;
    afterPrimary.copyFrom(scorer.now);
    if (scorer.isScored[p]) afterPrimary.replace(!state.isOffline[p], scorer.rows, at, this.asPrimary, at);
    for (let m = 0; m < METRIC_COUNT; m++)
      products[m] = weights[m]! * afterPrimary.value(m, this.crowdingWith[p]!);
    return afterPrimary;
  }

  scoreAlone(): number {
    return this.afterPrimary.score(this.crowdingWith[this.primary]!);
  }

  followsSecondary(m: number): boolean {
    return this.kinds[m] !== FIXED;
  }

  /** The first metric with the same values; the metric itself when there is no other. */
  twinOf(m: number): number {
    return this.kinds[m] === TWIN ? this.twins[m]! : m;
  }

  score(s: number): number {
    const { scorer, kinds, products, afterPrimary, row, state } = this;
    // Stock has no statistics at all where no node is online.
    if (scorer.isEmpty) return 0;
    const { weights } = state;
    const { sums, variances, counts } = afterPrimary;
    const { rows } = scorer;
    const at = s * METRIC_COUNT;
    const isOffline = state.isOffline[s] === 1;
    this.fillRow(s);
    let score = 0;
    for (let m = 0; m < METRIC_COUNT; m++) {
      const kind = kinds[m]!;
      if (kind === DEVIATION && !isOffline) {
        const variance = updatedVariance(counts[m]!, sums[m]!, variances[m]!, rows[at + m]!, row[m]!);
        products[m] = weights[m]! * Math.sqrt(variance);
      } else if (kind === SUM) products[m] = weights[m]! * this.newSum(m, s, isOffline);
      else if (kind === TWIN) products[m] = products[this.twins[m]!]!;
      else if (kind === DEVIATION) products[m] = weights[m]! * Math.sqrt(variances[m]!);
      score += products[m]!;
    }
    return score;
  }

  private newSum(m: number, s: number, isOffline: boolean): number {
    const sum = this.afterPrimary.sums[m]!;
    if (m === LOCATION_SCORE) {
      // Common locations are the primary's matter; these are whole numbers, so the order of adding is free.
      return this.state.isOffline[this.primary] ? sum : sum + this.state.commonLocations(this.primary, s);
    }
    if (METRICS[m]!.online === isOffline) return sum;
    return sum + (this.row[m]! - this.scorer.rows[s * METRIC_COUNT + m]!);
  }

  /** The best of some pairs; of equal ones the last. */
  best(pairs: readonly Placement[]): Choice | undefined {
    let best: Choice | undefined;
    let opened = -1;
    for (const { primary, secondary } of pairs) {
      if (primary !== opened) this.open(primary);
      opened = primary;
      const metric = this.score(secondary);
      if (best === undefined || !(best.metric < metric)) best = { primary, secondary, metric };
    }
    return best;
  }

  /** Contributions of the secondary with the instance, its memory reserved for the open primary. */
  private fillRow(s: number): void {
    const { state, row, asSecondary } = this;
    const at = s * METRIC_COUNT;
    for (let m = 0; m < METRIC_COUNT; m++) row[m] = asSecondary[at + m]!;
    if (this.isForthcoming) return;
    const node = s * F.NODE_STRIDE;
    const peer = state.peers.get(s, this.primary) + this.reservation;
    const reserved = Math.max(state.nodeFields[node + F.RESERVED_MEM]!, peer);
    const share = reserved / state.totalMem[s]!;
    row[RESERVED_MEM_CV] = share;
    row[RESERVED_MEM_RTOTAL] = share;
    row[N1_CNT] = failsWith(state.nodeFields[node + F.FREE_MEM]!, reserved) ? row[OFFLINE_ALL_CNT]! : 0;
  }
}
