/** Finds an instance a home in another group that stays healthy. Source: docs/why/groups.md. */
import { departureRefusals } from '../relocate/departure.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { ratePlacements, type Strategy } from './placements.ts';
import type { SuperCluster } from './super-cluster.ts';
import { isObstacle, tryHome } from './trial.ts';

/** Groups that are scanned in full before the best placement among them is taken. */
const GROUPS_SCANNED_TOGETHER = 3;
/** Placements of one group that are played through before the search there ends without an answer. */
const MOST_TRIALS = 512;

interface HomeOptions {
  readonly strategy?: Strategy;
  /** Whether verdicts of the old home are kept up to date as well; not needed while it is emptied. */
  readonly refreshesOld?: boolean;
  /** Groups of which the best placement is taken; by default the few whose score is best now. */
  readonly together?: number | undefined;
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

/** What a strategy puts groups in order by, the lowest first. */
const RANKS: Readonly<Record<Strategy, (cluster: SuperCluster, group: number) => number>> = {
  standard: (cluster, group) => cluster.scoreOf(group),
  tight: (cluster, group) => cluster.online[group]!.reduce((sum, n) => sum + cluster.freeMem(n), 0),
  first: (_, group) => group,
};

/**
 * Groups in the order in which a strategy looks at them, so many of one tier at a time. Each time the first
 * of those that are left are picked out: they mostly do, so that putting all in order is not worth it.
 */
function* inOrder(
  cluster: SuperCluster,
  groups: readonly number[],
  strategy: Strategy,
  together: number,
): Generator<readonly number[]> {
  const rank = RANKS[strategy];
  for (const isLast of [false, true]) {
    const left = groups.filter((group) => cluster.isLastResort(group) === isLast);
    const ranks = left.map((group) => rank(cluster, group));
    const takeFirst = (): number => {
      let first = 0;
      for (let k = 1; k < left.length; k++) {
        const isTie = ranks[k] === ranks[first];
        if (isTie ? left[k]! < left[first]! : ranks[k]! < ranks[first]!) first = k;
      }
      ranks.splice(first, 1);
      return left.splice(first, 1)[0]!;
    };
    while (left.length > 0) yield Array.from({ length: Math.min(together, left.length) }, takeFirst);
  }
}

/** Moves the instance to the best home in these groups; unless one is found, the state is as before. */
export function findHome(
  cluster: SuperCluster,
  i: number,
  groups: readonly number[],
  { strategy = 'standard', refreshesOld = true, together = GROUPS_SCANNED_TOGETHER }: HomeOptions = {},
): HomeSearch {
  if (departureRefusals(cluster.state, i).length > 0) return { kind: 'blocked' };
  let isProven = true;
  for (const taken of inOrder(cluster, groups, strategy, strategy === 'standard' ? together : 1)) {
    cluster.rated.clear();
    for (const group of taken) ratePlacements(cluster, i, group, strategy);
    const moved = settle(cluster, i, refreshesOld);
    if ('instance' in moved) return { kind: 'found', relocation: moved };
    isProven &&= moved.isProven;
  }
  return { kind: 'none', isProven };
}
