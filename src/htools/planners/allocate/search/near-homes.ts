/**
 * How far the scores of the best homes of a group have moved while instances of a size came to other groups:
 * closer than ScoreDrift tells, which has to cover all homes everywhere. A bad home changes a variance by
 * more than the best ones do, so that it follows the variances in another way. Of 25 groups three are
 * computed anew for each instance, and without this more than four. That saves nothing of the cpu there, and
 * 6 to 8 % with 250 groups.
 */
import { IS_DEVIATION } from '../../../model/score/incremental.ts';
import { METRIC_COUNT } from '../../../model/score/metrics.ts';
import type { RoleChanges } from './role-changes.ts';

export class NearHomes {
  /** By metric, what the homes change, and the variances that they lead to; the statistics then. */
  private readonly leastChanges = new Float64Array(METRIC_COUNT);
  private readonly mostChanges = new Float64Array(METRIC_COUNT);
  private readonly leastVariances = new Float64Array(METRIC_COUNT);
  private readonly mostVariances = new Float64Array(METRIC_COUNT);
  private readonly sums = new Float64Array(METRIC_COUNT);
  private readonly variances = new Float64Array(METRIC_COUNT);

  /** Takes the statistics as they stand. */
  begin({ sums, variances }: RoleChanges): void {
    this.sums.set(sums);
    this.variances.set(variances);
  }

  /** What the homes do to a metric then, and to its variance. */
  note(m: number, leastChange: number, mostChange: number, leastShift: number, mostShift: number): void {
    this.leastChanges[m] = leastChange;
    this.mostChanges[m] = mostChange;
    this.leastVariances[m] = Math.max(0, this.variances[m]! + leastShift);
    this.mostVariances[m] = Math.max(0, this.variances[m]! + mostShift);
  }

  /** What their scores have changed by at least. */
  leastMove({ sums, variances, counts }: RoleChanges, weights: Float64Array): number {
    let move = 0;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (weights[m] === 0 || !IS_DEVIATION[m]) continue;
      const perChange = (-2 * (sums[m]! - this.sums[m]!)) / counts[m]! ** 2;
      const change =
        variances[m]! -
        this.variances[m]! +
        Math.min(perChange * this.leastChanges[m]!, perChange * this.mostChanges[m]!);
      if (change === 0) continue;
      const before = change > 0 ? this.mostVariances[m]! : this.leastVariances[m]!;
      const after = Math.max(0, before + change);
      move += (weights[m]! * change) / (Math.sqrt(before) + Math.sqrt(after));
    }
    return move;
  }
}
