/**
 * Placements with their ratings, lower is better. Estimates that are too near the lowest are rated exactly
 * when the best one is asked for.
 */
import type { Home } from '../relocate/relocation.ts';

interface Rated {
  group: number;
  primary: number;
  secondary: number;
  rating: number;
  isEstimate: boolean;
}

/** Whether it is the better one, or of equals the first. */
const isBefore = (a: Rated, b: Rated): boolean =>
  a.rating < b.rating ||
  (a.rating === b.rating && (a.group - b.group || a.primary - b.primary || a.secondary - b.secondary) < 0);

export class RatedPlacements {
  /** The first ones so far; the others are to be used again, as new ones kept the garbage collector busy. */
  private readonly homes: Rated[] = [];
  private count = 0;
  /** How far estimates may be off. */
  private error = 0;

  /** @param exactly the rating of a placement that was added with an estimate */
  constructor(private readonly exactly: (group: number, primary: number, secondary: number) => number) {}

  clear(): void {
    this.count = 0;
    this.error = 0;
  }

  /** @param error how far the rating may be off */
  add(group: number, primary: number, secondary: number, rating: number, error = 0): void {
    if (error > this.error) this.error = error;
    const isEstimate = error > 0;
    const k = this.count++;
    const home = this.homes[k];
    if (home === undefined) {
      this.homes.push({ group, primary, secondary, rating, isEstimate });
      return;
    }
    home.group = group;
    home.primary = primary;
    home.secondary = secondary;
    home.rating = rating;
    home.isEstimate = isEstimate;
  }

  /**
   * Takes out the best, of equals the first by group, primary and secondary; undefined when none is left.
   * Estimates that may be the best, as both they and the lowest may be off, are rated exactly.
   */
  takeBest(): Home | undefined {
    const { homes, count } = this;
    if (count === 0) return undefined;
    let lowest = homes[0]!.rating;
    for (let k = 1; k < count; k++) if (homes[k]!.rating < lowest) lowest = homes[k]!.rating;
    const limit = lowest + 2 * this.error;
    let best = -1;
    for (let k = 0; k < count; k++) {
      const home = homes[k]!;
      if (!(home.rating <= limit)) continue;
      if (home.isEstimate) {
        home.rating = this.exactly(home.group, home.primary, home.secondary);
        home.isEstimate = false;
      }
      if (best < 0 || isBefore(home, homes[best]!)) best = k;
    }
    // Where the first is no number, nothing is lower.
    best = Math.max(0, best);
    const { group, primary, secondary } = homes[best]!;
    this.swap(best, --this.count);
    return { group, primary, secondary };
  }

  drop(isHopeless: (home: Home) => boolean): void {
    const { count } = this;
    this.count = 0;
    for (let k = 0; k < count; k++) if (!isHopeless(this.homes[k]!)) this.swap(this.count++, k);
  }

  private swap(a: number, b: number): void {
    const { homes } = this;
    [homes[a], homes[b]] = [homes[b]!, homes[a]!];
  }
}
