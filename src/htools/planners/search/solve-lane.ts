/**
 * What a lane does for each of its prices, the highest first: it walks to a placement and puts the steps in
 * order; where instances wait for each other to the end, it looks for another placement near by where these
 * stay at home. Where that does not help either it walks on from where the steps lead. Where detours go
 * beyond what is limited, it looks near by for a placement with room for them: only what steps do within the
 * limits counts.
 *
 * On clusters whose nodes can just take over from each other, most placements cannot be reached straight.
 * Leaving out what is stuck costs most of the gain; walking on costs a few copies more.
 */

import { placementAfter } from '../../model/moves/kinds.ts';
import { amountsBy, CAP_NAMES, type PlanAmounts } from '../../plan/plan.ts';
import { RandomStream } from '../anneal/random.ts';
import { Kernel } from './kernel/kernel.ts';
import type { SearchLayout } from './kernel/layout.ts';
import type { OrderedStep } from './order/attempt.ts';
import { orderSteps } from './order/order.ts';
import { bestWays } from './order/way-round.ts';
import { hottestOf, type LaneClock, type LaneTask, runLane, type WalkEnd, type Work } from './walk/lane.ts';
import { type Placement, Prices } from './walk/prices.ts';

/** Amounts are sums of fractions. */
const AMOUNT_ROUNDING = 1e-6;

/** What steps use. */
const amountsOf = (prices: Prices, steps: readonly OrderedStep[]): PlanAmounts =>
  amountsBy((what) =>
    steps.reduce((sum, { instance, kind }) => sum + prices.amountOfStep(what, instance, kind), 0),
  );

/** How many of the steps caps allow, and the score after these. */
function withinCaps(
  layout: SearchLayout,
  prices: Prices,
  steps: readonly OrderedStep[],
  caps: PlanAmounts,
): { readonly count: number; readonly score: number } {
  const limited = CAP_NAMES.filter((what) => caps[what] < Number.POSITIVE_INFINITY);
  const used = limited.map(() => 0);
  const kernel = new Kernel(layout);
  const { primary, secondary } = kernel.books;
  for (const [count, { instance: i, kind, target }] of steps.entries()) {
    for (const [k, what] of limited.entries()) {
      used[k]! += prices.amountOfStep(what, i, kind);
      if (used[k]! > caps[what] + AMOUNT_ROUNDING) return { count, score: kernel.score };
    }
    const [P, S] = placementAfter(kind, primary[i]!, secondary[i]!, target);
    kernel.apply(i, P, S);
  }
  return { count: steps.length, score: kernel.score };
}

/** Walks at most for one price, the first one included, and the share of the work that the first takes. */
const MOST_WALKS = 5;
const FIRST_SHARE = 0.7;
/** Later walks start colder: they are to stay near. */
const LATER_HOTTEST = 0.03;
/** Most that a later walk costs, as a share of moving everything once. */
const LATER_PRICE = 0.02;
/** Walks that go on where the first ended, but for stuck instances, and how warm they begin. */
const AGAIN = 2;
const AGAIN_HOTTEST = 0.0001;
/** Share of the work for the highest price; the others share the rest, and start from its find. */
const HIGHEST_SHARE = 0.5;
const LOWER_HOTTEST = 0.003;

/** By how much scores of the same end may differ. */
const ROUNDING = 1e-9;

/** One price of a lane: where to end, and between which parts of the lane's work. */
interface Leg {
  readonly cap: number;
  readonly begin: number;
  readonly end: number;
}

function legsOf({ prices }: LaneTask): readonly Leg[] {
  const lower = prices.length - 1;
  const first = lower === 0 ? 1 : HIGHEST_SHARE;
  return prices.map((cap, k) => ({
    cap,
    begin: k === 0 ? 0 : first + ((k - 1) * (1 - first)) / lower,
    end: k === 0 ? first : first + (k * (1 - first)) / lower,
  }));
}

/** The plans of a lane, one for each of its prices, the highest first. @param work is added to */
export function solveLane(
  layout: SearchLayout,
  task: LaneTask,
  work: Work,
  clock?: LaneClock,
): readonly (readonly OrderedStep[])[] {
  // The first lane sees to it that the smallest clusters end at their optimum, whatever the price.
  const best = task.lane === 0 ? bestWays(layout) : undefined;
  if (best) return best;
  const random = new RandomStream(task.seed, task.lane);
  const plans: (readonly OrderedStep[])[] = [];
  const urgency = new Float64Array(layout.instanceCount);
  let from: Placement | undefined;
  for (const leg of legsOf(task)) {
    // On large clusters putting steps in order may take the time that a lower price was to have.
    if (from && clock && clock() >= leg.end) {
      work.planned += task.candidates * (leg.end - leg.begin) * FIRST_SHARE;
      continue;
    }
    const hottest = from ? LOWER_HOTTEST : hottestOf(layout, task.lane);
    const reached = solveLeg({ layout, task, leg, random, hottest, from, urgency, clock, work });
    plans.push(reached.steps);
    from = reached.goal;
  }
  return plans;
}

interface LegRun {
  readonly layout: SearchLayout;
  readonly task: LaneTask;
  readonly leg: Leg;
  readonly random: RandomStream;
  readonly hottest: number;
  readonly from: Placement | undefined;
  /** What the lane's orders have learned: those of its next price are much like the last. */
  readonly urgency: Float64Array;
  readonly clock: LaneClock | undefined;
  readonly work: Work;
}

/** A search in which instances that did not get there stay at home; undefined where they are elsewhere. */
function withoutStuck(
  layout: SearchLayout,
  goal: Placement,
  { books: { primary, secondary } }: Kernel,
): SearchLayout | undefined {
  const isHome = (i: number): boolean =>
    primary[i] === layout.primary[i] && secondary[i] === layout.secondary[i];
  const isThere = (i: number): boolean =>
    primary[i] === goal.primary[i] && secondary[i] === goal.secondary[i];
  if (!layout.movable.every((i) => isThere(i) || isHome(i))) return undefined;
  const movable = layout.movable.filter(isThere);
  return movable.length > 0 ? { ...layout, movable } : undefined;
}

/** The steps to a placement at one price, and the placement that they were meant for. */
function solveLeg({ layout, task, leg, random, hottest, from: begin, urgency, clock, work }: LegRun): {
  readonly steps: readonly OrderedStep[];
  readonly goal: Placement;
} {
  const laterShare = (1 - FIRST_SHARE) / (MOST_WALKS - 1);
  const { cap } = leg;
  const share = leg.end - leg.begin;
  const prices = new Prices(layout);
  const planOf = (steps: readonly OrderedStep[], end: Kernel) => ({
    steps,
    end,
    within: withinCaps(layout, prices, steps, task.caps),
  });
  let best = planOf([], new Kernel(layout));
  const spent = (): number =>
    best.steps.reduce((sum, { instance, kind }) => sum + prices.ofStep(instance, kind), 0);
  const left = (used: PlanAmounts): PlanAmounts =>
    amountsBy((what) => Math.max(0, task.caps[what] - used[what]));
  let from = layout;
  let aim: Placement | undefined;
  /** Where all else may still move once what was stuck is to stay at home. */
  let others: SearchLayout | undefined = layout;
  let { caps } = task;
  let rateToTarget: number | undefined;
  for (let walk = 0; walk < MOST_WALKS; walk++) {
    const until = leg.begin + share * (FIRST_SHARE + walk * laterShare);
    const part = {
      // Walking on without a price would shuffle everything anew.
      cap: others ? cap : Math.max(0, Math.min(cap - spent(), LATER_PRICE * prices.whole)),
      caps: others ? caps : left(amountsOf(prices, best.steps)),
      target: task.target,
      candidates: task.candidates * share * (walk === 0 ? FIRST_SHARE : laterShare),
    };
    const now = clock?.() ?? 0;
    // What was not used before is left for this walk.
    const partClock = clock && (() => (until > now ? (clock() - now) / (until - now) : 1));
    const goal: WalkEnd = others
      ? runLane(others, part, random, walk === 0 ? hottest : AGAIN_HOTTEST, {
          clock: partClock,
          from: walk === 0 ? begin : best.end.books,
          rateToTarget,
          work,
        })
      : runLane(from, part, random, LATER_HOTTEST, { clock: partClock, rateToTarget, work });
    rateToTarget ??= goal.rateToTarget;
    const order = orderSteps(others ? layout : from, goal, random, urgency);
    const found = planOf(others ? order.steps : [...best.steps, ...order.steps], order.kernel);
    if (walk === 0 || found.within.score < best.within.score) {
      best = found;
      from = best.end.books.rebased();
    }
    const isThere = order.left === 0;
    const isWithin = found.within.count === found.steps.length;
    if (walk === 0 || (others && isThere)) aim = goal;
    if (isThere && walk === 0 && isWithin && !found.steps.some(({ isDetour }) => isDetour))
      return { steps: found.steps, goal };
    if ((isThere && isWithin) || (clock && clock() >= leg.end)) break;
    others &&= isThere || walk < AGAIN ? withoutStuck(others, goal, order.kernel) : undefined;
    // What detours used beside what their end needs is kept for such.
    const used = amountsOf(prices, found.steps);
    const detours = amountsBy((what) => used[what] - prices.used(what, found.end.books));
    caps = amountsBy((what) => Math.min(caps[what], left(detours)[what]));
  }
  // Where all of it can be reached straight after all, nothing is copied twice.
  const { steps, left: stuck, kernel } = orderSteps(layout, best.end.books, random, urgency);
  const isNoWorse = stuck === 0 && planOf(steps, kernel).within.score <= best.within.score + ROUNDING;
  return { steps: isNoWorse ? steps : best.steps, goal: aim! };
}
