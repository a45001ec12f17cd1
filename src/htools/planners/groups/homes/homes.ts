/**
 * Finding an instance a home in another group without making that group unhealthy. Source:
 * docs/why/groups.md.
 */
import { departureRefusals } from '../relocate/departure.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { freeMem, ratePlacements, type Strategy } from './placements.ts';
import type { SuperCluster } from './super-cluster.ts';
import { tierOf } from './targets.ts';
import { isObstacle, tryHome } from './trial.ts';

/** Groups that are scanned in full before the best placement among them is taken. */
const GROUPS_SCANNED_TOGETHER = 3;
/** Placements of one group that are played through before the search there ends without an answer. */
const MOST_TRIALS = 512;

interface HomeOptions {
  readonly strategy: Strategy;
  /** Whether verdicts of the old home are kept up to date as well; not needed while it is emptied. */
  readonly refreshesOld: boolean;
  /** Groups of which the best placement is taken; by default the few whose score is best now. */
  readonly together?: number;
}

/** What came of the search for a home. */
type HomeSearch =
  | { readonly kind: 'found'; readonly relocation: Relocation }
  /** Its nodes have no room for any way of leaving now; that may change when others have left them. */
  | { readonly kind: 'blocked' }
  /** No group takes it. isProven: nor will any, as long as nothing leaves them. */
  | { readonly kind: 'none'; readonly isProven: boolean };

/** Tries rated placements, the best first, until one holds. Equal ratings: the first in order. */
function settle(
  cluster: SuperCluster,
  i: number,
  refreshesOld: boolean,
): Relocation | { readonly isProven: boolean } {
  const { rated } = cluster;
  const trials = new Map<number, number>();
  const hopeless = new Set<number>();
  let isProven = true;
  for (let home = rated.takeBest(); home !== undefined; home = rated.takeBest()) {
    if (hopeless.has(home.primary)) continue;
    const count = (trials.get(home.group) ?? 0) + 1;
    trials.set(home.group, count);
    if (count > MOST_TRIALS) {
      isProven = false;
      continue;
    }
    const moved = tryHome(cluster, i, home, refreshesOld);
    if (!isObstacle(moved)) return moved;
    isProven &&= moved.isProven;
    if (moved.isByPrimary) hopeless.add(home.primary);
  }
  return { isProven };
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

/** Moves the instance to the best home in these groups; unless one is found, the state is as before. */
export function findHome(
  cluster: SuperCluster,
  i: number,
  groups: readonly number[],
  { strategy, refreshesOld, together = GROUPS_SCANNED_TOGETHER }: HomeOptions,
): HomeSearch {
  if (departureRefusals(cluster.state, i).length > 0) return { kind: 'blocked' };
  const order = inOrder(cluster, groups, strategy);
  const batch = strategy === 'standard' ? together : 1;
  let isProven = true;
  for (let at = 0; at < order.length; ) {
    const tier = tierOf(cluster, order[at]!);
    const taken = order.slice(at, at + batch).filter((group) => tierOf(cluster, group) === tier);
    cluster.rated.clear();
    for (const group of taken) ratePlacements(cluster, i, group, strategy);
    const moved = settle(cluster, i, refreshesOld);
    if ('instance' in moved) return { kind: 'found', relocation: moved };
    isProven &&= moved.isProven;
    at += taken.length;
  }
  return { kind: 'none', isProven };
}
