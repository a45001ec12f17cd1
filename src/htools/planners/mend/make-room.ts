/**
 * Moves of which the last mends what those before it do not: they take instances out of its way. One is tried
 * first; where one is not enough, as on a node that is several spindles over its limit, up to six leave the
 * same node.
 */
import { placementAfter } from '../../model/moves/kinds.ts';
import { bestMove, byChange } from './best-move.ts';
import type { Tried, Workbench } from './workbench.ts';

/** Targets, and instances on each of them, that are tried. */
const MOST_TARGETS = 16;
const MOST_BLOCKERS = 6;
/** Instances that leave one node together. */
const MOST_TOGETHER = 6;

/** Instances on a node that may move yet, the largest first. */
const blockersOn = ({ state, moved, isMovable }: Workbench, n: number, except: number): number[] =>
  [...state.primaries[n]!, ...state.secondaries[n]!]
    .filter((i) => i !== except && isMovable[i] === 1 && !moved.has(i))
    .sort((a, b) => state.mem[b]! - state.mem[a]! || a - b);

/**
 * The first such moves that are found; none where there are none. The bench is as before afterwards.
 * @param i the instance whose move mends
 * @param nodes targets in the order in which they are tried
 */
export function afterMakingRoom(bench: Workbench, i: number, nodes: readonly number[]): Tried[] {
  const { state } = bench;
  const p = state.primary[i]!;
  const s = state.secondary[i]!;
  const own = [p, s].filter((n) => n >= 0 && state.isOffline[n] === 0);
  const targets = [...own, ...nodes.filter((n) => n !== p && n !== s)].slice(0, MOST_TARGETS);
  const { length } = bench.taken;
  for (const clear of [afterOne, afterSeveral])
    for (const target of targets) {
      const steps = clear(bench, i, target, nodes);
      bench.takeBackTo(length);
      if (steps) return steps;
      if (bench.isSpent) return [];
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
  const { state } = bench;
  const { length } = bench.taken;
  for (const blocker of blockersOn(bench, target, i).slice(0, MOST_BLOCKERS)) {
    if (bench.isSpent) return undefined;
    const isWanted = (toPrimary: number, toSecondary: number): boolean =>
      state.primary[blocker] === target ? toPrimary !== target : toSecondary !== target;
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
  const isWanted = (toPrimary: number, toSecondary: number): boolean =>
    toPrimary !== target && toSecondary !== target;
  for (const blocker of blockersOn(bench, target, i)) {
    if (bench.isSpent || steps.length === MOST_TOGETHER) return undefined;
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
  const { book, state } = bench;
  const p = state.primary[i]!;
  const s = state.secondary[i]!;
  let last: Tried | undefined;
  for (const move of bench.movesOf(i, nodes)) {
    const [toPrimary, toSecondary] = placementAfter(move.kind, p, s, move.target);
    if (toPrimary !== target && toSecondary !== target) continue;
    const isBetter = book.ofPlace(i, toPrimary, toSecondary) <= book.ofInstance(i);
    const tried = isBetter ? bench.try(move) : undefined;
    if (!tried || tried.change >= most || bench.isGuarded(move)) continue;
    if (!last || byChange(tried, last) < 0) last = tried;
  }
  return last;
}
