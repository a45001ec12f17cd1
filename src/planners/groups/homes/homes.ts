/**
 * Finding an instance a home in another group without making that group unhealthy.
 *
 * standard: as hail allocates, by allocation policy, then by the score of the group with the instance in it; to save time only
 * the few groups whose score is best now are scanned before the others. tight: where least memory stays over, which
 * leaves room for large instances. first: the first that fits.
 */

import { NO_NODE } from '../../../cluster/snapshot.ts';
import { Statistics } from '../../../model/score/incremental.ts';
import { METRIC_COUNT } from '../../../model/score/metrics.ts';
import * as F from '../../../model/state/node-fields.ts';
import { HAS_SECONDARY } from '../../../model/state/state.ts';
import { type Home, isRefused, nodesOf, type Relocation, relocate } from '../relocate/relocation.ts';
import { candidatesIn, mayPair } from './home-candidates.ts';
import type { SuperCluster } from './super-cluster.ts';
import { tierOf } from './targets.ts';

export const STRATEGIES = ['standard', 'tight', 'first'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Groups that are scanned in full before the best placement among them is taken. */
const GROUPS_SCANNED_TOGETHER = 3;
/** Placements of one group that are tried before it counts as full: each has to be played through for N+1. */
const MOST_TRIALS = 64;
/** How much more free memory on the primary counts than on the secondary where the tightest home is sought. */
const PRIMARIES_PRECEDENCE = 1024;

/** A possible home and how good it is; lower is better. */
interface Rated extends Home {
  readonly rating: number;
}

const freeMem = (cluster: SuperCluster, node: number): number =>
  cluster.state.nodeFields[node * F.NODE_STRIDE + F.FREE_MEM]!;

function pairsOf(
  cluster: SuperCluster,
  i: number,
  group: number,
  rate: (primary: number, secondary: number) => number,
  open: (primary: number) => void,
  { primaries, secondaries }: ReturnType<typeof candidatesIn>,
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

/** Placements in a group that the rules of nodes allow, rated by a strategy; in order of the nodes. */
function placementsIn(cluster: SuperCluster, i: number, group: number, strategy: Strategy): Rated[] {
  const candidates = candidatesIn(cluster, i, group);
  if (candidates.primaries.length === 0) return [];
  const isPair = (cluster.state.flags[i]! & HAS_SECONDARY) !== 0;
  if (isPair && candidates.secondaries.length === 0) return [];
  if (strategy === 'first')
    return pairsOf(
      cluster,
      i,
      group,
      () => 0,
      () => {},
      candidates,
    );
  if (strategy === 'tight') {
    const rate = (p: number, s: number): number =>
      freeMem(cluster, p) + (s < 0 ? 0 : freeMem(cluster, s) / PRIMARIES_PRECEDENCE);
    return pairsOf(cluster, i, group, rate, () => {}, candidates);
  }
  const scan = cluster.scanOf(group);
  scan.prepare(i, candidates.primaries, candidates.secondaries);
  if (isPair) {
    return pairsOf(
      cluster,
      i,
      group,
      (_, s) => scan.score(s),
      (p) => scan.open(p),
      candidates,
    );
  }
  const { statistics } = scan;
  const after = new Statistics();
  const crowding = statistics.crowding();
  const rate = (p: number): number => {
    after.copyFrom(statistics.now);
    after.replace(true, statistics.rows, p * METRIC_COUNT, scan.asPrimary, p * METRIC_COUNT);
    return after.score(crowding);
  };
  return pairsOf(cluster, i, group, rate, () => {}, candidates);
}

/**
 * Moves the instance to this home if it stays healthy there; the state is as before otherwise.
 * On success the cluster's verdicts and scores are up to date for the new home; those of the old one only when asked.
 */
export function tryHome(
  cluster: SuperCluster,
  i: number,
  home: Home,
  refreshesOld: boolean,
): Relocation | undefined {
  const { state, n1 } = cluster;
  const mark = cluster.mark();
  const moved = relocate(state, i, home);
  if (isRefused(moved)) return undefined;
  const arrived = [home.primary, home.secondary].filter((n) => n !== NO_NODE);
  const isOvercommitted = arrived.some((n) => state.nodeFields[n * F.NODE_STRIDE + F.FAILS_N1] === 1);
  if (isOvercommitted || n1.newlyFailing(arrived) >= 0) {
    state.journal.rollback(mark.journal);
    return undefined;
  }
  cluster.refresh(refreshesOld ? nodesOf(moved) : arrived);
  return moved;
}

/** Tries the rated placements, the best first, until one holds. Equal ratings: the first in order. */
function settle(
  cluster: SuperCluster,
  i: number,
  rated: readonly Rated[],
  refreshesOld: boolean,
): Relocation | undefined {
  const left = new Set(rated);
  const trials = new Map<number, number>();
  while (left.size > 0) {
    let best: Rated | undefined;
    for (const one of left) if (best === undefined || one.rating < best.rating) best = one;
    left.delete(best!);
    const moved = tryHome(cluster, i, best!, refreshesOld);
    if (moved) return moved;
    const { group } = best!;
    const count = (trials.get(group) ?? 0) + 1;
    trials.set(group, count);
    if (count === MOST_TRIALS) for (const one of left) if (one.group === group) left.delete(one);
  }
  return undefined;
}

/** Groups in the order in which a strategy looks at them. */
function inOrder(cluster: SuperCluster, groups: readonly number[], strategy: Strategy): number[] {
  const roomOf = (group: number): number =>
    cluster.online[group]!.reduce((sum, n) => sum + freeMem(cluster, n), 0);
  const rank =
    strategy === 'standard'
      ? (group: number): number => cluster.scoreOf(group)
      : strategy === 'tight'
        ? roomOf
        : (group: number): number => group;
  const ranked = groups.map((group) => ({ group, tier: tierOf(cluster, group), rank: rank(group) }));
  ranked.sort((a, b) => a.tier - b.tier || a.rank - b.rank || a.group - b.group);
  return ranked.map(({ group }) => group);
}

export interface HomeOptions {
  readonly strategy: Strategy;
  /** Whether verdicts of the old home are kept up to date as well; not needed while it is emptied. */
  readonly refreshesOld: boolean;
}

/** Moves the instance to the best home in these groups; undefined, with the state as before, where none holds. */
export function findHome(
  cluster: SuperCluster,
  i: number,
  groups: readonly number[],
  { strategy, refreshesOld }: HomeOptions,
): Relocation | undefined {
  const order = inOrder(cluster, groups, strategy);
  const batch = strategy === 'standard' ? GROUPS_SCANNED_TOGETHER : 1;
  for (let at = 0; at < order.length; ) {
    const tier = tierOf(cluster, order[at]!);
    const together = order.slice(at, at + batch).filter((group) => tierOf(cluster, group) === tier);
    const rated = together.flatMap((group) => placementsIn(cluster, i, group, strategy));
    const moved = settle(cluster, i, rated, refreshesOld);
    if (moved) return moved;
    at += together.length;
  }
  return undefined;
}

/** Every placement that the rules of nodes allow in these groups, for the exact search. */
export const allPlacements = (cluster: SuperCluster, i: number, groups: readonly number[]): Home[] =>
  groups.flatMap((group) => placementsIn(cluster, i, group, 'first'));
