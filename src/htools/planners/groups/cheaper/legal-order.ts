/**
 * From homes to relocations: an order in which each instance goes straight to its home, legal at each step,
 * and no group that takes one is or becomes unhealthy. Who waits to the end goes first in the next attempt.
 */
import { moveTo } from '../homes/homes.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { moveInTurns, nodesOf, type Relocation, relocate } from '../relocate/relocation.ts';

const MOST_ATTEMPTS = 8;

export type Wanted = Pick<Relocation, 'instance' | 'to'>;

/**
 * Orders as many as possible; the state is left with them done. @param start before anything was done
 * @param isEmptying whether groups are only left or only entered, and the latter are known to end healthy:
 *   then they are so with a part of what comes, and their N+1 is asked once
 */
export function inLegalOrder(
  cluster: SuperCluster,
  start: TrialMark,
  wanted: readonly Wanted[],
  isEmptying = false,
) {
  const { state } = cluster;
  const asksOnce = isEmptying && !cluster.hasSplit;
  const attempt = (order: readonly Wanted[]) => {
    cluster.rollback(start);
    return moveInTurns(order, ({ instance, to }) =>
      asksOnce ? relocate(state, instance, to) : moveTo(cluster, instance, to),
    );
  };
  let order = wanted;
  let ordered = attempt(order);
  let best = { order, ordered };
  for (let attempts = 1; attempts < MOST_ATTEMPTS && ordered.waiting.length > 0; attempts++) {
    const late = new Set(ordered.waiting);
    const next = [...late, ...order.filter((one) => !late.has(one))];
    // The same order again would end as it did.
    if (next.every((one, k) => one === order[k])) break;
    order = next;
    ordered = attempt(order);
    if (ordered.waiting.length < best.ordered.waiting.length) best = { order, ordered };
  }
  if (best.ordered !== ordered) ordered = attempt(best.order);
  if (asksOnce) cluster.refresh([...new Set(ordered.relocations.flatMap(nodesOf))]);
  return ordered;
}
