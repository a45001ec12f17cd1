/** Leaves out the moves of a way that it does as well without. */
import type { Workbench } from './workbench.ts';

/**
 * Tries to do without each move of the best that is known, the last one first; what is better is noted on the
 * bench.
 */
export function withoutNeedless(bench: Workbench): void {
  let { moves } = bench.best;
  for (let at = moves.length - 1; at >= 0; at--) {
    const rest = moves.filter((_, k) => k !== at);
    if (rest.every((move) => takeAllowed(bench, move)) && bench.broken <= bench.best.broken) {
      bench.note();
      moves = rest;
    }
    bench.takeBackTo(0);
  }
}

function takeAllowed(bench: Workbench, move: Parameters<Workbench['try']>[0]): boolean {
  const tried = bench.try(move);
  if (!tried || bench.isGuarded(move)) return false;
  bench.take(tried);
  return true;
}
