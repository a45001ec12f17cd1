/**
 * The two location metrics for the deep search: common failures and unmet wishes of each instance, and
 * crowding of exclusion tags in locations. Source: hbal(1), location tags; stock's Node and Metrics.
 */
import { LOCATION_EXCLUSION_SCORE, LOCATION_SCORE } from '../../../model/score/metrics.ts';
import type { SearchLayout } from './layout.ts';

export class Locations {
  private readonly ownWeight: number;
  private readonly crowdingWeight: number;
  readonly pairCounts: Int32Array;

  constructor(private readonly layout: SearchLayout) {
    this.ownWeight = layout.metricWeights[LOCATION_SCORE]!;
    this.crowdingWeight = layout.metricWeights[LOCATION_EXCLUSION_SCORE]!;
    this.pairCounts = new Int32Array(layout.pairCounts.length);
  }

  reset(): void {
    this.pairCounts.set(this.layout.pairCounts);
  }

  /** Takes an instance off; returns what that takes off the score. */
  leave(i: number, p: number, s: number): number {
    return this.own(i, p, s) + this.changeCrowding(i, p, -1);
  }

  /** Adds an instance; returns what that adds to the score. */
  come(i: number, p: number, s: number): number {
    return this.own(i, p, s) + this.changeCrowding(i, p, 1);
  }

  /** Change of the score when an instance goes from `p`, `s` to `P`, `S`. Nothing is kept. */
  change(i: number, p: number, s: number, P: number, S: number): number {
    if (this.layout.locationClassCount === 0) return 0;
    const before = this.leave(i, p, s);
    const after = this.come(i, P, S);
    this.changeCrowding(i, P, -1);
    this.changeCrowding(i, p, 1);
    return after - before;
  }

  /** Common failures and unmet wishes, weighted. */
  private own(i: number, p: number, s: number): number {
    const { layout } = this;
    const classes = layout.locationClassCount;
    // What is on an offline node counts nowhere.
    if (classes === 0 || layout.isOffline[p] === 1) return 0;
    const at = layout.locationClassOf[p]!;
    const shared = s < 0 ? 0 : layout.locationCommon[at * classes + layout.locationClassOf[s]!]!;
    return this.ownWeight * (shared + layout.locationUnmet[i * classes + at]!);
  }

  /** Counts its tags in a node's locations, or takes them off; the weighted primaries beyond the first. */
  private changeCrowding(i: number, node: number, change: 1 | -1): number {
    const { layout, pairCounts } = this;
    if (layout.locationClassCount === 0 || layout.isOffline[node] === 1) return 0;
    const at = layout.locationClassOf[node]!;
    let crowding = 0;
    for (let l = layout.locationStart[at]!; l < layout.locationStart[at + 1]!; l++) {
      const location = layout.locations[l]!;
      for (let k = layout.exclusionStart[i]!; k < layout.exclusionStart[i + 1]!; k++) {
        const pair = location * layout.tagCount + layout.exclusions[k]!;
        const others = change === 1 ? pairCounts[pair]! : pairCounts[pair]! - 1;
        pairCounts[pair]! += change;
        if (others > 0) crowding++;
      }
    }
    return this.crowdingWeight * crowding;
  }
}
