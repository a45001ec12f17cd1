/** Placements with their ratings, lower is better: in flat arrays, since one instance may have thousands. */
import type { Home } from '../relocate/home.ts';

const LEAST_CAPACITY = 1024;

/** Numbers of one placement: group, primary, secondary. */
const STRIDE = 3;

export class RatedPlacements {
  private count = 0;
  private ratings = new Float64Array(LEAST_CAPACITY);
  private homes = new Int32Array(LEAST_CAPACITY * STRIDE);

  clear(): void {
    this.count = 0;
  }

  add(group: number, primary: number, secondary: number, rating: number): void {
    if (this.count === this.ratings.length) this.grow();
    const at = this.count * STRIDE;
    this.ratings[this.count++] = rating;
    this.homes[at] = group;
    this.homes[at + 1] = primary;
    this.homes[at + 2] = secondary;
  }

  /**
   * Takes out the best one, of equals the first by group, primary and secondary; undefined when none is left.
   */
  takeBest(): Home | undefined {
    const { ratings, homes } = this;
    if (this.count === 0) return undefined;
    let best = 0;
    for (let k = 1; k < this.count; k++) {
      if (ratings[k]! < ratings[best]! || (ratings[k] === ratings[best] && this.isEarlier(k, best))) best = k;
    }
    const at = best * STRIDE;
    const home = { group: homes[at]!, primary: homes[at + 1]!, secondary: homes[at + 2]! };
    const last = --this.count;
    ratings[best] = ratings[last]!;
    homes.copyWithin(at, last * STRIDE, (last + 1) * STRIDE);
    return home;
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
    const { ratings, homes } = this;
    this.ratings = new Float64Array(ratings.length * 2);
    this.ratings.set(ratings);
    this.homes = new Int32Array(homes.length * 2);
    this.homes.set(homes);
  }
}
