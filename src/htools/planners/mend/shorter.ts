/** Makes a way shorter: without needless moves, and straight where an instance moves twice. */
import type { Move } from '../../model/moves/kinds.ts';
import type { Workbench } from './workbench.ts';

/** Tries to do without each move of the best known, the last first; notes what is better. */
export function withoutNeedless(bench: Workbench): void {
  let { moves } = bench.best;
  for (let at = moves.length - 1; at >= 0; at--) {
    const rest = moves.filter((_, k) => k !== at);
    if (rest.every((move) => bench.takeAllowed(move)) && bench.broken <= bench.best.broken) {
      bench.note();
      moves = rest;
    }
    bench.takeBackTo(0);
  }
}

/** Tries to make one of two moves of an instance; notes what is better. Nothing is left taken. */
export function straightened(bench: Workbench): void {
  for (let at = 0; at < bench.best.moves.length; at++) {
    const { moves } = bench.best;
    const next = moves.findIndex(({ instance }, k) => k > at && instance === moves[at]!.instance);
    if (next >= 0 && joined(bench, moves, at, next)) at--;
  }
}

/** Leaves out one of two moves; the other leads from the first's start to the second's end. */
function joined(bench: Workbench, moves: readonly Move[], first: number, second: number): boolean {
  const { state } = bench;
  const i = moves[first]!.instance;
  const end = placeBehind(bench, moves.slice(0, second + 1), i);
  if (!end) return false;
  const isEnd = (primary: number, secondary: number): boolean => primary === end[0] && secondary === end[1];
  for (const [left, kept] of [
    [first, second],
    [second, first],
  ] as const) {
    const isTaken = moves.every((move, k) => {
      if (k === left) return true;
      if (k !== kept) return bench.takeAllowed(move);
      if (isEnd(state.primary[i]!, state.secondary[i]!)) return true;
      const direct = bench.movesOf(i).find((one) => isEnd(...bench.placeAfter(one)));
      return direct !== undefined && bench.takeAllowed(direct);
    });
    if (isTaken) bench.note();
    bench.takeBackTo(0);
    if (bench.best.moves !== moves) return true;
  }
  return false;
}

/** Nodes of an instance once the moves are made; undefined where that cannot be. */
function placeBehind(bench: Workbench, moves: readonly Move[], i: number) {
  const { primary, secondary } = bench.state;
  const isTaken = moves.every((move) => bench.takeAllowed(move));
  const place = [primary[i]!, secondary[i]!] as const;
  bench.takeBackTo(0);
  return isTaken ? place : undefined;
}
