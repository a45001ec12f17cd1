/** Moves within a sick group, such as hbal makes: off a dead node, or to relieve one that fails N+1. */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { type Candidates, othersIn, primaryCode, secondaryCode } from '../homes/home-candidates.ts';
import { fixedRule } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { type Home, homeOf, nodesOf, relocate } from '../relocate/relocation.ts';

/**
 * New nodes that are tried for one instance, those with most free memory: as the N+1 of the group is found
 * anew for each, fewer in a large group, where one more hardly ever tells.
 */
const MOST_TARGETS = { small: 8, large: 3 };
const LARGE_GROUP = 12;

export const isLarge = (cluster: SuperCluster, group: number): boolean =>
  cluster.online[group]!.length >= LARGE_GROUP;

/** Homes in the group other than the present one, on nodes that are online, with these as new ones. */
function homesWith(cluster: SuperCluster, i: number, { primaries, secondaries }: Candidates): Home[] {
  const { state } = cluster;
  const { group, primary: p, secondary: s } = homeOf(state, i);
  const at = (primary: number, secondary: number): Home => ({ group, primary, secondary });
  if (!cluster.isMirrored(i)) return primaries.map((primary) => at(primary, NO_NODE));
  const kept = [p, s].filter((n) => !state.isOffline[n] && state.groupOf[n] === group);
  const partners = kept.length > 0 ? kept : secondaries;
  return [
    ...(kept.length === 2 ? [at(s, p)] : []),
    ...secondaries.flatMap((secondary) => kept.map((primary) => at(primary, secondary))),
    ...primaries.flatMap((primary) =>
      partners.filter((n) => n !== primary).map((secondary) => at(primary, secondary)),
    ),
  ];
}

/** Homes on the roomiest new nodes that the rules of nodes admit, soft rules included. */
function likelyHomes(cluster: SuperCluster, i: number): Home[] {
  const group = cluster.groupOf(i);
  const most = isLarge(cluster, group) ? MOST_TARGETS.large : MOST_TARGETS.small;
  const roomiest = (code: typeof primaryCode): number[] =>
    othersIn(cluster, i, group)
      .filter((n) => code(cluster, i, n) === ALLOWED)
      .sort((a, b) => cluster.freeMem(b) - cluster.freeMem(a) || a - b)
      .slice(0, most);
  return homesWith(cluster, i, { primaries: roomiest(primaryCode), secondaries: roomiest(secondaryCode) });
}

/** Every home in the group that some way may lead to. */
export function allHomesWithin(cluster: SuperCluster, i: number): Home[] {
  const nodes = othersIn(cluster, i, cluster.groupOf(i)).filter((n) => cluster.admits(i, n));
  return homesWith(cluster, i, { primaries: nodes, secondaries: nodes });
}

/** A home within the group and what comes of it. */
export interface WithinChoice {
  readonly instance: number;
  readonly home: Home;
  /** Online nodes of the group that fail N+1 then. */
  readonly failing: number;
  readonly price: number;
}

export const isBetterChoice = (a: WithinChoice, b: WithinChoice | undefined): boolean =>
  b === undefined || (a.failing - b.failing || a.price - b.price) < 0;

/**
 * The home within the group by which fewest nodes fail N+1, then the cheapest; undefined where there is none.
 * @param most homes by which more nodes fail are passed over
 */
export function bestWithin(
  cluster: SuperCluster,
  instance: number,
  most = Number.POSITIVE_INFINITY,
): WithinChoice | undefined {
  if (fixedRule(cluster, instance) !== undefined) return undefined;
  const { state } = cluster;
  let best: WithinChoice | undefined;
  for (const home of likelyHomes(cluster, instance)) {
    const mark = state.journal.mark();
    const moved = relocate(state, instance, home);
    if (!moved) continue;
    // Verdicts are not taken over, so nothing has to be found anew when the move is taken back.
    const touched = nodesOf(moved);
    const failing = cluster.failingAfter(home.group, touched, best?.failing ?? most);
    const isAllowed = failing <= most && !cluster.harmsOthers(home.group, touched);
    state.journal.rollback(mark);
    const choice = { instance, home, failing, price: cluster.priceOf([moved]) };
    if (isAllowed && isBetterChoice(choice, best)) best = choice;
  }
  return best;
}
