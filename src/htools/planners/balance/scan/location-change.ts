/**
 * How a move changes the two location metrics: common failures and unmet wishes of the instance, and crowding
 * of its exclusion tags in locations. Source: hbal(1), location tags; stock's Node and Metrics.
 */
import { FAILOVER, FAILOVER_TO_ANY, type MoveKind, placementAfter } from '../../../model/moves/kinds.ts';
import { LOCATION_EXCLUSION_SCORE, LOCATION_SCORE } from '../../../model/score/metrics.ts';
import type { ScanData } from './scan-data.ts';

/** Weighted change of the score by the locations; 0 for clusters without location tags. */
export function locationChange(d: ScanData, i: number, kind: MoveKind, target: number): number {
  const p = d.primary[i]!;
  const s = d.secondary[i]!;
  const [newPrimary, newSecondary] = placementAfter(kind, p, s, target);
  // What is on an offline node counts nowhere; a new secondary leaves the instance there.
  if (d.isOffline[newPrimary] === 1) return 0;
  const classes = d.locationClassCount;
  const from = d.locationClassOf[p]!;
  const to = d.locationClassOf[newPrimary]!;
  const before = d.instanceLocation[i]!;
  // Moves without a new disk keep the instance's common-failure count, as in stock.
  const keeps = kind === FAILOVER || kind === FAILOVER_TO_ANY;
  const after = keeps ? before : d.locationCommon[to * classes + d.locationClassOf[newSecondary]!]!;
  let change = after + d.locationUnmet[i * classes + to]!;
  const wasScored = d.isOffline[p] === 0;
  if (wasScored) change -= before + d.locationUnmet[i * classes + from]!;
  return d.metricWeights[LOCATION_SCORE]! * change + crowdingChange(d, i, p, from, to, wasScored);
}

function crowdingChange(
  d: ScanData,
  i: number,
  p: number,
  from: number,
  to: number,
  wasScored: boolean,
): number {
  const start = d.exclusionStart[i]!;
  const end = d.exclusionStart[i + 1]!;
  if (start === end || (from === to && wasScored)) return 0;
  const { locationCount, tagCount } = d;
  let change = 0;
  for (let location = 0; location < locationCount; location++) {
    const had = wasScored && d.locationOfClass[from * locationCount + location] === 1;
    const has = d.locationOfClass[to * locationCount + location] === 1;
    if (had === has) continue;
    const base = (d.groupOf[p]! * locationCount + location) * tagCount;
    for (let k = start; k < end; k++) {
      const count = d.pairCounts[base + d.exclusions[k]!]!;
      if (had && count > 1) change--;
      if (has && count > 0) change++;
    }
  }
  return d.metricWeights[LOCATION_EXCLUSION_SCORE]! * change;
}
