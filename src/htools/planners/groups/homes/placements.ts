/** Placements of an instance in a group that the rules of nodes allow, rated by a strategy. */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { METRIC_COUNT } from '../../../model/score/metrics.ts';
import { Statistics } from '../../../model/score/statistics.ts';
import type { Home } from '../relocate/relocation.ts';
import { type Candidates, candidatesIn, mayPair, reserveLimit } from './home-candidates.ts';
import type { SuperCluster } from './super-cluster.ts';

/**
 * standard: as hail allocates, by the score of the group with the instance in it. tight: where least memory
 * stays over, which leaves room for large instances. first: the first in order.
 */
export const STRATEGIES = ['standard', 'tight', 'first'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** How much more the primary's free memory counts than the secondary's for the tightest home. */
const PRIMARIES_PRECEDENCE = 1024;

function forEachPair(
  cluster: SuperCluster,
  i: number,
  { primaries, secondaries }: Candidates,
  take: (primary: number, secondary: number) => void,
): void {
  const isMirrored = cluster.isMirrored(i);
  for (const primary of primaries) {
    if (!isMirrored) take(primary, NO_NODE);
    else
      for (const secondary of secondaries)
        if (mayPair(cluster, i, primary, secondary)) take(primary, secondary);
  }
}

/** Rates by the score of the group with the instance there; of most pairs it is enough to know it about. */
function rateByScore(cluster: SuperCluster, i: number, group: number, candidates: Candidates): void {
  const { rated, state, estimates } = cluster;
  const { primaries, secondaries } = candidates;
  const scan = cluster.scanOf(group);
  const { scorer } = scan;
  scan.prepare(i, primaries, secondaries);
  if (!cluster.isMirrored(i)) {
    const after = new Statistics(state);
    const crowding = scorer.crowding();
    for (const p of primaries) {
      after.copyFrom(scorer.now);
      after.replace(true, scorer.rows, p * METRIC_COUNT, scan.asPrimary, p * METRIC_COUNT);
      rated.add(group, p, NO_NODE, after.score(crowding));
    }
    return;
  }
  if (scorer.isUndefined) {
    forEachPair(cluster, i, candidates, (p, s) => {
      scan.open(p);
      rated.add(group, p, s, scan.score(s));
    });
    return;
  }
  estimates.prepare(scan, i, secondaries, false);
  const error =
    2 * (scorer.tolerance([scan.asPrimary], primaries) + scorer.tolerance([scan.asSecondary], secondaries));
  const limits = secondaries.map((s) => reserveLimit(cluster, s));
  for (const p of primaries) {
    estimates.open(p);
    for (let k = 0; k < secondaries.length; k++) {
      const s = secondaries[k]!;
      if (s !== p && estimates.reservedFor(s) < limits[k]!) rated.add(group, p, s, estimates.score(s), error);
    }
  }
}

/** Adds all placements in the group to `cluster.rated`, rated by a strategy. */
export function ratePlacements(cluster: SuperCluster, i: number, group: number, strategy: Strategy): void {
  const candidates = candidatesIn(cluster, i, group);
  if (candidates.primaries.length === 0) return;
  if (cluster.isMirrored(i) && candidates.secondaries.length === 0) return;
  if (strategy === 'standard') {
    rateByScore(cluster, i, group, candidates);
    return;
  }
  const tightness = (p: number, s: number): number =>
    cluster.freeMem(p) + (s < 0 ? 0 : cluster.freeMem(s) / PRIMARIES_PRECEDENCE);
  const rate = strategy === 'tight' ? tightness : () => 0;
  forEachPair(cluster, i, candidates, (p, s) => cluster.rated.add(group, p, s, rate(p, s)));
}

/** All placements in the group, in order of the nodes. */
export function placementsIn(cluster: SuperCluster, i: number, group: number): Home[] {
  const homes: Home[] = [];
  forEachPair(cluster, i, candidatesIn(cluster, i, group), (primary, secondary) => {
    homes.push({ group, primary, secondary });
  });
  return homes;
}
