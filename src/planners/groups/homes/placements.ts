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
 * standard: as hail allocates, by the score of the group with the instance in it. tight: where least memory stays over, which leaves
 * room for large instances. first: the first in order.
 */
export const STRATEGIES = ['standard', 'tight', 'first'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** How much more free memory on the primary counts than on the secondary where the tightest home is sought. */
const PRIMARIES_PRECEDENCE = 1024;

/** A possible home and how good it is; lower is better. */
export interface Rated extends Home {
  readonly rating: number;
}

type Rate = (primary: number, secondary: number) => number;

export const freeMem = (cluster: SuperCluster, node: number): number =>
  cluster.state.nodeFields[node * F.NODE_STRIDE + F.FREE_MEM]!;

function pairsOf(
  cluster: SuperCluster,
  i: number,
  group: number,
  rate: Rate,
  { primaries, secondaries }: Candidates,
  open: (primary: number) => void = () => {},
): Rated[] {
  const isPair = (cluster.state.flags[i]! & HAS_SECONDARY) !== 0;
  const rated: Rated[] = [];
  for (const primary of primaries) {
    open(primary);
    for (const secondary of isPair ? secondaries : [NO_NODE]) {
      if (isPair && !mayPair(cluster, i, primary, secondary)) continue;
      rated.push({ group, primary, secondary, rating: rate(primary, secondary) });
    }
  }
  return rated;
}

/** By the score of the group with the instance there. */
function scored(cluster: SuperCluster, i: number, group: number, candidates: Candidates): Rated[] {
  const scan = cluster.scanOf(group);
  scan.prepare(i, candidates.primaries, candidates.secondaries);
  if (cluster.state.flags[i]! & HAS_SECONDARY) {
    const rate: Rate = (_, s) => scan.score(s);
    return pairsOf(cluster, i, group, rate, candidates, (p) => scan.open(p));
  }
  const { statistics } = scan;
  const after = new Statistics();
  const crowding = statistics.crowding();
  const rate: Rate = (p) => {
    after.copyFrom(statistics.now);
    after.replace(true, statistics.rows, p * METRIC_COUNT, scan.asPrimary, p * METRIC_COUNT);
    return after.score(crowding);
  };
  return pairsOf(cluster, i, group, rate, candidates);
}

/** All placements in the group, in order of the nodes. */
export function placementsIn(cluster: SuperCluster, i: number, group: number, strategy: Strategy): Rated[] {
  const candidates = candidatesIn(cluster, i, group);
  if (candidates.primaries.length === 0) return [];
  if (cluster.state.flags[i]! & HAS_SECONDARY && candidates.secondaries.length === 0) return [];
  if (strategy === 'standard') return scored(cluster, i, group, candidates);
  const tightness: Rate = (p, s) =>
    freeMem(cluster, p) + (s < 0 ? 0 : freeMem(cluster, s) / PRIMARIES_PRECEDENCE);
  return pairsOf(cluster, i, group, strategy === 'tight' ? tightness : () => 0, candidates);
}
