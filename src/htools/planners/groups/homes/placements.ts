/** Placements of an instance in a group that the rules of nodes allow, rated by a strategy. */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { Statistics } from '../../../model/score/incremental.ts';
import { METRIC_COUNT } from '../../../model/score/metrics.ts';
import * as F from '../../../model/state/node-fields.ts';
import { HAS_SECONDARY } from '../../../model/state/state.ts';
import type { Home } from '../relocate/home.ts';
import { type Candidates, candidatesIn, mayPair } from './home-candidates.ts';
import type { SuperCluster } from './super-cluster.ts';

/**
 * standard: as hail allocates, by the score of the group with the instance in it. tight: where least memory
 * stays over, which leaves room for large instances. first: the first in order.
 */
export const STRATEGIES = ['standard', 'tight', 'first'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/**
 * How much more free memory on the primary counts than on the secondary where the tightest home is sought.
 */
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
  open: (primary: number) => void = () => {},
): void {
  const isPair = (cluster.state.flags[i]! & HAS_SECONDARY) !== 0;
  for (const primary of primaries) {
    open(primary);
    if (!isPair) take(primary, NO_NODE);
    else
      for (const secondary of secondaries)
        if (mayPair(cluster, i, primary, secondary)) take(primary, secondary);
  }
}

/** Rates by the score of the group with the instance there. */
function rateByScore(cluster: SuperCluster, i: number, group: number, candidates: Candidates): void {
  const scan = cluster.scanOf(group);
  scan.prepare(i, candidates.primaries, candidates.secondaries);
  if (cluster.state.flags[i]! & HAS_SECONDARY) {
    const take: Take = (p, s) => cluster.rated.add(group, p, s, scan.score(s));
    forEachPair(cluster, i, candidates, take, (p) => scan.open(p));
    return;
  }
  const { statistics } = scan;
  const after = new Statistics(cluster.state);
  const crowding = statistics.crowding();
  forEachPair(cluster, i, candidates, (p) => {
    after.copyFrom(statistics.now);
    after.replace(true, statistics.rows, p * METRIC_COUNT, scan.asPrimary, p * METRIC_COUNT);
    cluster.rated.add(group, p, NO_NODE, after.score(crowding));
  });
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
