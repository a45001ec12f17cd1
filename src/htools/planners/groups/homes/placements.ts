/** Placements of an instance in a group that the rules of nodes allow, rated by a strategy. */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { Statistics } from '../../../model/score/incremental.ts';
import { METRIC_COUNT } from '../../../model/score/metrics.ts';
import * as F from '../../../model/state/node-fields.ts';
import { HAS_SECONDARY } from '../../../model/state/state.ts';
import type { Home } from '../relocate/home.ts';
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

type Rate = (primary: number, secondary: number) => number;
type Take = (primary: number, secondary: number) => void;

export const freeMem = (cluster: SuperCluster, node: number): number =>
  cluster.state.nodeFields[node * F.NODE_STRIDE + F.FREE_MEM]!;

function forEachPair(
  cluster: SuperCluster,
  i: number,
  { primaries, secondaries }: Candidates,
  take: Take,
): void {
  const isPair = (cluster.state.flags[i]! & HAS_SECONDARY) !== 0;
  for (const primary of primaries) {
    if (!isPair) take(primary, NO_NODE);
    else
      for (const secondary of secondaries)
        if (mayPair(cluster, i, primary, secondary)) take(primary, secondary);
  }
}

/** Rates by the score of the group with the instance there. */
function rateByScore(cluster: SuperCluster, i: number, group: number, candidates: Candidates): void {
  const { rated, state } = cluster;
  const { primaries, secondaries } = candidates;
  const scan = cluster.scanOf(group);
  scan.prepare(i, primaries, secondaries);
  if (state.flags[i]! & HAS_SECONDARY) {
    estimatePairs(cluster, i, group, candidates);
    return;
  }
  const { statistics } = scan;
  const after = new Statistics(state);
  const crowding = statistics.crowding();
  forEachPair(cluster, i, candidates, (p) => {
    after.copyFrom(statistics.now);
    after.replace(true, statistics.rows, p * METRIC_COUNT, scan.asPrimary, p * METRIC_COUNT);
    rated.add(group, p, NO_NODE, after.score(crowding));
  });
}

/** The same for pairs: of most it is enough to know their score about. */
function estimatePairs(cluster: SuperCluster, i: number, group: number, candidates: Candidates): void {
  const { rated, estimates } = cluster;
  const { primaries, secondaries } = candidates;
  const scan = cluster.scanOf(group);
  const { statistics } = scan;
  if (statistics.isUndefined) {
    forEachPair(cluster, i, candidates, (p, s) => {
      scan.open(p);
      rated.add(group, p, s, scan.score(s));
    });
    return;
  }
  estimates.prepare(scan, i, secondaries);
  const error =
    2 *
    (statistics.tolerance([scan.asPrimary], primaries) +
      statistics.tolerance([scan.asSecondary], secondaries));
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
  if (cluster.state.flags[i]! & HAS_SECONDARY && candidates.secondaries.length === 0) return;
  if (strategy === 'standard') {
    rateByScore(cluster, i, group, candidates);
    return;
  }
  const tightness: Rate = (p, s) =>
    freeMem(cluster, p) + (s < 0 ? 0 : freeMem(cluster, s) / PRIMARIES_PRECEDENCE);
  const rate: Rate = strategy === 'tight' ? tightness : () => 0;
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
