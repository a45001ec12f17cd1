/**
 * The fewest moves that mend everything, and of these the cheapest: depth first, one more move allowed in
 * each round. A bound from below cuts, placements that were seen are not looked at again, and where there is
 * no move to spare only instances in wrong places are moved. Source: docs/why/mending.md.
 */
import { tallied } from '../../../kit/grouped.ts';
import * as F from '../../model/state/node-fields.ts';
import { instancesOn } from '../../model/state/scope.ts';
import type { BrokenRules } from './broken-rules.ts';
import { comparePrices, type MendingPrice, NOTHING, plus, type Tried, type Workbench } from './workbench.ts';

const MOST_TOUCHED = 3;

/**
 * How many moves it takes at least to mend everything, when each instance moves once at most. Instances in a
 * wrong place must each move. Beyond them: of primaries on a node that share a tag all but one must leave; of
 * a set those that are misplaced must move; and a move touches three nodes, so that it mends N+1 on three at
 * most. A move may serve several of the last three, so the largest of them counts.
 * @param must instances that are in a wrong place and have not moved yet
 */
export function leastMoves(book: BrokenRules, must: ReadonlySet<number>): number {
  const { state, nodes } = book;
  let clashes = 0;
  let failing = 0;
  for (const n of nodes) {
    if (state.isOffline[n] === 1) continue;
    if (state.field(n, F.TAG_CONFLICTS) > 0) clashes += leastLeaving(book, n, must);
    if (book.failsN1(n) && !instancesOn(state, [n]).some((i) => must.has(i))) failing++;
  }
  let parted = 0;
  // Sets may share members, so that one move serves several: only the worst counts.
  for (const set of state.placement.allSets()) parted = Math.max(parted, book.ofSet(set, must));
  return must.size + Math.max(clashes, parted, Math.ceil(failing / MOST_TOUCHED));
}

/** Of a node's primaries that must not move anyway, how many must leave for the sake of one tag. */
function leastLeaving({ state, conflictsAnyway }: BrokenRules, n: number, must: ReadonlySet<number>): number {
  const free = state.primaries[n]!.filter((i) => !must.has(i));
  const counts = tallied(free.flatMap((i) => [...new Set(state.tags.exclusionsOf[i]!)]));
  return Math.max(0, Math.max(...counts.values()) - 1 - conflictsAnyway[n]!);
}

/** What moving all that is in a wrong place costs at least, if there is room everywhere. */
export function leastPrice(bench: Workbench): MendingPrice {
  const leastOf = (i: number): MendingPrice | undefined =>
    bench
      .movesOf(i)
      .filter((move) => bench.book.ofPlace(i, ...bench.placeAfter(move)) === 0)
      .map((move) => bench.priceOf(move))
      .sort(comparePrices)[0];
  return [...bench.must].reduce((sum, i) => plus(sum, leastOf(i) ?? NOTHING), NOTHING);
}

/** Rounds beyond the first. */
const MOST_SPARE = 6;
/** Nodes that take as long to be counted or scored as a move to be tried. */
const NODES_A_TRY = 8;

/**
 * Looks for better ways than the best that is known. @param least no way with fewer moves mends everything
 * @returns the most moves of which all ways were looked at; `least - 1` where the first round came to no end
 */
export function searchFewest(bench: Workbench, least: number): number {
  const { book, must, moved, taken, movable } = bench;
  const seen = new Map<string, number>();
  const lookCost = Math.floor(book.nodes.length / NODES_A_TRY);
  let mostMoves = least;

  /** A way that mends everything is known, and this one comes to no fewer moves and is no cheaper. */
  const isBeaten = (): boolean => {
    const { best, price } = bench;
    if (best.broken > 0) return false;
    if (taken.length + 1 > best.moves.length) return true;
    return mostMoves >= best.moves.length && comparePrices(price, best.price) >= 0;
  };
  const wasSeen = (left: number): boolean => {
    const key = `${[...moved].sort(([a], [b]) => a - b).join(';')} ${left}`;
    const cost = bench.price[0] * 1e15 + bench.price[1];
    const known = seen.get(key);
    if (known !== undefined && known <= cost) return true;
    seen.set(key, cost);
    return false;
  };
  /** The allowed moves of an instance, those that mend most first, then the cheapest, then the best score. */
  const waysOf = (i: number, mustEnd: boolean): Tried[] => {
    const found: (Tried & { readonly score: number })[] = [];
    for (const move of bench.movesOf(i)) {
      if (bench.work.isSpent) break;
      const tried = bench.try(move);
      if (!tried) continue;
      const broken = bench.broken + tried.change;
      if ((mustEnd && broken > 0 && broken >= bench.best.broken) || bench.isGuarded(move)) continue;
      bench.work.spend(lookCost);
      const score = mustEnd && broken > 0 ? 0 : bench.scoreAfter(move);
      found.push({ ...tried, score });
    }
    return found.sort((a, b) => a.change - b.change || comparePrices(a.price, b.price) || a.score - b.score);
  };
  /** Looks for ways from here with so many more moves. */
  const search = (left: number): void => {
    bench.note();
    if (bench.broken === 0 || left === 0 || bench.work.isSpent || isBeaten()) return;
    bench.work.spend(lookCost);
    if (leastMoves(book, must) > left || wasSeen(left)) return;
    const others = movable.filter((i) => !must.has(i) && !moved.has(i));
    const isTight = must.size === left;
    for (const i of isTight ? [...must] : [...must, ...others]) {
      const isOwn = must.has(i);
      for (const tried of waysOf(i, left === 1)) {
        const { length } = taken;
        bench.take(tried);
        // Each instance moves once: one that is still in a wrong place stays there.
        if (!isOwn || book.ofInstance(i) === 0) search(left - 1);
        bench.takeBackTo(length);
        if (bench.work.isSpent) return;
      }
    }
  };

  const last = Math.min(movable.length, least + MOST_SPARE);
  for (; mostMoves <= last; mostMoves++) {
    if (bench.best.broken === 0 && mostMoves > bench.best.moves.length) return mostMoves - 1;
    seen.clear();
    search(mostMoves);
    if (bench.work.isSpent) return mostMoves - 1;
  }
  return last;
}
