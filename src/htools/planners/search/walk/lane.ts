/**
 * A lane: one annealing walk that ends near a price. A search is a fixed set of lanes, so that its answer
 * does not depend on how many threads share them.
 *
 * What a second must gain is steered: more while the price is above the lane's cap, less while it is below.
 * That finds the trade the cap asks for without knowing the curve; a cap that only forbids leaves the wrong
 * instances moved.
 */

import type { PlanAmounts } from '../../../plan/plan.ts';
import { anneal } from '../../anneal/anneal.ts';
import { Budget } from '../../anneal/budget.ts';
import type { RandomStream } from '../../anneal/random.ts';
import { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { type Placement, Prices } from './prices.ts';
import { Walk } from './walk.ts';

/** A walk: where it is to end, and for how long it goes. */
interface WalkTask {
  /** Price to end at, seconds; Infinity for none. */
  readonly cap: number;
  /** Score that a unit of price must gain where the price may never rise (a cap of 0); 0 without it. */
  readonly rate?: number;
  /** What else is limited. */
  readonly caps?: PlanAmounts;
  /** Score for which as little is to be copied as does. */
  readonly target?: number | undefined;
  /** Candidates to look at. */
  readonly candidates: number;
}

/** One of a search's lanes: walks from price to price. */
export interface LaneTask {
  /** Prices to end at, the highest first; Infinity for none. Each begins where the one before ended. */
  readonly prices: readonly number[];
  /** What it takes over of greedy beside the most memory: what is copied at most, or the score to reach. */
  readonly ofGreedy?: 'price' | 'score' | undefined;
  readonly target?: number;
  /** How much of the search's work it gets, beside the others. */
  readonly weight: number;
  readonly caps: PlanAmounts;
  /** Candidates to look at in all. */
  readonly candidates: number;
  /** Number of the lane: its stream of random numbers. */
  readonly lane: number;
  readonly seed: number;
}

/** Where a walk ended. */
export interface WalkEnd extends Placement {
  /** Score that a GiB copied had to gain, where a target steered. */
  readonly rateToTarget: number | undefined;
}

/** How far a lane with a time limit is: 0 at its start, 1 at its end. */
export type LaneClock = () => number;

/** Candidates that walks were to look at, and did. */
export interface Work {
  planned: number;
  done: number;
}

/**
 * Temperatures in score: at first moves change it by some hundredths, the last gains are less than
 * thousandths. Measured: docs/why/search.md.
 */
const HOTTEST = 0.03;
const COLDEST = 0.00005;
/** On few instances one breach of a rule is a wall: every other walk starts hot enough to climb it. */
const FEW_INSTANCES = 40;
const HOTTEST_OF_FEW = 6;
/** Parts of a walk between which the temperature falls. */
const LEVELS = 240;
/** Most candidates between two looks at the clock. */
const MOST_UNSEEN = 50_000;
/** Share of the walk after which the price may no longer rise above the cap. */
const FIRM_FROM = 0.8;
/** Share of it after which the score says whether a target will be met. */
const COOL_FROM = 0.5;
/** How quickly the rate follows the price, a level. */
const STEERING = 0.12;
/** The same beside greedy's plan or limits: rates have to fall as quickly as the temperature does. */
const STEERING_BESIDE_LIMITS = 0.36;
/**
 * Rate without a cap, as a share of the starting score for moving everything once: it costs a thousandth of
 * the gain, but where work is short it keeps walks from moving everything for nothing. Caps that are to be
 * used up do that, too: beside those of greedy's plan it cost 2 to 4 % of the score that a walk reaches.
 */
const UNCAPPED_RATE = 0.02;
/** Rounds in which a walk comes down to its caps. */
const MOST_ROUNDS = 40;
/** Candidates after which the books are made anew, against drift. */
const REFRESH_EVERY = 500_000;

/** Temperature at which a lane's first walk starts. */
export const hottestOf = (layout: SearchLayout, lane: number): number =>
  layout.movable.length <= FEW_INSTANCES && lane % 2 === 1 ? HOTTEST_OF_FEW : HOTTEST;

/**
 * Walks to the end.
 * @param from where it begins; else the search's start
 * @param rateToTarget where a walk for the same target ended, which this one goes on from
 */
export function runLane(
  layout: SearchLayout,
  task: WalkTask,
  random: RandomStream,
  hottest: number,
  {
    clock,
    from,
    rateToTarget,
    work,
  }: {
    readonly clock?: LaneClock | undefined;
    readonly from?: Placement | undefined;
    readonly rateToTarget?: number | undefined;
    readonly work?: Work;
  } = {},
): WalkEnd {
  const kernel = new Kernel(layout);
  if (from) kernel.load(from.primary, from.secondary);
  const walk = new Walk(kernel, new Prices(layout), random, task.caps, task.target);
  const { cap, candidates } = task;
  let found = rateToTarget;
  if (layout.movable.length > 0) {
    const isSteered = cap > 0 && (cap < Number.POSITIVE_INFINITY || walk.meters.length > 0);
    if (cap === 0) walk.mostPrice = 0;
    walk.rate = firstRate(walk, task);
    walk.keepsEven = !isSteered && cap > 0;
    if (rateToTarget !== undefined) walk.rateToTarget = rateToTarget;
    const budget = new Budget({ candidates, clock });
    cool(walk, budget, hottest, candidates, (share, change) => {
      if (!isSteered) return;
      walk.steer(cap, change, share > COOL_FROM || rateToTarget !== undefined);
      if (share > FIRM_FROM) walk.hold(cap);
    });
    if (work) {
      work.planned += budget.isCut ? candidates : budget.done;
      work.done += budget.done;
    }
    found = walk.rateToTarget;
    if (isSteered) settle(walk, cap, budget);
  }
  return { primary: walk.primary.slice(), secondary: walk.secondary.slice(), rateToTarget: found };
}

/** Score that a second of the price must gain at the start of a walk. */
function firstRate({ kernel, layout, prices, usesUp }: Walk, { cap, rate = 0 }: WalkTask): number {
  if (cap === 0) return rate;
  if (cap < Number.POSITIVE_INFINITY) return kernel.score / cap / 4;
  if (usesUp || layout.movable.length <= FEW_INSTANCES) return 0;
  return (UNCAPPED_RATE * kernel.score) / Math.max(1, prices.whole);
}

/**
 * Walks while it gets colder and colder.
 * @param steer called after each part, with the share of the walk that is over, and by which factor rates
 *   may rise for this part
 */
function cool(
  walk: Walk,
  budget: Budget,
  hottest: number,
  candidates: number,
  steer: (share: number, change: number) => void,
): void {
  const steering = (walk.meters.length > 0 ? STEERING_BESIDE_LIMITS : STEERING) * LEVELS;
  const chunk = Math.max(1, Math.ceil(candidates / LEVELS));
  let before = 0;
  let unrefreshed = 0;
  anneal({ budget, until: 1, hottest, coldest: COLDEST }, (temperature) => {
    let left = chunk;
    do {
      const count = Math.min(left, MOST_UNSEEN);
      walk.run(count, temperature);
      budget.spend(count);
      unrefreshed += count;
      left -= count;
      // Where the clock says how far the walk is, a part may be far more than there is time for.
    } while (left > 0 && !budget.isCut);
    const share = Math.min(1, budget.share);
    if (unrefreshed >= REFRESH_EVERY) {
      walk.refresh();
      unrefreshed = 0;
    }
    steer(share, Math.exp(steering * (share - before)));
    before = share;
  });
}

/**
 * Comes down to the caps, and takes what gains without them being raised. Where time has ended the walk, that
 * takes no longer than the walk did: one that had hardly begun may be far above them.
 */
function settle(walk: Walk, cap: number, { isCut, done }: Budget): void {
  const candidates = 20 * walk.layout.movable.length;
  const rounds = isCut ? Math.min(MOST_ROUNDS, done / candidates) : MOST_ROUNDS;
  for (let k = 0; k < rounds && walk.isOver(cap); k++) {
    walk.raise(cap, 1.5);
    walk.hold(cap);
    walk.run(candidates, COLDEST);
  }
  walk.rest();
  walk.raise(Number.NEGATIVE_INFINITY, 0);
  walk.hold(cap);
  walk.run(candidates, COLDEST);
}
