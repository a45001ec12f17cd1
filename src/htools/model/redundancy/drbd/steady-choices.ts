/**
 * How long the choices of nodes that were played through hold, while other groups change.
 *
 * The score of all nodes decides, so a change elsewhere counts: where it adds dS to the sum of a metric's
 * values and dQ to that of their squares, a variance that a choice leads to, with the sum S, changes by
 * c = dQ / n - (2 S dS + dS^2) / n^2. Of two candidates whose variances lie v apart and whose sums lie s
 * apart, the deviations then move apart by at most |c| v / 4 L^1.5 + s |dS| / n^2 L^0.5, where no variance is
 * less than L before or after. This is added up and held against how far the choices led.
 */
import { contributionsOf, METRIC_COUNT } from '../../score/metrics.ts';
import { nodeRows } from '../../score/scorer.ts';
import { IS_DEVIATION, updatedVariance } from '../../score/statistics.ts';
import type { TargetChooser } from './best-target.ts';

const column = (value = 0): Float64Array => new Float64Array(METRIC_COUNT).fill(value);

export class SteadyChoices {
  /** What nodes contribute in the state that is kept, and what a trial adds to it. */
  private readonly rows: Float64Array;
  private readonly row = column();
  private readonly sumChange = column();
  private readonly squareChange = column();
  /** What choices lead to in that state, and how far the candidates of one lie apart at most. */
  private readonly leastVariance = column(Number.POSITIVE_INFINITY);
  private readonly leastSum = column(Number.POSITIVE_INFINITY);
  private readonly largestSum = column(Number.NEGATIVE_INFINITY);
  private readonly varianceSpread = column();
  private readonly sumSpread = column();
  /** How far candidates have moved apart, and by node up to where its choices hold. */
  moved = 0;
  private readonly limits = new Map<number, number>();
  private movedByTrial = 0;

  constructor(private readonly chooser: TargetChooser) {
    const { state, scorer } = chooser;
    this.rows = nodeRows(state);
    for (const n of scorer.nodes) contributionsOf(state, n, this.rows, n * METRIC_COUNT);
  }

  /** Begins a trial that changes these nodes, or ends it: none. */
  try(touched: readonly number[]): void {
    const { rows, row, sumChange, squareChange, chooser } = this;
    sumChange.fill(0);
    squareChange.fill(0);
    for (const n of touched) {
      if (chooser.state.isOffline[n] || !chooser.scorer.isScored[n]) continue;
      contributionsOf(chooser.state, n, row, 0);
      for (let m = 0, at = n * METRIC_COUNT; m < METRIC_COUNT; m++, at++) {
        sumChange[m]! += row[m]! - rows[at]!;
        squareChange[m]! += row[m]! ** 2 - rows[at]! ** 2;
      }
    }
    this.movedByTrial = this.apart();
  }

  /** Takes over a change on these nodes; what was known of their groups is forgotten. */
  refresh(changed: readonly number[]): void {
    const { rows, limits, sumChange, leastVariance, leastSum, largestSum } = this;
    const { state } = this.chooser;
    this.try(changed);
    this.moved += this.movedByTrial;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (leastVariance[m] === Number.POSITIVE_INFINITY) continue;
      leastVariance[m]! += Math.min(this.shift(m, leastSum[m]!), this.shift(m, largestSum[m]!));
      leastSum[m]! += sumChange[m]!;
      largestSum[m]! += sumChange[m]!;
      this.varianceSpread[m]! += 2 * this.sumsApart(m);
    }
    for (const n of changed) contributionsOf(state, n, rows, n * METRIC_COUNT);
    const groups = new Set(changed.map((n) => state.groupOf[n]!));
    for (const n of limits.keys()) if (groups.has(state.groupOf[n]!)) limits.delete(n);
    this.try([]);
  }

  /** What the trial adds to a variance of values with that sum. */
  private shift(m: number, sum: number): number {
    const count = this.chooser.scorer.counted[m]!.length;
    const change = this.sumChange[m]!;
    return this.squareChange[m]! / count - (2 * sum * change + change ** 2) / count ** 2;
  }

  private sumsApart(m: number): number {
    return (this.sumSpread[m]! * Math.abs(this.sumChange[m]!)) / this.chooser.scorer.counted[m]!.length ** 2;
  }

  /** How far the trial moves candidates apart at most. */
  private apart(): number {
    const { leastVariance, leastSum, largestSum, varianceSpread, sumSpread } = this;
    const { weights } = this.chooser.state;
    let apart = 0;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (!IS_DEVIATION[m] || weights[m] === 0 || varianceSpread[m]! + sumSpread[m]! === 0) continue;
      const one = this.shift(m, leastSum[m]!);
      const other = this.shift(m, largestSum[m]!);
      const most = Math.max(Math.abs(one), Math.abs(other));
      if (most === 0) continue;
      const least = Math.max(0, leastVariance[m]! - Math.max(0, -one, -other));
      const ofVariances = (most * varianceSpread[m]!) / (4 * least);
      apart += (weights[m]! * (ofVariances + this.sumsApart(m))) / Math.sqrt(least);
    }
    return apart;
  }

  /** Whether the choices of a node of another group hold in the trial. */
  hold(node: number): boolean {
    return this.limits.get(node)! > this.moved + this.movedByTrial;
  }

  /**
   * Notes the chooser's last choice, of a home for that instance. Returns how far candidates may move apart
   * before it is another: those of this choice move by their share of what the farthest do.
   * @param isNear whether the trial is of the same group: then it stays
   */
  note(i: number, isNear: boolean): number {
    const { state, scorer, rows, allowed, lead } = this.chooser;
    if (!Number.isFinite(lead)) return lead;
    // Where it may crowd with others of its tags, those of other groups count.
    if (state.tags.hasLocations && state.tags.exclusionsOf[i]!.length > 0) return Number.NEGATIVE_INFINITY;
    const { sums, variances, counts } = scorer.now;
    let share = 0;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (!IS_DEVIATION[m]) continue;
      let [least, most, leastSum, largestSum] = [Infinity, -Infinity, Infinity, -Infinity];
      for (const t of allowed) {
        const at = t * METRIC_COUNT + m;
        const x = scorer.rows[at]!;
        const y = state.isOffline[t] ? x : rows[at]!;
        const sum = sums[m]! + y - x - (isNear ? 0 : this.sumChange[m]!);
        const elsewhere = isNear ? 0 : this.shift(m, sum);
        const variance = updatedVariance(counts[m]!, sums[m]!, variances[m]!, x, y) - elsewhere;
        least = Math.min(least, variance);
        most = Math.max(most, variance);
        leastSum = Math.min(leastSum, sum);
        largestSum = Math.max(largestSum, sum);
      }
      this.leastVariance[m] = Math.min(this.leastVariance[m]!, least);
      this.leastSum[m] = Math.min(this.leastSum[m]!, leastSum);
      this.largestSum[m] = Math.max(this.largestSum[m]!, largestSum);
      this.varianceSpread[m] = Math.max(this.varianceSpread[m]!, most - least);
      this.sumSpread[m] = Math.max(this.sumSpread[m]!, largestSum - leastSum);
      if (this.varianceSpread[m]! > 0) share = Math.max(share, (most - least) / this.varianceSpread[m]!);
      if (this.sumSpread[m]! > 0) share = Math.max(share, (largestSum - leastSum) / this.sumSpread[m]!);
    }
    return lead / share;
  }

  /** Keeps how far they may move apart from where the trial has them before a choice of the node changes. */
  keep(node: number, far: number): void {
    this.limits.set(node, this.moved + far - this.apart());
  }
}
