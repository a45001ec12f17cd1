/**
 * From homes to relocations: an order in which each instance goes straight to its home, legal at each step,
 * and no group that takes one is or becomes unhealthy.
 *
 * Instances wait until others have made room. Those that wait to the end go first in the next attempt.
 */
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { isObstacle, tryHome } from '../homes/trial.ts';
import type { Home } from '../relocate/home.ts';
import { inTurns } from '../relocate/in-turns.ts';
import { isRefused, nodesOf, type Relocation, relocate } from '../relocate/relocation.ts';

const MOST_ATTEMPTS = 8;

/** Where an instance is to go. */
export interface Wanted {
  readonly instance: number;
  readonly home: Home;
}

function move(cluster: SuperCluster, { instance, home }: Wanted, from: number): Relocation | undefined {
  if (home.group === from) {
    const moved = relocate(cluster.state, instance, home);
    if (isRefused(moved)) return undefined;
    cluster.refresh(nodesOf(moved));
    return moved;
  }
  if (cluster.healthOf(home.group).state !== 'healthy') return undefined;
  const moved = tryHome(cluster, instance, home, true);
  return isObstacle(moved) ? undefined : moved;
}

/** One attempt; what waits to its end is handed back. */
function attempt(cluster: SuperCluster, wanted: readonly Wanted[]): Ordered {
  const { state } = cluster;
  const relocations: Relocation[] = [];
  const waiting = inTurns(wanted, (one) => {
    const moved = move(cluster, one, state.groupOf[state.primary[one.instance]!]!);
    if (moved) relocations.push(moved);
    return moved !== undefined;
  });
  return { relocations, waiting };
}

/** Relocations in an order in which they can be made, and what found no place in it. */
interface Ordered {
  readonly relocations: readonly Relocation[];
  readonly waiting: readonly Wanted[];
}

/** Orders as many as possible; the state is left with them done. @param start before anything was done */
export function inLegalOrder(cluster: SuperCluster, start: TrialMark, wanted: readonly Wanted[]): Ordered {
  let order = wanted;
  let best: { readonly order: readonly Wanted[]; readonly waiting: number } | undefined;
  for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
    cluster.rollback(start);
    const ordered = attempt(cluster, order);
    const { waiting } = ordered;
    if (waiting.length === 0) return ordered;
    if (best === undefined || waiting.length < best.waiting) best = { order, waiting: waiting.length };
    const late = new Set(waiting);
    order = [...waiting, ...order.filter((one) => !late.has(one))];
  }
  cluster.rollback(start);
  return attempt(cluster, best!.order);
}
