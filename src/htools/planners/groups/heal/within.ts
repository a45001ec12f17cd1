/** Moves within a sick group, such as hbal makes: off a dead node, or to relieve one that fails N+1. */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { HAS_SECONDARY } from '../../../model/state/state.ts';
import { failingNodes } from '../homes/health.ts';
import { primaryCode, secondaryCode } from '../homes/home-candidates.ts';
import { fixedRule } from '../homes/leaving.ts';
import { freeMem } from '../homes/placements.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { type Home, homeOf } from '../relocate/home.ts';
import { priceOfAll } from '../relocate/job-schedule.ts';
import { isRefused, nodesOf, type Relocation, relocate } from '../relocate/relocation.ts';

/**
 * New nodes that are tried for one instance, those with most free memory: as the N+1 of the group is found
 * anew for each, fewer in a large group, where one more hardly ever tells.
 */
const MOST_TARGETS = { small: 8, large: 3 };
/** Nodes from which on a group is large. */
const LARGE_GROUP = 12;

export const isLarge = (cluster: SuperCluster, group: number): boolean =>
  cluster.online[group]!.length >= LARGE_GROUP;

/** Nodes that may be added to an instance's home, by role. */
interface NewNodes {
  readonly primaries: readonly number[];
  readonly secondaries: readonly number[];
}

/** Online nodes of the group that reach the instance's pool and do not have it. */
function others(cluster: SuperCluster, i: number): number[] {
  const { storage, state } = cluster;
  const row = storage.rows[i]! * storage.nodeCount;
  const group = state.groupOf[state.primary[i]!]!;
  return cluster.online[group]!.filter(
    (n) =>
      storage.access[row + n] !== 0 &&
      state.admits(i, n) &&
      n !== state.primary[i] &&
      n !== state.secondary[i],
  );
}

/** Homes in the group other than the present one, on nodes that are online. */
function* homesWith(cluster: SuperCluster, i: number, { primaries, secondaries }: NewNodes): Generator<Home> {
  const { state } = cluster;
  const { group, primary: p, secondary: s } = homeOf(state, i);
  if (!(state.flags[i]! & HAS_SECONDARY)) {
    for (const primary of primaries) yield { group, primary, secondary: NO_NODE };
    return;
  }
  const keepsPrimary = !state.isOffline[p];
  const keepsSecondary = !state.isOffline[s] && state.groupOf[s] === group;
  if (keepsPrimary && keepsSecondary) yield { group, primary: s, secondary: p };
  for (const secondary of secondaries) {
    if (keepsPrimary) yield { group, primary: p, secondary };
    if (keepsSecondary) yield { group, primary: s, secondary };
  }
  for (const primary of primaries) {
    if (keepsPrimary) yield { group, primary, secondary: p };
    if (keepsSecondary) yield { group, primary, secondary: s };
    for (const secondary of keepsPrimary || keepsSecondary ? [] : secondaries) {
      if (secondary !== primary) yield { group, primary, secondary };
    }
  }
}

/** Homes on the roomiest new nodes that the rules of nodes admit, soft rules included. */
function* likelyHomes(cluster: SuperCluster, i: number): Generator<Home> {
  const group = cluster.state.groupOf[cluster.state.primary[i]!]!;
  const most = isLarge(cluster, group) ? MOST_TARGETS.large : MOST_TARGETS.small;
  const byRoom = (list: readonly number[]): number[] =>
    [...list].sort((a, b) => freeMem(cluster, b) - freeMem(cluster, a) || a - b).slice(0, most);
  const nodes = others(cluster, i);
  yield* homesWith(cluster, i, {
    primaries: byRoom(nodes.filter((n) => primaryCode(cluster, i, n) === ALLOWED)),
    secondaries: byRoom(nodes.filter((n) => secondaryCode(cluster, i, n) === ALLOWED)),
  });
}

/** Every home in the group that some way may lead to. */
export function allHomesWithin(cluster: SuperCluster, i: number): Home[] {
  const nodes = others(cluster, i);
  return [...homesWith(cluster, i, { primaries: nodes, secondaries: nodes })];
}

export const failingCount = (cluster: SuperCluster, group: number): number =>
  failingNodes(cluster.healthOf(group)).length;

/** A home within the group and what comes of it. */
export interface WithinChoice {
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
  i: number,
  most = Number.POSITIVE_INFINITY,
): WithinChoice | undefined {
  if (fixedRule(cluster, i) !== undefined) return undefined;
  const { state } = cluster;
  const { group } = homeOf(state, i);
  let best: WithinChoice | undefined;
  for (const home of likelyHomes(cluster, i)) {
    const mark = state.journal.mark();
    const moved = relocate(state, i, home);
    if (isRefused(moved)) continue;
    // Verdicts are not taken over, so nothing has to be found anew when the move is taken back.
    const failing = cluster.failingAfter(group, nodesOf(moved), best?.failing ?? most);
    state.journal.rollback(mark);
    const choice = { home, failing, price: priceOfAll(cluster.snapshot, [moved], cluster.rates) };
    if (failing <= most && isBetterChoice(choice, best)) best = choice;
  }
  return best;
}

/** Moves an instance within its group; undefined, with the state as before, when the rules refuse it. */
export function moveWithin(cluster: SuperCluster, i: number, home: Home): Relocation | undefined {
  const moved = relocate(cluster.state, i, home);
  if (isRefused(moved)) return undefined;
  cluster.refresh(nodesOf(moved));
  return moved;
}
