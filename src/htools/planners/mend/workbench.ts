/**
 * A group under repair: moves are tried, taken and taken back, and with each goes how many times rules are
 * broken and what it costs. What mended most with the fewest and cheapest moves is remembered. Each instance
 * moves once at most.
 */
import { ALLOWED } from '../../cluster/refusal.ts';
import { applyMove } from '../../model/moves/apply.ts';
import { type Move, placementAfter } from '../../model/moves/kinds.ts';
import { Scorer } from '../../model/score/scorer.ts';
import * as F from '../../model/state/node-fields.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { BalanceOptions } from '../balance/options.ts';
import { movesOf } from '../balance/possible-moves.ts';
import { guardFor, type N1Guard } from '../balance/steps/n1-guard.ts';
import { touchedNodes, trialScore } from '../balance/steps/trial.ts';
import { BrokenRules } from './broken-rules.ts';
import { comparePrices, type MendingPrice, mayMend, NOTHING, plus, priceOfMove } from './mending-moves.ts';
import { Tries, type Work } from './work.ts';

/** Moves in their order, with what is left broken after them. */
interface Way {
  readonly moves: readonly Move[];
  readonly broken: number;
  readonly price: MendingPrice;
}

/** The better one first: what leaves less broken, then what has fewer moves, then what is cheaper. */
export const compareWays = (a: Way, b: Way): number =>
  a.broken - b.broken || a.moves.length - b.moves.length || comparePrices(a.price, b.price);

/** A move with what comes of it. */
export interface Tried {
  readonly move: Move;
  /** How many more times rules are broken after it; negative where it mends. */
  readonly change: number;
  /** MiB of memory that nodes which fail N+1 lack after it, less what they lacked before. */
  readonly lack: number;
  readonly price: MendingPrice;
}

interface Mark {
  readonly journal: number;
  readonly broken: number;
  readonly price: MendingPrice;
  readonly touched: readonly number[];
  readonly instance: number;
  readonly wasMust: boolean;
}

export class Workbench {
  readonly state: ClusterState;
  readonly options: BalanceOptions;
  readonly book: BrokenRules;
  readonly targets: readonly number[];
  readonly movable: readonly number[];
  /** 1 for these. */
  readonly isMovable: Uint8Array;
  /** Instances in a wrong place that have not moved. */
  readonly must: Set<number>;
  /** Those that have moved, with their nodes now. */
  readonly moved = new Map<number, string>();
  readonly taken: Move[] = [];
  broken: number;
  price: MendingPrice = NOTHING;
  best: Way;
  private readonly guard: N1Guard | undefined;
  private readonly scorer: Scorer;
  private readonly marks: Mark[] = [];
  private work: Work = new Tries(0);

  /** @param nodes positions of the nodes to look after */
  constructor(state: ClusterState, nodes: readonly number[], options: BalanceOptions) {
    this.state = state;
    this.options = options;
    this.book = new BrokenRules(state, nodes, options);
    this.guard = guardFor(state, nodes, options);
    this.scorer = new Scorer(state, nodes);
    this.targets = nodes.filter((n) => !state.isOffline[n]);
    const isScope = new Set(nodes);
    const all = Array.from({ length: state.instanceCount }, (_, i) => i);
    this.movable = all.filter((i) => isScope.has(state.primary[i]!) && mayMend(state, i));
    this.isMovable = new Uint8Array(state.instanceCount);
    for (const i of this.movable) this.isMovable[i] = 1;
    this.must = new Set(this.movable.filter((i) => this.book.ofInstance(i) > 0));
    this.broken = this.book.total(this.movable);
    this.best = { moves: [], broken: this.broken, price: NOTHING };
  }

  /** Lets moves be tried from now on until the work is done. */
  allow(work: Work): void {
    this.work = work;
  }

  spend(tries: number): void {
    this.work.spend(tries);
  }

  get isSpent(): boolean {
    return this.work.isSpent;
  }

  /** Remembers what is taken now, if it is better than all before. */
  note(): void {
    const { broken, taken, price } = this;
    if (compareWays({ moves: taken, broken, price }, this.best) < 0)
      this.best = { moves: [...taken], broken, price };
  }

  movesOf(i: number, targets = this.targets): Move[] {
    return movesOf(this.state, i, targets, this.options);
  }

  /** What comes of a move; undefined where refused. N1 with shared storage: see `isGuarded`. */
  try(move: Move): Tried | undefined {
    this.spend(1);
    const { state, book } = this;
    const { instance: i, kind, target } = move;
    const touched = touchedNodes(state, i, target);
    const before = book.around(i, touched);
    const lackBefore = this.lackOn(touched);
    const [toPrimary] = placementAfter(kind, state.primary[i]!, state.secondary[i]!, target);
    const price = priceOfMove(state, move, toPrimary !== state.primary[i], this.options.rates);
    const mark = state.journal.mark();
    if (applyMove(state, i, kind, target, this.options.ignoreSoftErrors) !== ALLOWED) return undefined;
    const change = book.around(i, touched) - before;
    const lack = this.lackOn(touched) - lackBefore;
    state.journal.rollback(mark);
    return { move, change, lack, price };
  }

  /** Whether the guard of N+1 with shared storage, where there is one, refuses an allowed move. */
  isGuarded(move: Move): boolean {
    return this.guard !== undefined && !this.guard.allows(move, this.options.ignoreSoftErrors);
  }

  /** The score after an allowed move. */
  scoreAfter({ instance, kind, target }: Move): number {
    return trialScore(this.state, this.scorer, instance, kind, target, this.options.ignoreSoftErrors);
  }

  /** MiB that an online node lacks for N+1; 0 where it does not fail. */
  lackOf(n: number): number {
    const { nodeFields, isOffline } = this.state;
    const at = n * F.NODE_STRIDE;
    if (isOffline[n] === 1 || nodeFields[at + F.FAILS_N1] === 0) return 0;
    return Math.max(1, nodeFields[at + F.RESERVED_MEM]! - nodeFields[at + F.FREE_MEM]!);
  }

  private lackOn(nodes: readonly number[]): number {
    return nodes.reduce((sum, n) => sum + this.lackOf(n), 0);
  }

  take({ move, change, price }: Tried): void {
    const { state, must } = this;
    const { instance, kind, target } = move;
    const touched = touchedNodes(state, instance, target);
    this.marks.push({
      journal: state.journal.mark(),
      broken: this.broken,
      price: this.price,
      touched,
      instance,
      wasMust: must.delete(instance),
    });
    applyMove(state, instance, kind, target, this.options.ignoreSoftErrors);
    this.broken += change;
    this.price = plus(this.price, price);
    this.scorer.refresh(touched);
    this.guard?.refresh(touched);
    this.moved.set(instance, `${state.primary[instance]}:${state.secondary[instance]}`);
    this.taken.push(move);
  }

  /** Takes a move that is allowed. */
  takeAllowed(move: Move): boolean {
    const tried = this.try(move);
    if (!tried || this.isGuarded(move)) return false;
    this.take(tried);
    return true;
  }

  /** Lets an instance that has moved do so once more. */
  release(i: number): void {
    this.moved.delete(i);
    if (this.book.ofInstance(i) > 0) this.must.add(i);
  }

  takeBack(): void {
    const { journal, broken, price, touched, instance, wasMust } = this.marks.pop()!;
    this.state.journal.rollback(journal);
    this.broken = broken;
    this.price = price;
    this.scorer.refresh(touched);
    this.guard?.refresh(touched);
    this.moved.delete(instance);
    this.taken.pop();
    if (wasMust) this.must.add(instance);
  }

  /** Takes back until so many moves are left. */
  takeBackTo(length: number): void {
    while (this.taken.length > length) this.takeBack();
  }
}
