/**
 * Mends broken rules with the fewest moves, and of these the cheapest; each instance moves once at most. Source: docs/design/mending.md.
 *
 * Depth first, one more move allowed in each round, so that the first round that mends everything has the fewest. A bound from below
 * cuts, placements that were seen are not looked at again, and where there is no move to spare only moves that mend are tried. The work is
 * limited; what is found within it is told to be the least or not. When it does not reach the end, the best that was seen is taken, or
 * what single steps come to that each mend something, if that is better.
 */
import { ALLOWED } from '../../cluster/refusal.ts';
import { applyMove } from '../../model/moves/apply.ts';
import { type Move, placementAfter } from '../../model/moves/kinds.ts';
import { Scorer } from '../../model/score/scorer.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { BalanceOptions } from '../balance/options.ts';
import { guardFor, type N1Guard } from '../balance/steps/n1-guard.ts';
import { touchedNodes } from '../balance/steps/trial.ts';
import { BrokenRules } from './broken-rules.ts';
import { leastMoves } from './least-moves.ts';
import { comparePrices, mayMend, movesOf, NOTHING, type Price, plus, priceOfMove } from './mending-moves.ts';

/** Moves tried by the search, and then by single steps, beside twice what it takes to place all that is in a wrong place. */
const MOST_TRIED = 150_000;
const KINDS = 5;
/** Rounds beyond the first. */
const MOST_SPARE = 6;

export interface Mending {
  readonly moves: readonly Move[];
  readonly price: Price;
  /** How many times rules are broken before and after, by what may move. */
  readonly before: number;
  readonly after: number;
  /** Nothing mends everything with fewer moves, if each instance moves once; and nothing cheaper does with as many. */
  readonly isFewest: boolean;
  readonly isCheapest: boolean;
}

interface Way {
  readonly moves: readonly Move[];
  readonly broken: number;
  readonly price: Price;
}

/** A move with what comes of it. */
interface Tried {
  readonly move: Move;
  readonly change: number;
  readonly price: Price;
  readonly score: number;
}

class Mender {
  private readonly state: ClusterState;
  private readonly options: BalanceOptions;
  private readonly book: BrokenRules;
  private readonly guard: N1Guard | undefined;
  private readonly scorer: Scorer;
  private readonly targets: readonly number[];
  private readonly movable: readonly number[];
  private readonly must: Set<number>;
  private readonly moved = new Map<number, string>();
  private readonly taken: Move[] = [];
  private readonly seen = new Map<string, number>();
  private tried = 0;
  private readonly mostTried: number;
  private broken: number;
  private best: Way;
  readonly before: number;

  constructor(state: ClusterState, nodes: readonly number[], options: BalanceOptions, work: number) {
    this.state = state;
    this.options = options;
    this.book = new BrokenRules(state, nodes, options);
    this.guard = guardFor(state, nodes, options);
    this.scorer = new Scorer(state, nodes);
    this.targets = nodes.filter((n) => !state.isOffline[n]);
    const isScope = new Set(nodes);
    const all = Array.from({ length: state.instanceCount }, (_, i) => i);
    this.movable = all.filter((i) => isScope.has(state.primary[i]!) && mayMend(state, i));
    this.must = new Set(this.movable.filter((i) => this.book.ofInstance(i) > 0));
    this.broken = this.book.total(this.movable);
    this.before = this.broken;
    this.mostTried = work + 2 * KINDS * this.must.size * this.targets.length;
    this.best = { moves: [], broken: this.broken, price: NOTHING };
  }

  run(): Mending {
    const least = leastMoves(this.book, this.must);
    const last = Math.min(this.movable.length, least + MOST_SPARE);
    for (let moves = least; moves <= last && this.best.broken > 0 && !this.isSpent; moves++) {
      this.seen.clear();
      this.search(moves, NOTHING);
    }
    const isFewest = this.best.broken === 0;
    const isCheapest = isFewest && !this.isSpent;
    if (this.best.broken > 0) {
      this.tried = 0;
      this.takeSingleSteps();
    }
    const { moves, price } = this.best;
    return { moves, price, before: this.before, after: this.best.broken, isFewest, isCheapest };
  }

  private get isSpent(): boolean {
    return this.tried >= this.mostTried;
  }

  private note(price: Price): void {
    const { best, broken, taken } = this;
    const isBetter =
      broken - best.broken || taken.length - best.moves.length || comparePrices(price, best.price);
    if (isBetter < 0) this.best = { moves: [...taken], broken, price };
  }

  /** Looks for ways from here with so many more moves. */
  private search(left: number, price: Price): void {
    this.note(price);
    if (this.broken === 0 || left === 0 || this.isSpent) return;
    const { best, taken } = this;
    // A way that mends everything is known: only cheaper ones of the same length count.
    if (best.broken === 0 && (taken.length + 1 > best.moves.length || comparePrices(price, best.price) >= 0))
      return;
    const least = leastMoves(this.book, this.must);
    if (least > left) return;
    if (this.wasSeen(left, price)) return;
    const isTight = this.must.size === left;
    const instances = isTight ? [...this.must] : [...this.must, ...this.others()];
    for (const i of instances) {
      const isOwn = this.must.has(i);
      for (const { move, price: more } of this.tryAll(i, left === 1)) {
        this.take(move);
        // Each instance moves once: one that is still in a wrong place stays there.
        if (!isOwn || this.book.ofInstance(i) === 0) this.search(left - 1, plus(price, more));
        this.takeBack();
        if (this.isSpent) return;
      }
    }
  }

  /** Instances in no wrong place that have not moved. */
  private others(): number[] {
    return this.movable.filter((i) => !this.must.has(i) && !this.moved.has(i));
  }

  private wasSeen(left: number, price: Price): boolean {
    const key = `${[...this.moved].sort(([a], [b]) => a - b).join(';')} ${left}`;
    const cost = price[0] * 1e15 + price[1] + price[2] * 1e-9;
    const known = this.seen.get(key);
    if (known !== undefined && known <= cost) return true;
    this.seen.set(key, cost);
    return false;
  }

  /** The allowed moves of an instance, those that mend most first, then the cheapest, then the best score. */
  private tryAll(i: number, mustEnd: boolean): Tried[] {
    const { state, options, book, scorer, guard } = this;
    const found: Tried[] = [];
    for (const move of movesOf(state, i, this.targets, options)) {
      if (this.isSpent) break;
      this.tried++;
      const touched = touchedNodes(state, i, move.target);
      const before = book.around(i, touched);
      const [toPrimary] = placementAfter(move.kind, state.primary[i]!, state.secondary[i]!, move.target);
      const price = priceOfMove(state, move, toPrimary !== state.primary[i]);
      const mark = state.journal.mark();
      if (applyMove(state, i, move.kind, move.target, options.ignoreSoftErrors) !== ALLOWED) continue;
      const change = book.around(i, touched) - before;
      let score = 0;
      if (!mustEnd || this.broken + change === 0) {
        scorer.refresh(touched);
        ({ score } = scorer);
      }
      state.journal.rollback(mark);
      if (mustEnd && this.broken + change > 0 && this.broken + change >= this.best.broken) continue;
      scorer.refresh(touched);
      if (guard && !guard.allows(move, options.ignoreSoftErrors)) continue;
      found.push({ move, change, price, score });
    }
    return found.sort((a, b) => a.change - b.change || comparePrices(a.price, b.price) || a.score - b.score);
  }

  private readonly marks: {
    mark: number;
    broken: number;
    touched: readonly number[];
    instance: number;
    wasMust: boolean;
  }[] = [];

  private take(move: Move): void {
    const { state, book, must } = this;
    const { instance: i, kind, target } = move;
    const touched = touchedNodes(state, i, target);
    const before = book.around(i, touched);
    this.marks.push({
      mark: state.journal.mark(),
      broken: this.broken,
      touched,
      instance: i,
      wasMust: must.delete(i),
    });
    applyMove(state, i, kind, target, this.options.ignoreSoftErrors);
    this.broken += book.around(i, touched) - before;
    this.scorer.refresh(touched);
    this.guard?.refresh(touched);
    this.moved.set(i, `${state.primary[i]}:${state.secondary[i]}`);
    this.taken.push(move);
  }

  private takeBack(): void {
    const { mark, broken, touched, instance, wasMust } = this.marks.pop()!;
    this.state.journal.rollback(mark);
    this.broken = broken;
    this.scorer.refresh(touched);
    this.guard?.refresh(touched);
    this.moved.delete(instance);
    this.taken.pop();
    if (wasMust) this.must.add(instance);
  }

  /** Steps that each mend something, as long as there are any. */
  private takeSingleSteps(): void {
    let price = NOTHING;
    for (;;) {
      let best: Tried | undefined;
      for (const i of this.movable) {
        if (this.moved.has(i) || this.isSpent) continue;
        const [first] = this.tryAll(i, false);
        if (!first || first.change >= 0) continue;
        if (
          !best ||
          first.change - best.change < 0 ||
          (first.change === best.change && comparePrices(first.price, best.price) < 0)
        )
          best = first;
      }
      if (!best) break;
      this.take(best.move);
      price = plus(price, best.price);
      this.note(price);
    }
    while (this.marks.length > 0) this.takeBack();
  }
}

/** Rounds: in each of them every instance may move once again. */
const MOST_ROUNDS = 4;

/**
 * Finds the moves; the state is as before afterwards. Where one move an instance does not mend everything, more rounds follow.
 * @param nodes positions of the nodes to look after: a group
 * @param work moves that may be tried in each round
 */
export function mend(
  state: ClusterState,
  nodes: readonly number[],
  options: BalanceOptions,
  work = MOST_TRIED,
): Mending {
  const force = options.ignoreSoftErrors;
  const mark = state.journal.mark();
  const round = (): Mending => new Mender(state, nodes, { ...options, evacuationOnly: false }, work).run();
  let whole = round();
  let last = whole;
  for (let k = 1; k < MOST_ROUNDS && last.after > 0 && last.after < last.before; k++) {
    for (const { instance, kind, target } of last.moves) applyMove(state, instance, kind, target, force);
    last = round();
    const { after, moves } = last;
    whole = { ...whole, after, moves: [...whole.moves, ...moves], price: plus(whole.price, last.price) };
  }
  state.journal.rollback(mark);
  return whole;
}
