/**
 * Estimates of pair scores: the inner loop of an allocation on two nodes, a few multiplications and roots a
 * pair.
 *
 * With the primary's change in, a variance is `v + a[s] - k * d[s]`: `a` and `d` belong to the secondary, `v`
 * and `k` to the primary, so nothing but reserved memory has to be looked up per pair. Columns with equal
 * values are one column. The estimates are those of pair-scan.ts up to rounding; what they cannot tell apart
 * is scored there. Measured: 100,000 pairs take 3 ms; with the exact formula for each of them they took 170
 * ms.
 */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { secondaryRefusal } from '../../../model/rules/admission.ts';
import { reservationOf } from '../../../model/rules/n-plus-one.ts';
import {
  LOCATION_SCORE,
  METRIC_COUNT,
  N1_CNT,
  OFFLINE_ALL_CNT,
  RESERVED_MEM_CV,
  RESERVED_MEM_RTOTAL,
} from '../../../model/score/metrics.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import { IS_DEVIATION } from '../../../model/score/statistics.ts';
import * as F from '../../../model/state/node-fields.ts';
import { PeerRow } from '../../../model/state/peer-rows.ts';
import { type ClusterState, IS_FORTHCOMING } from '../../../model/state/state.ts';
import type { PairScan } from './pair-scan.ts';

export class PairEstimates {
  private scan!: PairScan;
  private scorer!: Scorer;
  /** Metrics whose deviations some secondary changes, of equal ones the first, and their weights together. */
  private columnCount = 0;
  private readonly metricOf = new Uint8Array(METRIC_COUNT);
  private readonly weightOf = new Float64Array(METRIC_COUNT);
  /** Per column and node. */
  private readonly a: Float64Array;
  private readonly d: Float64Array;
  private readonly stride: number;
  private readonly variances = new Float64Array(METRIC_COUNT);
  private readonly slopes = new Float64Array(METRIC_COUNT);
  private readonly countsWith: Float64Array;
  private isForthcoming = false;
  private usesLocations = false;
  private reservation = 0;
  /** FailCodes of secondaries for primaries for which they reserve nothing yet. */
  private readonly codes: Uint8Array;
  private instance = -1;
  private ignoreSoftErrors = false;
  private primary = -1;
  /** What no secondary changes, with the open primary. */
  private base = 0;
  /** What each node reserves for the open primary, in MiB. */
  peers: Float64Array = new Float64Array(0);
  /** Of reserved memory, with the open primary. */
  private reservedSum = 0;
  private reservedVariance = 0;
  private reservedDeviation = 0;
  private inverseCount = 0;
  /** What the last scan allowed: secondaries and estimates, side by side. */
  readonly secondaries: Int32Array;
  readonly scores: Float64Array;
  count = 0;
  lowest = Number.POSITIVE_INFINITY;

  private readonly peerRow: PeerRow;

  constructor(private readonly state: ClusterState) {
    const n = state.nodeCount;
    this.stride = n;
    this.peerRow = new PeerRow(state);
    this.a = new Float64Array(METRIC_COUNT * n);
    this.d = new Float64Array(METRIC_COUNT * n);
    this.countsWith = new Float64Array(n);
    this.codes = new Uint8Array(n);
    this.secondaries = new Int32Array(n);
    this.scores = new Float64Array(n);
  }

  /** Takes over what a scan was prepared with. @param ignoreSoftErrors leave out the soft rules */
  prepare(scan: PairScan, i: number, secondaries: readonly number[], ignoreSoftErrors: boolean): void {
    const { state } = this;
    const { scorer } = scan;
    this.scan = scan;
    this.scorer = scorer;
    this.isForthcoming = (state.flags[i]! & IS_FORTHCOMING) !== 0;
    this.usesLocations = state.tags.hasLocations && !this.isForthcoming;
    this.reservation = reservationOf(state, i);
    this.instance = i;
    this.ignoreSoftErrors = ignoreSoftErrors;
    this.findColumns();
    const { counts, sums } = scorer.now;
    for (let c = 0; c < this.columnCount; c++) {
      const metric = this.metricOf[c]!;
      const count = counts[metric]!;
      for (const s of secondaries) {
        const x = scorer.rows[s * METRIC_COUNT + metric]!;
        const y = scan.asSecondary[s * METRIC_COUNT + metric]!;
        const change = y - x;
        this.a[c * this.stride + s] =
          (change * (y + x)) / count - (2 * sums[metric]! * change + change * change) / count ** 2;
        this.d[c * this.stride + s] = change;
      }
    }
    for (const s of secondaries) {
      // No node reserves memory for itself, so this asks without any earlier reservation.
      this.codes[s] = secondaryRefusal(state, i, s, s, false, ignoreSoftErrors);
      this.countsWith[s] = scan.asSecondary[s * METRIC_COUNT + OFFLINE_ALL_CNT]!;
    }
  }

  /** Deviations that some secondary changes, reserved memory apart. */
  private findColumns(): void {
    const { scan, metricOf, weightOf } = this;
    const { weights } = this.state;
    this.columnCount = 0;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (!IS_DEVIATION[m] || m === RESERVED_MEM_CV || !scan.followsSecondary(m)) continue;
      let c = metricOf.subarray(0, this.columnCount).indexOf(scan.twinOf(m));
      if (c < 0) {
        c = this.columnCount++;
        metricOf[c] = m;
        weightOf[c] = 0;
      }
      weightOf[c]! += weights[m]!;
    }
  }

  /**
   * Scans the secondaries of a primary. Allowed ones are left in `secondaries` and `scores`.
   * @param counts refused candidates per FailCode, added to where they are wanted
   */
  run(p: number, candidates: readonly number[], counts?: number[]): void {
    const { state, instance, codes, ignoreSoftErrors, scores, secondaries } = this;
    this.open(p);
    const { peers } = this;
    let count = 0;
    let lowest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < candidates.length; k++) {
      const s = candidates[k]!;
      if (s === p) continue;
      let code = codes[s]!;
      // What it reserves for the primary already matters where all of that is more than it has.
      if (peers[s]! > 0 && (code !== ALLOWED || this.reservedFor(s) >= state.field(s, F.FREE_MEM)))
        code = secondaryRefusal(state, instance, s, p, false, ignoreSoftErrors);
      if (code !== ALLOWED) {
        if (counts) counts[code]!++;
        continue;
      }
      const score = this.score(s);
      secondaries[count] = s;
      scores[count++] = score;
      if (score < lowest) lowest = score;
    }
    this.count = count;
    this.lowest = lowest;
  }

  /** Goes to a primary; estimates for its secondaries follow. Valid until the state changes. */
  open(p: number): void {
    this.primary = p;
    this.peers = this.peerRow.open(p);
    this.base = this.openPrimary(p);
  }

  /** What the secondary would reserve for the open primary, MiB. */
  reservedFor(s: number): number {
    return this.peers[s]! + this.reservation;
  }

  /** The score with this secondary, up to rounding. */
  score(s: number): number {
    const { state, primary } = this;
    let score = this.base + this.columnShare(s);
    if (!this.isForthcoming) score += this.reservedShare(s, this.reservedFor(s));
    if (this.usesLocations) score += state.weights[LOCATION_SCORE]! * state.commonLocations(primary, s);
    return score;
  }

  /** What the open primary makes of the columns; returns the share of the score that no secondary changes. */
  private openPrimary(p: number): number {
    const { scan, scorer, metricOf, weightOf, variances, slopes } = this;
    const after = scan.open(p);
    let base = scan.scoreAlone();
    for (let c = 0; c < this.columnCount; c++) {
      const metric = metricOf[c]!;
      variances[c] = after.variances[metric]!;
      slopes[c] = (2 * (after.sums[metric]! - scorer.now.sums[metric]!)) / after.counts[metric]! ** 2;
      base -= weightOf[c]! * Math.sqrt(after.variances[metric]!);
    }
    this.reservedSum = after.sums[RESERVED_MEM_CV]!;
    this.reservedVariance = after.variances[RESERVED_MEM_CV]!;
    this.reservedDeviation = Math.sqrt(this.reservedVariance);
    this.inverseCount = 1 / after.counts[RESERVED_MEM_CV]!;
    return this.isForthcoming ? base : base - this.state.weights[RESERVED_MEM_CV]! * this.reservedDeviation;
  }

  private columnShare(s: number): number {
    const { columnCount, weightOf, variances, slopes, a, d, stride } = this;
    let share = 0;
    for (let c = 0; c < columnCount; c++) {
      const variance = variances[c]! + a[c * stride + s]! - slopes[c]! * d[c * stride + s]!;
      if (variance > 0) share += weightOf[c]! * Math.sqrt(variance);
    }
    return share;
  }

  private reservedShare(s: number, peer: number): number {
    const { state, inverseCount } = this;
    const at = s * F.NODE_STRIDE;
    const before = state.nodeFields[at + F.RESERVED_MEM]!;
    const reserved = peer > before ? peer : before;
    const old = this.scorer.rows;
    const { weights } = state;
    let failing = -old[s * METRIC_COUNT + N1_CNT]!;
    if (state.nodeFields[at + F.FREE_MEM]! <= reserved) failing += this.countsWith[s]!;
    let share = weights[N1_CNT]! * failing;
    if (reserved === before) return share + weights[RESERVED_MEM_CV]! * this.reservedDeviation;
    const x = old[s * METRIC_COUNT + RESERVED_MEM_CV]!;
    const change = (reserved - before) / state.totalMem[s]!;
    const variance =
      this.reservedVariance +
      inverseCount * change * (2 * x + change) -
      inverseCount * inverseCount * change * (2 * this.reservedSum + change);
    share += weights[RESERVED_MEM_RTOTAL]! * change;
    return variance > 0 ? share + weights[RESERVED_MEM_CV]! * Math.sqrt(variance) : share;
  }
}
