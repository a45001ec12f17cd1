/** Two moves of which the second mends what the first alone does not: the first takes an instance out of the second's way. */
import { placementAfter } from '../../model/moves/kinds.ts';
import { bestMove, byChange } from './best-move.ts';
import type { Tried, Workbench } from './workbench.ts';

/** Targets, and instances on each of them, that are tried. */
const MOST_TARGETS = 16;
const MOST_BLOCKERS = 6;

/** Instances on a node that may move yet, the largest first. */
function blockersOn({ state, moved, isMovable }: Workbench, n: number, except: number): number[] {
  return [...state.primaries[n]!, ...state.secondaries[n]!]
    .filter((i) => i !== except && isMovable[i] === 1 && !moved.has(i))
    .sort((a, b) => state.mem[b]! - state.mem[a]! || a - b)
    .slice(0, MOST_BLOCKERS);
}

/**
 * The first two such moves that are found; none where there are none. The bench is as before afterwards.
 * @param i the instance whose move mends
 * @param nodes targets in the order in which they are tried
 */
export function afterMakingRoom(bench: Workbench, i: number, nodes: readonly number[]): Tried[] {
  const { state, book } = bench;
  const p = state.primary[i]!;
  const s = state.secondary[i]!;
  const isBetter = (toPrimary: number, toSecondary: number): boolean =>
    book.ofPlace(i, toPrimary, toSecondary) <= book.ofInstance(i);
  const own = [p, s].filter((n) => n >= 0 && state.isOffline[n] === 0);
  const { length } = bench.taken;
  for (const target of [...own, ...nodes.filter((n) => n !== p && n !== s)].slice(0, MOST_TARGETS))
    for (const blocker of blockersOn(bench, target, i)) {
      if (bench.isSpent) return [];
      const leaves = (toPrimary: number, toSecondary: number): boolean =>
        state.primary[blocker] === target ? toPrimary !== target : toSecondary !== target;
      const first = bestMove(bench, blocker, nodes, { isWanted: leaves });
      if (!first || first.change > 1) continue;
      bench.take(first);
      let second: Tried | undefined;
      for (const move of bench.movesOf(i, nodes)) {
        const [toPrimary, toSecondary] = placementAfter(move.kind, p, s, move.target);
        if (toPrimary !== target && toSecondary !== target) continue;
        const tried = isBetter(toPrimary, toSecondary) ? bench.try(move) : undefined;
        if (!tried || first.change + tried.change >= 0 || bench.isGuarded(move)) continue;
        if (!second || byChange(tried, second) < 0) second = tried;
      }
      bench.takeBackTo(length);
      if (second) return [first, second];
    }
  return [];
}
