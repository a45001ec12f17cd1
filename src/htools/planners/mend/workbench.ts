/**
 * A group under repair: moves are tried, taken and taken back; each instance moves once at most. What mended
 * most with the fewest and cheapest moves is remembered.
 */
import { ALLOWED } from '../../cluster/refusal.ts';
import { NO_NODE } from '../../cluster/snapshot.ts';
import { applyMove } from '../../model/moves/apply.ts';
import { type Move, placementAfter } from '../../model/moves/kinds.ts';
import { Scorer } from '../../model/score/scorer.ts';
import * as F from '../../model/state/node-fields.ts';
import {
  type ClusterState,
  IS_AUTO_BALANCED,
  IS_FORTHCOMING,
  IS_MOVABLE,
  MIRROR_INTERNAL,
  MIRROR_NONE,
} from '../../model/state/state.ts';
import { priceOfKind, unitPrices } from '../../plan/price.ts';
import { Budget } from '../anneal/budget.ts';
import type { BalanceOptions } from '../balance/options.ts';
import { movesOf } from '../balance/possible-moves.ts';
import { guardFor, type N1Guard } from '../balance/steps/n1-guard.ts';
import { touchedNodes, trialScore } from '../balance/steps/trial.ts';
import { BrokenRules } from './broken-rules.ts';

/** Sticky instances moved, then the price of plans in whole milliseconds, so that sums are exact. */
export type MendingPrice = readonly [sticky: number, milliseconds: number];

export const NOTHING: MendingPrice = [0, 0];
export const plus = (a: MendingPrice, b: MendingPrice): MendingPrice => [a[0] + b[0], a[1] + b[1]];
export const comparePrices = (a: MendingPrice, b: MendingPrice): number => a[0] - b[0] || a[1] - b[1];

function mayMend(state: ClusterState, i: number): boolean {
  const wanted = IS_MOVABLE | IS_AUTO_BALANCED;
  if ((state.flags[i]! & wanted) !== wanted || (state.flags[i]! & IS_FORTHCOMING) !== 0) return false;
  if (state.mirroring[i] === MIRROR_NONE) return false;
  return state.mirroring[i] !== MIRROR_INTERNAL || state.secondary[i] !== NO_NODE;
}

export interface Task {
  readonly state: ClusterState;
  /** Positions of the nodes to look after. */
  readonly nodes: readonly number[];
  readonly options: BalanceOptions;
}

export function make({ state, options }: Task, moves: readonly Move[]): void {
  for (const { instance, kind, target } of moves)
    applyMove(state, instance, kind, target, options.ignoreSoftErrors);
}

/** Moves in their order, with what is left broken after them. */
interface Way {
  readonly moves: readonly Move[];
  readonly broken: number;
  readonly price: MendingPrice;
}

/** The better one first: what leaves less broken, then what has fewer moves, then what is cheaper. */
export const compareWays = (a: Way, b: Way): number =>
  a.broken - b.broken || a.moves.length - b.moves.length || comparePrices(a.price, b.price);

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
  readonly wasMust: boolean;
}

export class Workbench {
  readonly state: ClusterState;
  readonly options: BalanceOptions;
  readonly book: BrokenRules;
  /** Online nodes that are not left alone. */
  readonly targets: readonly number[];
  readonly movable: readonly number[];
  /** Instances in a wrong place that have not moved. */
  readonly must: Set<number>;
  /** Those that have moved, with their nodes now. */
  readonly moved = new Map<number, string>();
  readonly taken: Move[] = [];
  broken: number;
  price: MendingPrice = NOTHING;
  best: Way;
  /** Until when moves are tried; what costs as much as several counts as several. */
  work = new Budget({ candidates: 0 });
  private readonly isMovable: ReadonlySet<number>;
  private readonly guard: N1Guard | undefined;
  private readonly scorer: Scorer;
  private readonly marks: Mark[] = [];

  constructor({ state, nodes, options }: Task) {
    this.state = state;
    this.options = options;
    this.guard = guardFor(state, nodes, options);
    this.scorer = new Scorer(state, nodes);
    this.targets = nodes.filter((n) => !(state.isOffline[n] || state.snapshot.nodes[n]!.isLeftAlone));
    const isScope = new Set(nodes);
    const all = Array.from({ length: state.instanceCount }, (_, i) => i);
    this.movable = all.filter((i) => isScope.has(state.primary[i]!) && mayMend(state, i));
    this.isMovable = new Set(this.movable);
    this.book = new BrokenRules(state, nodes, options, this.movable);
    this.must = new Set(this.movable.filter((i) => this.book.ofInstance(i) > 0));
    this.broken = this.book.total(this.movable);
    this.best = { moves: [], broken: this.broken, price: NOTHING };
  }

  mayMove(i: number): boolean {
    return this.isMovable.has(i) && !this.moved.has(i);
  }

  /** Remembers what is taken now, if it is better than all before. */
  note(): void {
    const { broken, taken: moves, price } = this;
    if (compareWays({ moves, broken, price }, this.best) < 0)
      this.best = { moves: [...moves], broken, price };
  }

  movesOf(i: number, targets = this.targets): Move[] {
    return movesOf(this.state, i, targets, this.options);
  }

  /** Primary and secondary of its instance after a move. */
  placeAfter({ instance: i, kind, target }: Move): readonly [number, number] {
    return placementAfter(kind, this.state.primary[i]!, this.state.secondary[i]!, target);
  }

  priceOf({ instance: i, kind }: Move): MendingPrice {
    const { state, options } = this;
    const seconds = priceOfKind(kind, unitPrices(state.instanceRecord(i), options.rates));
    return [state.placement.isSticky(i) ? 1 : 0, Math.round(1000 * seconds)];
  }

  /** What comes of a move; undefined where refused. N1 with shared storage: see `isGuarded`. */
  try(move: Move): Tried | undefined {
    this.work.spend();
    const { book } = this;
    const { journal } = this.state;
    const touched = this.touchedBy(move);
    const before = book.around(move.instance, touched);
    const lackBefore = this.lackOn(touched);
    const price = this.priceOf(move);
    return journal.tentatively(() => {
      if (!this.apply(move)) return undefined;
      const change = book.around(move.instance, touched) - before;
      return { move, change, lack: this.lackOn(touched) - lackBefore, price };
    });
  }

  /** Whether the guard of N+1 with shared storage, where there is one, refuses an allowed move. */
  isGuarded(move: Move): boolean {
    return this.guard !== undefined && !this.guard.allows(move, this.options.ignoreSoftErrors);
  }

  scoreAfter(move: Move): number {
    return trialScore(this.scorer, move, this.options.ignoreSoftErrors);
  }

  /** MiB that an online node lacks for N+1; 0 where it does not fail. */
  lackOf(n: number): number {
    const { state } = this;
    if (state.isOffline[n] === 1 || state.field(n, F.FAILS_N1) === 0) return 0;
    return Math.max(1, state.field(n, F.RESERVED_MEM) - state.field(n, F.FREE_MEM));
  }

  private lackOn(nodes: readonly number[]): number {
    return nodes.reduce((sum, n) => sum + this.lackOf(n), 0);
  }

  private touchedBy({ instance, target }: Move): number[] {
    return touchedNodes(this.state, instance, target);
  }

  private apply({ instance, kind, target }: Move): boolean {
    return applyMove(this.state, instance, kind, target, this.options.ignoreSoftErrors) === ALLOWED;
  }

  private refresh(touched: readonly number[]): void {
    this.scorer.refresh(touched);
    this.guard?.refresh(touched);
  }

  take({ move, change, price }: Tried): void {
    const { state, must, broken } = this;
    const { instance: i } = move;
    const touched = this.touchedBy(move);
    this.marks.push({ journal: state.journal.mark(), broken, price: this.price, wasMust: must.delete(i) });
    this.apply(move);
    this.broken += change;
    this.price = plus(this.price, price);
    this.refresh(touched);
    this.moved.set(i, `${state.primary[i]}:${state.secondary[i]}`);
    this.taken.push(move);
  }

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

  takeBackTo(length: number): void {
    while (this.taken.length > length) {
      const move = this.taken.pop()!;
      const { journal, broken, price, wasMust } = this.marks.pop()!;
      this.state.journal.rollback(journal);
      this.broken = broken;
      this.price = price;
      this.refresh(this.touchedBy(move));
      this.moved.delete(move.instance);
      if (wasMust) this.must.add(move.instance);
    }
  }
}
