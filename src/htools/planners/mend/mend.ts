/**
 * Mends broken rules with the fewest moves, and of these the cheapest; each instance moves once at most, and
 * in up to four rounds. Source: docs/design/mending.md.
 *
 * Single steps come first: they scale, and what they come to is held against a bound from below. Where that
 * does not prove it the least, every way that may be shorter or cheaper is looked at, as far as the work that
 * is allowed goes.
 */
import { applyMove } from '../../model/moves/apply.ts';
import type { Move } from '../../model/moves/kinds.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { BalanceOptions } from '../balance/options.ts';
import { FewestMoves } from './fewest-moves.ts';
import { leastMoves, leastPrice } from './least-moves.ts';
import { comparePrices, type MendingPrice, plus } from './mending-moves.ts';
import { withoutNeedless } from './needless-moves.ts';
import { SingleSteps } from './single-steps.ts';
import { Workbench } from './workbench.ts';

/** Moves that may be tried in looking at every way. */
const MOST_TRIED = 150_000;
/** Rounds: in each of them every instance may move once again. */
const MOST_ROUNDS = 4;

export interface Mending {
  readonly moves: readonly Move[];
  readonly price: MendingPrice;
  /** How many times rules are broken before and after, by what may move. */
  readonly before: number;
  readonly after: number;
  /**
   * Nothing mends everything with fewer moves, if each instance moves once; and nothing cheaper does with as
   * many.
   */
  readonly isFewest: boolean;
  readonly isCheapest: boolean;
}

function round(
  state: ClusterState,
  nodes: readonly number[],
  options: BalanceOptions,
  work: number,
): Mending {
  const bench = new Workbench(state, nodes, options);
  const before = bench.broken;
  const least = leastMoves(bench.book, bench.must);
  const floor = leastPrice(bench);
  new SingleSteps(bench).run();
  withoutNeedless(bench);
  const isProven =
    bench.best.broken === 0 &&
    bench.best.moves.length === least &&
    comparePrices(bench.best.price, floor) === 0;
  bench.allow(work);
  const looked = isProven ? least : new FewestMoves(bench).run(least);
  const { moves, price, broken: after } = bench.best;
  const isFewest = after === 0 && looked >= moves.length - 1;
  return { moves, price, before, after, isFewest, isCheapest: isFewest && looked >= moves.length };
}

/**
 * Finds the moves; the state is as before afterwards. Where one move an instance does not mend everything,
 * more rounds follow.
 * @param nodes positions of the nodes to look after: a group
 * @param work moves that may be tried in looking at every way, in each round
 */
export function mend(
  state: ClusterState,
  nodes: readonly number[],
  options: BalanceOptions,
  work = MOST_TRIED,
): Mending {
  const mark = state.journal.mark();
  const next = (): Mending => round(state, nodes, { ...options, evacuationOnly: false }, work);
  let whole = next();
  let last = whole;
  for (let k = 1; k < MOST_ROUNDS && last.after > 0 && last.after < last.before; k++) {
    for (const { instance, kind, target } of last.moves)
      applyMove(state, instance, kind, target, options.ignoreSoftErrors);
    last = next();
    const { after, moves } = last;
    whole = { ...whole, after, moves: [...whole.moves, ...moves], price: plus(whole.price, last.price) };
  }
  state.journal.rollback(mark);
  return whole;
}
