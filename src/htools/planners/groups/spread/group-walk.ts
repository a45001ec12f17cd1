/**
 * A walk over the groups that instances are in, by simulated annealing: the price of moves, for a spread that
 * is no wider than a goal. Which nodes take them is not asked here.
 */
import { allowance, anneal } from '../../anneal/anneal.ts';
import type { Budget } from '../../anneal/budget.ts';
import type { RandomStream } from '../../anneal/random.ts';
import { type GroupLoads, WEIGHTS } from './group-load.ts';

/** Temperatures in moves of middling size. */
const COLDEST = 0.002;
/** Prices in moves of middling size: the spread of the start that is left; one move. */
const SPREAD = 1;
const MOVE = 0.01;
const BACK_SHARE = 0.3;
/** Moves tried together at most, and how often one more is. */
const MOST_TOGETHER = 3;
const FURTHER_SHARE = 0.55;

/**
 * The rate at which a spread above the goal counts, in moves for the whole spread at the start: steered,
 * since nobody knows what the last bit takes. Candidates between two changes, their factor, and the bounds.
 */
const FIRST_RATE = 300;
const CANDIDATES_A_CHANGE = 200;
const RATE_FACTOR = 1.05;
const LOWEST_RATE = 10;
const HIGHEST_RATE = 1e6;
/** Spreads that differ by no more than this share are the same: sums are rounded. */
export const EQUAL_SHARE = 1e-10;

/** An instance that may move. */
export interface Traveller {
  readonly instance: number;
  readonly from: number;
  /** Other groups that may take it; never empty. */
  readonly open: readonly number[];
  /** What its move counts, in seconds. */
  readonly price: number;
}

interface GroupGoal {
  /** Spread that it must not be above. */
  readonly spread: number;
  readonly mostMoves: number;
  /** By group: 1 where it is of last resort. And how many moves may go there. */
  readonly lastResort: Uint8Array;
  readonly mostLastResorts: number;
  /** Whether a group still takes a traveller. */
  readonly isOpen: (traveller: number, group: number) => boolean;
}

/** How a walk begins: temperature in moves of middling size, and whether the goal is always kept. */
interface WalkHeat {
  readonly hottest: number;
  readonly isStrict: boolean;
}

export class GroupWalk {
  private readonly before: number;
  private readonly unit: number;
  /**
   * Of the travellers; `at` is the group that each is in. Lists and not objects, as candidates jump about and
   * most of their time is waiting for memory.
   */
  private readonly weights: Float64Array;
  private readonly open: readonly (readonly number[])[];
  private readonly prices: Float64Array;
  private readonly from: Int32Array;
  private readonly at: Int32Array;
  /** Those that one step has moved, and the groups that they were in. */
  private readonly tried = new Int32Array(MOST_TOGETHER);
  private readonly left = new Int32Array(MOST_TOGETHER);
  private moves = 0;
  private lastResorts = 0;
  private rate = FIRST_RATE;
  private spent = 0;
  private best: Int32Array | undefined;
  private bestPrice = Number.POSITIVE_INFINITY;

  /** @param loads as the state is before anything has moved */
  constructor(
    private readonly loads: GroupLoads,
    travellers: readonly Traveller[],
    private readonly goal: GroupGoal,
    private readonly random: RandomStream,
  ) {
    this.before = loads.score;
    const priced = travellers.filter((one) => one.price > 0);
    this.unit = Math.max(1, priced.reduce((sum, one) => sum + one.price, 0) / Math.max(1, priced.length));
    this.weights = Float64Array.from(
      travellers.flatMap(({ instance, from }) => loads.weightsOf(instance, from)),
    );
    this.open = travellers.map(({ open }) => open);
    this.prices = Float64Array.from(travellers, ({ price }) => price);
    this.from = Int32Array.from(travellers, ({ from }) => from);
    this.at = this.from.slice();
  }

  /**
   * Where the travellers end, by traveller, as far as a spread within the goal was found; the loads are as
   * the state has them. @param begin the group of each at first
   */
  run(
    begin: readonly number[],
    budget: Budget,
    until: number,
    { hottest, isStrict }: WalkHeat,
  ): readonly number[] | undefined {
    this.best = undefined;
    this.bestPrice = Number.POSITIVE_INFINITY;
    begin.forEach((group, k) => {
      if (group !== this.at[k]) this.move(k, group);
    });
    this.rate = isStrict ? HIGHEST_RATE : FIRST_RATE;
    let price = this.price(this.loads.score);
    let candidates = 0;
    const { unit, random } = this;
    anneal({ budget, until, hottest: unit * hottest, coldest: unit * COLDEST }, (temperature) => {
      budget.spend();
      if (++candidates % CANDIDATES_A_CHANGE === 0 && !isStrict) price = this.steer();
      price = this.step(price + allowance(random, temperature)) ?? price;
    });
    const { best } = this;
    this.loads.refresh(this.loads.groups);
    this.at.set(this.from);
    this.moves = 0;
    this.lastResorts = 0;
    this.spent = 0;
    return best && [...best];
  }

  /** Raises the rate while the goal is missed, else lowers it. @returns the price at the new rate */
  private steer(): number {
    const { score } = this.loads;
    const rate = this.isWithin(score) ? this.rate / RATE_FACTOR : this.rate * RATE_FACTOR;
    this.rate = Math.min(HIGHEST_RATE, Math.max(LOWEST_RATE, rate));
    return this.price(score);
  }

  private isWithin(spread: number): boolean {
    return spread <= this.goal.spread * (1 + EQUAL_SHARE);
  }

  private price(spread: number): number {
    const wide = this.rate * Math.max(0, spread - this.goal.spread) + SPREAD * spread;
    return this.spent + this.unit * (wide / this.before + MOVE * this.moves);
  }

  private move(k: number, group: number): void {
    const from = this.from[k]!;
    const last = this.at[k]!;
    this.loads.shift(this.weights, k * WEIGHTS, from, last, group);
    this.at[k] = group;
    const away = (group === from ? 0 : 1) - (last === from ? 0 : 1);
    this.moves += away;
    this.lastResorts += this.isLastResort(k, group) - this.isLastResort(k, last);
    this.spent += away * this.prices[k]!;
  }

  private isLastResort(k: number, group: number): number {
    return group === this.from[k] ? 0 : this.goal.lastResort[group]!;
  }

  private isTooMuch(): boolean {
    return this.moves > this.goal.mostMoves || this.lastResorts > this.goal.mostLastResorts;
  }

  /** Draws a group for a traveller; the one that it is in where that takes it no more. */
  private draw(k: number): number {
    const { random } = this;
    const from = this.from[k]!;
    const open = this.open[k]!;
    const at = this.at[k]!;
    const isBack = at !== from && random.unit() < BACK_SHARE;
    const group = isBack ? from : open[random.below(open.length)]!;
    return group !== at && this.goal.isOpen(k, group) ? group : at;
  }

  /** Tries up to three moves at once. @param most price that they may lead to @returns the price if made */
  private step(most: number): number | undefined {
    const { random, tried, left } = this;
    let count = 0;
    for (let tries = 0; tries === 0 || (tries < MOST_TOGETHER && random.unit() < FURTHER_SHARE); tries++) {
      const k = random.below(this.open.length);
      const group = this.draw(k);
      if (group === this.at[k]) continue;
      tried[count] = k;
      left[count++] = this.at[k]!;
      this.move(k, group);
    }
    if (count === 0) return undefined;
    const { score } = this.loads;
    const price = this.price(score);
    if (!(price <= most) || this.isTooMuch()) {
      while (count-- > 0) this.move(tried[count]!, left[count]!);
      return undefined;
    }
    if (this.isWithin(score) && price < this.bestPrice) {
      this.bestPrice = price;
      this.best = this.at.slice();
    }
    return price;
  }
}
