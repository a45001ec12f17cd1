/**
 * From homes to relocations: an order in which each instance goes straight to its home, legal at each step,
 * and no group that takes one is or becomes unhealthy. Who waits to the end goes first in the next attempt.
 */
import { moveTo } from '../homes/homes.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { moveInTurns, type Relocation } from '../relocate/relocation.ts';

const MOST_ATTEMPTS = 8;

export type Wanted = Pick<Relocation, 'instance' | 'to'>;

/** Orders as many as possible; the state is left with them done. @param start before anything was done */
export function inLegalOrder(cluster: SuperCluster, start: TrialMark, wanted: readonly Wanted[]) {
  const attempt = (order: readonly Wanted[]) => {
    cluster.rollback(start);
    return moveInTurns(order, ({ instance, to }) => moveTo(cluster, instance, to));
  };
  let order = wanted;
  let best = { order, waiting: Number.POSITIVE_INFINITY };
  for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
    const ordered = attempt(order);
    const { waiting } = ordered;
    if (waiting.length === 0) return ordered;
    if (waiting.length < best.waiting) best = { order, waiting: waiting.length };
    const late = new Set(waiting);
    order = [...waiting, ...order.filter((one) => !late.has(one))];
  }
  return attempt(best.order);
}
