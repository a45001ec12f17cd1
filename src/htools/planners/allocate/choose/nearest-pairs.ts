/**
 * The pairs whose estimates lie too near the lowest to be told apart, and which of them is exactly the best.
 */
import type { Placement } from '../solution.ts';
import { oneOfEach } from './like-pairs.ts';
import type { PairEstimates } from './pair-estimates.ts';
import type { PairScan, ScoredPair } from './pair-scan.ts';

export class NearestPairs {
  private readonly primaries: number[] = [];
  private readonly secondaries: number[] = [];
  private readonly scores: number[] = [];
  private tolerance = 0;
  private limit = Number.POSITIVE_INFINITY;

  constructor(private readonly scan: PairScan) {}

  /** Starts anew. @param tolerance how far above the lowest estimate the best pair may be estimated */
  reset(tolerance: number): void {
    this.primaries.length = 0;
    this.secondaries.length = 0;
    this.scores.length = 0;
    this.tolerance = tolerance;
    this.limit = Number.POSITIVE_INFINITY;
  }

  /** Adds what a scan has found for a primary. Primaries must come in the order in which ties are broken. */
  addAll(primary: number, estimates: PairEstimates): void {
    this.limit = Math.min(this.limit, estimates.lowest + this.tolerance);
    const { limit, primaries, secondaries, scores } = this;
    if (estimates.lowest > limit) return;
    for (let k = 0; k < estimates.count; k++) {
      if (estimates.scores[k]! > limit) continue;
      primaries.push(primary);
      secondaries.push(estimates.secondaries[k]!);
      scores.push(estimates.scores[k]!);
    }
  }

  /** The exactly best pair; of equal ones the last. */
  best(): ScoredPair | undefined {
    const { limit, primaries, scan, scores, secondaries } = this;
    const near: Placement[] = [];
    scores.forEach((score, k) => {
      if (score <= limit) near.push({ primary: primaries[k]!, secondary: secondaries[k]! });
    });
    return scan.best(oneOfEach(scan, near));
  }
}
