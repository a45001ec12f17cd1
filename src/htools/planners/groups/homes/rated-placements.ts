/**
 * Placements with their ratings, lower is better: in flat arrays, since one instance may have thousands.
 * Estimates that are too near the lowest are rated exactly when the best one is asked for.
 */
import type { Home } from '../relocate/relocation.ts';

const LEAST_CAPACITY = 1024;

/** Numbers of one placement: group, primary, secondary. */
const STRIDE = 3;

export class RatedPlacements {
  private count = 0;
  private ratings = new Float64Array(LEAST_CAPACITY);
  private homes = new Int32Array(LEAST_CAPACITY * STRIDE);
  /** 1 for ratings that are estimates, and how far those may be off. */
  private isEstimate = new Uint8Array(LEAST_CAPACITY);
  private error = 0;

  /** @param exactly the rating of a placement that was added with an estimate */
  constructor(private readonly exactly: (group: number, primary: number, secondary: number) => number) {}

  clear(): void {
    this.count = 0;
    this.error = 0;
  }

  /** @param error how far the rating may be off */
  add(group: number, primary: number, secondary: number, rating: number, error = 0): void {
    if (this.count === this.ratings.length) this.grow();
    const at = this.count * STRIDE;
    if (error > this.error) this.error = error;
    this.isEstimate[this.count] = error > 0 ? 1 : 0;
    this.ratings[this.count++] = rating;
    this.homes[at] = group;
    this.homes[at + 1] = primary;
    this.homes[at + 2] = secondary;
  }

  /**
   * Takes out the best, of equals the first by group, primary and secondary; undefined when none is left.
   * Estimates that may be the best, as both they and the lowest may be off, are rated exactly.
   */
  takeBest(): Home | undefined {
    const { count, ratings, homes, isEstimate } = this;
    if (count === 0) return undefined;
    let lowest = ratings[0]!;
    for (let k = 1; k < count; k++) if (ratings[k]! < lowest) lowest = ratings[k]!;
    const limit = lowest + 2 * this.error;
    let best = -1;
    for (let k = 0; k < count; k++) {
      if (!(ratings[k]! <= limit)) continue;
      const at = k * STRIDE;
      if (isEstimate[k] === 1) {
        ratings[k] = this.exactly(homes[at]!, homes[at + 1]!, homes[at + 2]!);
        isEstimate[k] = 0;
      }
      const isBest = best < 0 || ratings[k]! < ratings[best]!;
      if (isBest || (ratings[k] === ratings[best] && this.isEarlier(k, best))) best = k;
    }
    // Where the first is no number, nothing is lower.
    best = Math.max(0, best);
    const at = best * STRIDE;
    const home = { group: homes[at]!, primary: homes[at + 1]!, secondary: homes[at + 2]! };
    this.put(best, --this.count);
    return home;
  }

  drop(primary: number): void {
    let kept = 0;
    for (let k = 0; k < this.count; k++) if (this.homes[k * STRIDE + 1] !== primary) this.put(kept++, k);
    this.count = kept;
  }

  private put(to: number, from: number): void {
    const { ratings, homes, isEstimate } = this;
    ratings[to] = ratings[from]!;
    isEstimate[to] = isEstimate[from]!;
    for (let k = 0; k < STRIDE; k++) homes[to * STRIDE + k] = homes[from * STRIDE + k]!;
  }

  private isEarlier(a: number, b: number): boolean {
    const { homes } = this;
    for (let k = 0; k < STRIDE; k++) {
      const difference = homes[a * STRIDE + k]! - homes[b * STRIDE + k]!;
      if (difference !== 0) return difference < 0;
    }
    return false;
  }

  private grow(): void {
    const { ratings, homes, isEstimate } = this;
    this.ratings = new Float64Array(ratings.length * 2);
    this.ratings.set(ratings);
    this.isEstimate = new Uint8Array(isEstimate.length * 2);
    this.isEstimate.set(isEstimate);
    this.homes = new Int32Array(homes.length * 2);
    this.homes.set(homes);
  }
}
