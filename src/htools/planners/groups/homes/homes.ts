/** Homes in other groups that stay healthy: sought, and played through. Source: docs/why/groups.md. */
import { FAIL_MIG, type FailCode } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { removeSecondary } from '../../../model/moves/transitions.ts';
import { departureRefusals } from '../relocate/departure.ts';
import { type Home, nodesIn, type Relocation, relocate } from '../relocate/relocation.ts';
import { ratePlacements, type Strategy } from './placements.ts';
import type { SuperCluster } from './super-cluster.ts';

/** A home that was tried: what led there, or why it is not taken. */
type Trial =
  | { readonly relocation: Relocation }
  | {
      readonly relocation?: undefined;
      /** Holds whatever else is done but emptying the target. */
      readonly isProven: boolean;
      /** Holds for every other secondary as well. */
      readonly isByPrimary: boolean;
      /** Holds for all nodes of the group with the same tags of migration. */
      readonly isByTags?: boolean;
    };

/** Whether the node would fail with its primary alone, so that another secondary is no help. */
function failsByPrimary({ state, n1 }: SuperCluster, i: number, home: Home, failing: number): boolean {
  if (home.secondary === NO_NODE) return true;
  if (failing === home.primary) return false;
  removeSecondary(state, i, home.secondary, home.primary);
  return n1.verdictNow(failing) === 'no';
}

/**
 * Moves the instance to this home if the group stays healthy there; else the state is as before. Verdicts and
 * scores are then up to date for the new home; those of the old one only when asked.
 */
export function tryHome(cluster: SuperCluster, i: number, home: Home, refreshesOld: boolean): Trial {
  const { state } = cluster;
  const mark = state.journal.mark();
  const refusals: FailCode[] = [];
  const relocation = relocate(state, i, home, refusals);
  // No way leads there as the nodes that are left stand now.
  if (!relocation) {
    const isByTags = refusals.length > 0 && refusals.every((code) => code === FAIL_MIG);
    return { isProven: false, isByPrimary: false, isByTags };
  }
  const arrived = nodesIn([home]);
  if (arrived.some((n) => cluster.isOvercommitted(n))) {
    state.journal.rollback(mark);
    return { isProven: true, isByPrimary: false };
  }
  const failure = cluster.refreshIfHarmless(arrived);
  if (failure) {
    const isByPrimary = failsByPrimary(cluster, i, home, failure.node);
    state.journal.rollback(mark);
    return { isProven: failure.verdict === 'no', isByPrimary };
  }
  if (refreshesOld) cluster.refresh(nodesIn([relocation.from]));
  return { relocation };
}

/** Moves an instance within its group as the rules allow, or to a healthy group that stays so. */
export function moveTo(cluster: SuperCluster, i: number, home: Home): Relocation | undefined {
  if (home.group === cluster.groupOf(i)) return cluster.move(i, home);
  return cluster.isHealthy(home.group) ? tryHome(cluster, i, home, true).relocation : undefined;
}

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
  /** Groups that take none like it as long as nothing leaves them; those that prove to be such are added. */
  readonly refusedBy?: Set<number> | undefined;
}

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
): Exclude<HomeSearch, { kind: 'blocked' }> {
  const { rated, state } = cluster;
  const { migrationClassOf } = state.tags;
  const trials = new Map<number, number>();
  let isProven = true;
  for (let home = rated.takeBest(); home !== undefined; home = rated.takeBest()) {
    const count = (trials.get(home.group) ?? 0) + 1;
    trials.set(home.group, count);
    if (count > MOST_TRIALS) {
      isProven = false;
      continue;
    }
    const tried = tryHome(cluster, i, home, refreshesOld);
    if (tried.relocation) return { kind: 'found', ...tried };
    isProven &&= tried.isProven;
    if (tried.isByPrimary) rated.drop(({ primary }) => primary === home.primary);
    if (tried.isByTags)
      rated.drop(
        ({ group, primary, secondary }) =>
          group === home.group &&
          migrationClassOf[primary] === migrationClassOf[home.primary] &&
          migrationClassOf[secondary] === migrationClassOf[home.secondary],
      );
  }
  return { kind: 'none', isProven };
}

/** What a strategy puts groups in order by, the lowest first. */
const RANKS: Readonly<Record<Strategy, (cluster: SuperCluster, group: number) => number>> = {
  standard: (cluster, group) => cluster.scoreOf(group),
  tight: (cluster, group) => cluster.open[group]!.reduce((sum, n) => sum + cluster.freeMem(n), 0),
  first: (_, group) => group,
};

/**
 * Groups in the order in which a strategy looks at them, so many of one tier at a time. Each time the first
 * that are left are picked out: these mostly do, so that putting all in order is not worth it.
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
  {
    strategy = 'standard',
    refreshesOld = true,
    together = GROUPS_SCANNED_TOGETHER,
    refusedBy,
  }: HomeOptions = {},
): HomeSearch {
  if (departureRefusals(cluster.state, i).length > 0) return { kind: 'blocked' };
  let isProven = true;
  for (const taken of inOrder(cluster, groups, strategy, strategy === 'standard' ? together : 1)) {
    cluster.rated.clear();
    const asked = taken.filter((group) => !refusedBy?.has(group));
    for (const group of asked) ratePlacements(cluster, i, group, strategy);
    const settled = settle(cluster, i, refreshesOld);
    if (settled.kind === 'found') return settled;
    if (settled.isProven) for (const group of asked) refusedBy?.add(group);
    isProven &&= settled.isProven;
  }
  return { kind: 'none', isProven };
}
