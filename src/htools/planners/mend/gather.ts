/** A set on an offline node that belongs together: all of it goes to another, as each step would part it. */
import type { InstanceSet } from '../../model/state/placement-rules.ts';
import { bestMove } from './best-move.ts';
import type { Tried, Workbench } from './workbench.ts';

/** Nodes that are tried, those with the most room first. */
const MOST_NODES = 24;

/**
 * The moves; none where the set is on no offline node, or no node takes it as a whole. The bench is as before
 * afterwards.
 * @param nodes targets in the order in which they are tried
 */
export function gather(bench: Workbench, set: InstanceSet, nodes: readonly number[]): Tried[] {
  const { state } = bench;
  const members = bench.book.membersOf(set).filter((i) => state.isOffline[state.primary[i]!] === 1);
  if (members.length < 2 || members.some((i) => !bench.must.has(i))) return [];
  const { length } = bench.taken;
  // Where they are joined first: those of the set that are elsewhere, and what they have as secondaries.
  const near = new Set(set.members.flatMap((i) => [state.primary[i]!, state.secondary[i]!]));
  const order = [...nodes.filter((n) => near.has(n)), ...nodes.filter((n) => !near.has(n))];
  let found: Tried[] = [];
  let best = bench.broken;
  for (const node of order.slice(0, MOST_NODES)) {
    const steps: Tried[] = [];
    for (const i of members) {
      const isWanted = (p: number, s: number): boolean => p === node && bench.book.ofPlace(i, p, s) === 0;
      const tried = bestMove(bench, i, nodes, { isWanted });
      if (!tried) break;
      bench.take(tried);
      steps.push(tried);
    }
    if (steps.length === members.length && bench.broken < best) {
      best = bench.broken;
      found = steps;
    }
    bench.takeBackTo(length);
  }
  return found;
}
