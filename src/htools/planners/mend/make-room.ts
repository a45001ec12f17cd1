/**
 * Moves of which the last mends: those before it make room. One is tried first; where that is not enough, as
 * on a node that is several spindles over its limit, up to six leave the same node.
 */
import type { InstanceSet } from '../../model/state/placement-rules.ts';
import { instancesOn } from '../../model/state/scope.ts';
import { bestMove, byChange } from './best-move.ts';
import type { Tried, Workbench } from './workbench.ts';

/** Targets, and instances on each of them, that are tried. */
const MOST_TARGETS = 16;
const MOST_BLOCKERS = 6;
/** Instances that leave one node together. */
const MOST_TOGETHER = 6;

/**
 * The first such moves that are found, if any. The bench is as before. @param i whose move mends
 * @param nodes targets in the order in which they are tried
 */
export function afterMakingRoom(bench: Workbench, i: number, nodes: readonly number[]): Tried[] {
  const { state, book } = bench;
  const { length } = bench.taken;
  /** Instances on a node that may move yet, the largest first. */
  const blockersOn = (n: number): number[] =>
    instancesOn(state, [n])
      .filter((other) => other !== i && bench.mayMove(other))
      .sort((a, b) => state.mem[b]! - state.mem[a]! || a - b);
  /** The best move that has the target or its own nodes, and mends more than was broken before. */
  const lastMove = (target: number, most: number): Tried | undefined => {
    const mends = bench.movesOf(i, nodes).flatMap((move): Tried[] => {
      const place = bench.placeAfter(move);
      if (!place.includes(target) || book.ofPlace(i, ...place) > book.ofInstance(i)) return [];
      const tried = bench.try(move);
      return tried && tried.change < most && !bench.isGuarded(move) ? [tried] : [];
    });
    return mends.sort(byChange)[0];
  };
  /** Tries the instances on a node one by one. */
  const afterOne = (target: number): Tried[] | undefined => {
    for (const blocker of blockersOn(target).slice(0, MOST_BLOCKERS)) {
      if (bench.work.isSpent) return undefined;
      const isWanted = (p: number, s: number): boolean =>
        (state.primary[blocker] === target ? p : s) !== target;
      const first = bestMove(bench, blocker, nodes, { isWanted });
      if (!first || first.change > 1) continue;
      bench.take(first);
      const last = lastMove(target, -first.change);
      if (last) return [first, last];
      bench.takeBackTo(length);
    }
    return undefined;
  };
  /** Takes one instance after the other off a node. */
  const afterSeveral = (target: number): Tried[] | undefined => {
    const steps: Tried[] = [];
    let change = 0;
    const isWanted = (p: number, s: number): boolean => p !== target && s !== target;
    for (const blocker of blockersOn(target)) {
      if (bench.work.isSpent || steps.length === MOST_TOGETHER) return undefined;
      const step = bestMove(bench, blocker, nodes, { isWanted });
      if (!step || step.change > 0) continue;
      bench.take(step);
      steps.push(step);
      change += step.change;
      const last = steps.length > 1 ? lastMove(target, -change) : undefined;
      if (last) return [...steps, last];
    }
    return undefined;
  };
  const places = [state.primary[i]!, state.secondary[i]!];
  const own = places.filter((n) => n >= 0 && state.isOffline[n] === 0);
  const targets = [...own, ...nodes.filter((n) => !places.includes(n))].slice(0, MOST_TARGETS);
  for (const clear of [afterOne, afterSeveral])
    for (const target of targets) {
      const steps = clear(target);
      bench.takeBackTo(length);
      if (steps) return steps;
      if (bench.work.isSpent) return [];
    }
  return [];
}

/** Nodes that are tried, those with the most room first. */
const MOST_NODES = 24;

/**
 * A set that belongs together, on an offline node: all of it goes to another, as each step would part it.
 * None where no node takes it as a whole. The bench is as before. @param nodes targets in order
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
