/**
 * How moves of an instance change the two location metrics: common failures and unmet wishes of the instance,
 * and crowding of its exclusion tags in locations. Source: hbal(1), location tags; stock's Node and Metrics.
 */
import { FAILOVER, FAILOVER_TO_ANY, type MoveKind, placementAfter } from '../../../model/moves/kinds.ts';
import { LOCATION_EXCLUSION_SCORE, LOCATION_SCORE } from '../../../model/score/metrics.ts';
import { IS_FORTHCOMING } from '../../../model/state/state.ts';
import type { ScanData } from './scan-data.ts';

export class LocationChange {
  private instance = 0;
  private hasTags = false;
  /** Its tags that others have in each location. */
  private readonly met: Int32Array;
  /** The same over the locations that it leaves. */
  private left = 0;

  constructor(private readonly data: ScanData) {
    this.met = new Int32Array(data.locationCount);
  }

  /** Begins with an instance where it is now. */
  open(i: number): void {
    const { data, met } = this;
    const { exclusions, exclusionStart, groupOf, isOffline, locationCount, pairCounts, tagCount } = data;
    const { locations, locationStart } = data;
    const start = exclusionStart[i]!;
    const end = exclusionStart[i + 1]!;
    this.instance = i;
    this.hasTags = start < end;
    if (!this.hasTags) return;
    this.left = 0;
    met.fill(0);
    const p = data.primary[i]!;
    const first = groupOf[p]! * locationCount;
    for (let location = 0; location < locationCount; location++)
      for (let k = start; k < end; k++)
        if (pairCounts[(first + location) * tagCount + exclusions[k]!]! > 0) met[location]!++;
    // What is on an offline node counts nowhere.
    if (isOffline[p] === 1) return;
    const from = data.locationClassOf[p]!;
    for (let at = locationStart[from]!; at < locationStart[from + 1]!; at++) {
      const location = locations[at]!;
      for (let k = start; k < end; k++)
        if (pairCounts[(first + location) * tagCount + exclusions[k]!] === 1) met[location]!--;
      this.left += met[location]!;
    }
  }

  /** Weighted change of the score by a move; 0 for clusters without location tags. */
  of(kind: MoveKind, target: number): number {
    const { data: d, instance: i } = this;
    const classes = d.locationClassCount;
    if (classes === 0 || d.flags[i]! & IS_FORTHCOMING) return 0;
    const p = d.primary[i]!;
    const [newPrimary, newSecondary] = placementAfter(kind, p, d.secondary[i]!, target);
    // A new secondary leaves the instance on an offline primary.
    if (d.isOffline[newPrimary] === 1) return 0;
    const from = d.locationClassOf[p]!;
    const to = d.locationClassOf[newPrimary]!;
    const before = d.instanceLocation[i]!;
    // Moves without a new disk keep the instance's common-failure count, as in stock.
    const keeps = kind === FAILOVER || kind === FAILOVER_TO_ANY;
    const after = keeps ? before : d.locationCommon[to * classes + d.locationClassOf[newSecondary]!]!;
    let change = after + d.locationUnmet[i * classes + to]!;
    if (d.isOffline[p] === 0) change -= before + d.locationUnmet[i * classes + from]!;
    const own = d.metricWeights[LOCATION_SCORE]! * change;
    return this.hasTags ? own + d.metricWeights[LOCATION_EXCLUSION_SCORE]! * this.crowding(to) : own;
  }

  /** Change of the primaries beyond the first with one tag in one location. @param to class of the primary */
  private crowding(to: number): number {
    const { locations, locationStart } = this.data;
    let change = -this.left;
    for (let at = locationStart[to]!; at < locationStart[to + 1]!; at++) change += this.met[locations[at]!]!;
    return change;
  }
}
