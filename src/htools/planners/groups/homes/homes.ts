/** Finds an instance a home in another group that stays healthy. Source: docs/why/groups.md. */
import { departureRefusals } from '../relocate/departure.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { FullGroups } from './full-groups.ts';
import { ratePlacements, type Strategy } from './placements.ts';
import type { SuperCluster } from './super-cluster.ts';
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
  /** What is known of groups that are full; from the caller, as nothing may leave them from then on. */
  readonly full?: FullGroups | undefined;
}

/** What came of the search for a home. */
type HomeSearch =
  | { readonly kind: 'found'; readonly relocation: Relocation }
  /** Its nodes have no room for any way of leaving now; that may change when others have left them. */
  | { readonly kind: 'blocked'; readonly relocation?: undefined }
  /** No group takes it. isProven: nor will any, as long as nothing leaves them. */
  | { readonly kind: 'none'; readonly relocation?: undefined; readonly isProven: boolean };

/** Tries rated placements, the best first, until one holds. Equal ratings: the first in order. */
function settle(
  cluster: SuperCluster,
  i: number,
  refreshesOld: boolean,
): Relocation | { readonly isProven: boolean } {
  const { rated } = cluster;
  const trials = new Map<number, number>();
  let isProven = true;
  for (let home = rated.takeBest(); home !== undefined; home = rated.takeBest()) {
    const count = (trials.get(home.group) ?? 0) + 1;
    trials.set(home.group, count);
    if (count > MOST_TRIALS) {
      isProven = false;
      continue;
    }
    const moved = tryHome(cluster, i, home, refreshesOld);
    if (!isObstacle(moved)) return moved;
    isProven &&= moved.isProven;
    if (moved.isByPrimary) rated.drop(home.primary);
  }
  return { isProven };
}

/** The first by tier, rank and place; undefined where a rank is no number, which no order is by. */
function firstOf(
  cluster: SuperCluster,
  groups: readonly number[],
  rankOf: (group: number) => number,
): number | undefined {
  let first: number | undefined;
  let lowest = 0;
  let isLast = false;
  for (const group of groups) {
    const rank = rankOf(group);
    if (Number.isNaN(rank)) return undefined;
    if (first !== undefined) {
      if (cluster.isLastResort(group) !== isLast) {
        if (!isLast) continue;
      } else if (rank > lowest || (rank === lowest && group > first)) continue;
    }
    first = group;
    lowest = rank;
    isLast = cluster.isLastResort(group);
  }
  return first;
}

/**
 * Groups in the order in which a strategy looks at them, so many of one tier at a time. They are put in order
 * only if the first does not do: it mostly does.
 */
function* inOrder(
  cluster: SuperCluster,
  groups: readonly number[],
  strategy: Strategy,
  together: number,
): Generator<readonly number[]> {
  const rank = {
    standard: (group: number) => cluster.scoreOf(group),
    tight: (group: number) => cluster.online[group]!.reduce((sum, n) => sum + cluster.freeMem(n), 0),
    first: (group: number) => group,
  }[strategy];
  const first = together === 1 ? firstOf(cluster, groups, rank) : undefined;
  if (first !== undefined) yield [first];
  const tiers = groups.map((group) => Number(cluster.isLastResort(group)));
  const ranks = groups.map(rank);
  const order = (a: number, b: number): number =>
    tiers[a]! - tiers[b]! || ranks[a]! - ranks[b]! || groups[a]! - groups[b]!;
  const places = [...groups.keys()].filter((k) => groups[k] !== first);
  places.sort(order);
  for (let at = 0; at < places.length; ) {
    const tier = tiers[places[at]!];
    const taken = places.slice(at, at + together).filter((k) => tiers[k] === tier);
    yield taken.map((k) => groups[k]!);
    at += taken.length;
  }
}

/** Moves the instance to the best home in these groups; unless one is found, the state is as before. */
export function findHome(
  cluster: SuperCluster,
  i: number,
  groups: readonly number[],
  { strategy, refreshesOld, together = GROUPS_SCANNED_TOGETHER, full }: HomeOptions,
): HomeSearch {
  if (departureRefusals(cluster.state, i).length > 0) return { kind: 'blocked' };
  const open = full?.without(i, groups) ?? groups;
  let isProven = true;
  for (const taken of inOrder(cluster, open, strategy, strategy === 'standard' ? together : 1)) {
    cluster.rated.clear();
    for (const group of taken) ratePlacements(cluster, i, group, strategy);
    const moved = settle(cluster, i, refreshesOld);
    if ('instance' in moved) return { kind: 'found', relocation: moved };
    if (moved.isProven) full?.note(i, taken);
    isProven &&= moved.isProven;
  }
  return { kind: 'none', isProven };
}

/** What is to be known of full groups while instances only come to them. */
export const fullGroups = (cluster: SuperCluster): FullGroups =>
  new FullGroups(cluster, (i, group) =>
    cluster.tentatively(() => {
      cluster.rated.clear();
      ratePlacements(cluster, i, group, 'first');
      const moved = settle(cluster, i, false);
      return 'instance' in moved || !moved.isProven;
    }),
  );
