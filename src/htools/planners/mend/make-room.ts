/**
 * Moves of which the last mends what those before it do not: they take instances out of its way. One is tried
 * first; where one is not enough, as on a node that is several spindles over its limit, up to six leave the
 * same node.
 */
import { instancesOn } from '../../model/state/scope.ts';
import { bestMove, byChange } from './best-move.ts';
import type { Tried, Workbench } from './workbench.ts';

/** Targets, and instances on each of them, that are tried. */
const MOST_TARGETS = 16;
const MOST_BLOCKERS = 6;
/** Instances that leave one node together. */
const MOST_TOGETHER = 6;

/** Instances on a node that may move yet, the largest first. */
const blockersOn = (bench: Workbench, n: number, except: number): number[] =>
  instancesOn(bench.state, [n])
    .filter((i) => i !== except && bench.mayMove(i))
    .sort((a, b) => bench.state.mem[b]! - bench.state.mem[a]! || a - b);

/**
 * The first such moves that are found; none where there are none. The bench is as before afterwards.
 * @param i the instance whose move mends
 * @param nodes targets in the order in which they are tried
 */
export function afterMakingRoom(bench: Workbench, i: number, nodes: readonly number[]): Tried[] {
  const { state } = bench;
  const places = [state.primary[i]!, state.secondary[i]!];
  const own = places.filter((n) => n >= 0 && state.isOffline[n] === 0);
  const targets = [...own, ...nodes.filter((n) => !places.includes(n))].slice(0, MOST_TARGETS);
  const { length } = bench.taken;
  for (const clear of [afterOne, afterSeveral])
    for (const target of targets) {
      const steps = clear(bench, i, target, nodes);
      bench.takeBackTo(length);
      if (steps) return steps;
      if (bench.work.isSpent) return [];
    }
  return [];
}

/** Tries the instances on a node one by one. */
function afterOne(
  bench: Workbench,
  i: number,
  target: number,
  nodes: readonly number[],
): Tried[] | undefined {
  const { length } = bench.taken;
  for (const blocker of blockersOn(bench, target, i).slice(0, MOST_BLOCKERS)) {
    if (bench.work.isSpent) return undefined;
    const isWanted = (p: number, s: number): boolean =>
      (bench.state.primary[blocker] === target ? p : s) !== target;
    const first = bestMove(bench, blocker, nodes, { isWanted });
    if (!first || first.change > 1) continue;
    bench.take(first);
    const last = lastMove(bench, i, target, nodes, -first.change);
    if (last) return [first, last];
    bench.takeBackTo(length);
  }
  return undefined;
}

/** Takes one instance after the other off a node. */
function afterSeveral(
  bench: Workbench,
  i: number,
  target: number,
  nodes: readonly number[],
): Tried[] | undefined {
  const steps: Tried[] = [];
  let change = 0;
  const isWanted = (p: number, s: number): boolean => p !== target && s !== target;
  for (const blocker of blockersOn(bench, target, i)) {
    if (bench.work.isSpent || steps.length === MOST_TOGETHER) return undefined;
    const step = bestMove(bench, blocker, nodes, { isWanted });
    if (!step || step.change > 0) continue;
    bench.take(step);
    steps.push(step);
    change += step.change;
    const last = steps.length > 1 ? lastMove(bench, i, target, nodes, -change) : undefined;
    if (last) return [...steps, last];
  }
  return undefined;
}

/** The best move that has the target or its own nodes, and mends more than was broken before. */
function lastMove(
  bench: Workbench,
  i: number,
  target: number,
  nodes: readonly number[],
  most: number,
): Tried | undefined {
  const { book } = bench;
  const mends = bench.movesOf(i, nodes).flatMap((move): Tried[] => {
    const place = bench.placeAfter(move);
    if (!place.includes(target) || book.ofPlace(i, ...place) > book.ofInstance(i)) return [];
    const tried = bench.try(move);
    return tried && tried.change < most && !bench.isGuarded(move) ? [tried] : [];
  });
  return mends.sort(byChange)[0];
}
