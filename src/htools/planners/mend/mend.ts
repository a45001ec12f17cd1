/**
 * Mends broken rules with the fewest moves, and of these the cheapest. Single steps come first: they scale,
 * and are held against a bound from below. Where that is no proof, every way that may be shorter or cheaper
 * is looked at, as far as the work that is allowed goes. Source: docs/why/mending.md.
 */

import type { Move } from '../../model/moves/kinds.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { Budget, type DeepOptions } from '../anneal/budget.ts';
import type { BalanceOptions } from '../balance/options.ts';
import { leastMoves, leastPrice, searchFewest } from './fewest-moves.ts';
import { loosen } from './loosen.ts';
import { takeSingleSteps } from './single-steps.ts';
import { comparePrices, compareWays, type MendingPrice, make, type Task, Workbench } from './workbench.ts';

/** Tries to do without each move of the best known, the last first; notes what is better. */
function withoutNeedless(bench: Workbench): void {
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
function straightened(bench: Workbench): void {
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

/** Moves that may be tried in looking at every way. */
const MOST_TRIED = 150_000;
/** Moves tried in looking for more where something is left: for each instance, and in all. */
const LOOSENED_EACH = 2_000;
const MOST_LOOSENED = 400_000;
/** Rounds: in each of them every instance may move once again. */
const MOST_ROUNDS = 4;

interface Mending {
  readonly moves: readonly Move[];
  readonly price: MendingPrice;
  /** How many times rules are broken before and after, by what may move. */
  readonly before: number;
  readonly after: number;
  /** No fewer moves mend everything, if each instance moves once; and no cheaper ones of that number. */
  readonly isFewest: boolean;
  readonly isCheapest: boolean;
}

interface MendLimits {
  /** Moves that may be tried in looking at every way, in each round. */
  readonly tries?: number | undefined;
  /** Moves that may be tried where something is left broken. */
  readonly loosening?: number | undefined;
  /** A deep search, which goes on from there. */
  readonly deep?: DeepOptions | undefined;
}

/** What `work` finds where the moves lead. The state is as before. */
const behind = <T>(task: Task, moves: readonly Move[], work: () => T): T =>
  task.state.journal.tentatively(() => {
    make(task, moves);
    return work();
  });

/** What every way comes to that is looked at from what is the best on a bench. */
function fewest(bench: Workbench, work: Budget): Mending {
  const before = bench.broken;
  const least = leastMoves(bench.book, bench.must);
  const { best } = bench;
  const isProven =
    best.broken === 0 && best.moves.length === least && comparePrices(best.price, leastPrice(bench)) === 0;
  bench.work = work;
  const looked = isProven ? least : searchFewest(bench, least);
  const { moves, price, broken: after } = bench.best;
  const isFewest = after === 0 && looked >= moves.length - 1;
  return { moves, price, before, after, isFewest, isCheapest: isFewest && looked >= moves.length };
}

function round(task: Task, tries: number): Mending {
  const bench = new Workbench(task);
  takeSingleSteps(bench);
  withoutNeedless(bench);
  return fewest(bench, new Budget({ candidates: tries }));
}

/** The moves of several rounds as one way, without detours. The state is as before all of them. */
function asOneWay(task: Task, moves: readonly Move[], work: Budget): Workbench {
  const bench = new Workbench(task);
  bench.work = work;
  for (const move of moves) bench.takeAllowed(move);
  bench.note();
  bench.takeBackTo(0);
  straightened(bench);
  withoutNeedless(bench);
  return bench;
}

/** The best of many ways with other random numbers, from the first round and from the start. */
function deepened(task: Task, known: Workbench, first: Mending, { seed, budget }: DeepOptions): Workbench {
  let bench = known;
  for (let k = 0; !budget.isSpent; k++) {
    const moves = k % 2 === 0 ? first.moves : [];
    const more = behind(task, moves, () => loosen(task, budget, seed + k));
    const found = asOneWay(task, [...moves, ...more], budget);
    if (compareWays(found.best, bench.best) < 0) bench = found;
  }
  return bench;
}

/**
 * Finds the moves; the state is as before. Where one move an instance does not mend everything, more rounds
 * follow, and then moves that mend nothing by themselves. @param nodes to look after: a group
 */
export function mend(
  state: ClusterState,
  nodes: readonly number[],
  options: BalanceOptions,
  { tries = MOST_TRIED, deep, ...limits }: MendLimits = {},
): Mending {
  const loosening = limits.loosening ?? Math.min(MOST_LOOSENED, LOOSENED_EACH * state.instanceCount);
  const task: Task = { state, nodes, options };
  const first = round(task, tries);
  if (first.after === 0 && (!deep || first.isCheapest)) return first;
  const moves = [...first.moves];
  for (let k = 1, last = first; k < MOST_ROUNDS && last.after > 0 && last.after < last.before; k++) {
    last = behind(task, moves, () => round(task, tries));
    moves.push(...last.moves);
  }
  moves.push(...behind(task, moves, () => loosen(task, new Budget({ candidates: loosening }), 0)));
  const bench = asOneWay(task, moves, new Budget({ candidates: loosening }));
  if (deep) return fewest(deepened(task, bench, first, deep), new Budget({ candidates: tries }));
  const { broken: after, price, moves: together } = bench.best;
  return { ...first, moves: together, price, after };
}
