/**
 * The fewest moves that mend everything, and of these the cheapest, by looking at every way that may be one:
 * depth first, one more move allowed in each round, so that the first round that mends everything has the
 * fewest. A bound from below cuts, placements that were seen are not looked at again, and where there is no
 * move to spare only instances in wrong places are moved. Source: docs/why/mending.md.
 */
import { leastMoves } from './least-moves.ts';
import { comparePrices } from './mending-moves.ts';
import type { Tried, Workbench } from './workbench.ts';

/** Rounds beyond the first. */
const MOST_SPARE = 6;
/** Nodes that take as long to be counted or scored as a move to be tried. */
const NODES_A_TRY = 8;

export class FewestMoves {
  private readonly seen = new Map<string, number>();
  private mostMoves = 0;
  private readonly lookCost: number;

  constructor(private readonly bench: Workbench) {
    this.lookCost = Math.floor(bench.book.nodes.length / NODES_A_TRY);
  }

  /**
   * Looks for better ways than the best that is known, within the tries that the bench allows.
   * @param least no way with fewer moves mends everything
   * @returns the most moves of which all ways were looked at; `least - 1` where not even the first round came
   *   to its end
   */
  run(least: number): number {
    const { bench } = this;
    const last = Math.min(bench.movable.length, least + MOST_SPARE);
    for (let moves = least; moves <= last; moves++) {
      if (bench.best.broken === 0 && moves > bench.best.moves.length) return moves - 1;
      this.seen.clear();
      this.mostMoves = moves;
      this.search(moves);
      if (bench.work.isSpent) return moves - 1;
    }
    return last;
  }

  /** Looks for ways from here with so many more moves. */
  private search(left: number): void {
    const { bench } = this;
    bench.note();
    if (bench.broken === 0 || left === 0 || bench.work.isSpent || this.isBeaten()) return;
    const { must, moved, taken } = bench;
    bench.work.spend(this.lookCost);
    if (leastMoves(bench.book, must) > left || this.wasSeen(left)) return;
    const others = bench.movable.filter((i) => !must.has(i) && !moved.has(i));
    const isTight = must.size === left;
    for (const i of isTight ? [...must] : [...must, ...others]) {
      const isOwn = must.has(i);
      for (const tried of this.waysOf(i, left === 1)) {
        const { length } = taken;
        bench.take(tried);
        // Each instance moves once: one that is still in a wrong place stays there.
        if (!isOwn || bench.book.ofInstance(i) === 0) this.search(left - 1);
        bench.takeBackTo(length);
        if (bench.work.isSpent) return;
      }
    }
  }

  /** A way that mends everything is known, and this one comes to no fewer moves and is no cheaper. */
  private isBeaten(): boolean {
    const { best, taken, price } = this.bench;
    if (best.broken > 0) return false;
    if (taken.length + 1 > best.moves.length) return true;
    return this.mostMoves >= best.moves.length && comparePrices(price, best.price) >= 0;
  }

  private wasSeen(left: number): boolean {
    const { moved, price } = this.bench;
    const key = `${[...moved].sort(([a], [b]) => a - b).join(';')} ${left}`;
    const cost = price[0] * 1e15 + price[1];
    const known = this.seen.get(key);
    if (known !== undefined && known <= cost) return true;
    this.seen.set(key, cost);
    return false;
  }

  /** The allowed moves of an instance, those that mend most first, then the cheapest, then the best score. */
  private waysOf(i: number, mustEnd: boolean): Tried[] {
    const { bench } = this;
    const found: (Tried & { readonly score: number })[] = [];
    for (const move of bench.movesOf(i)) {
      if (bench.work.isSpent) break;
      const tried = bench.try(move);
      if (!tried) continue;
      const broken = bench.broken + tried.change;
      if ((mustEnd && broken > 0 && broken >= bench.best.broken) || bench.isGuarded(move)) continue;
      bench.work.spend(this.lookCost);
      const score = mustEnd && broken > 0 ? 0 : bench.scoreAfter(move);
      found.push({ ...tried, score });
    }
    return found.sort((a, b) => a.change - b.change || comparePrices(a.price, b.price) || a.score - b.score);
  }
}
