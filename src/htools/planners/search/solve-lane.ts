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
import { orderSteps, ROUNDING } from './order/order.ts';
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
const LATER_SHARE = (1 - FIRST_SHARE) / (MOST_WALKS - 1);
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
  clock: LaneClock,
): readonly (readonly OrderedStep[])[] {
  const random = new RandomStream(task.seed, task.lane);
  const plans: (readonly OrderedStep[])[] = [];
  const urgency = new Float64Array(layout.instanceCount);
  let from: Placement | undefined;
  for (const leg of legsOf(task)) {
    // On large clusters putting steps in order may take the time that a lower price was to have.
    if (from && clock() >= leg.end) {
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
  readonly clock: LaneClock;
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

/** Where a walk for a price led. */
interface Found {
  readonly goal: WalkEnd;
  readonly steps: readonly OrderedStep[];
  /** The cluster after the steps. */
  readonly end: Kernel;
  readonly within: ReturnType<typeof withinCaps>;
  /** Whether the steps lead all the way to the goal. */
  readonly isThere: boolean;
  /** Whether that is within the limits, too. */
  readonly isWhole: boolean;
}

/** The steps to a placement at one price, and the placement that they were meant for. */
function solveLeg({ layout, task, leg, random, hottest, from, urgency, clock, work }: LegRun): {
  readonly steps: readonly OrderedStep[];
  readonly goal: Placement;
} {
  const { cap } = leg;
  const share = leg.end - leg.begin;
  const prices = new Prices(layout);
  const within = (steps: readonly OrderedStep[]) => withinCaps(layout, prices, steps, task.caps);
  const left = (used: PlanAmounts): PlanAmounts =>
    amountsBy((what) => Math.max(0, task.caps[what] - used[what]));
  /** The `k`-th walk in a layout; its steps are put in order behind those before, from where these lead. */
  const walk = (
    k: number,
    room: SearchLayout,
    limits: { readonly cap: number; readonly caps: PlanAmounts },
    begin: {
      readonly hottest: number;
      readonly from?: Placement | undefined;
      readonly rateToTarget?: number | undefined;
    },
    before: readonly OrderedStep[] = [],
    start = layout,
  ): Found => {
    const until = leg.begin + share * (FIRST_SHARE + k * LATER_SHARE);
    const now = clock();
    // What was not used before is left for this walk.
    const partClock = (): number => (until > now ? (clock() - now) / (until - now) : 1);
    const candidates = task.candidates * share * (k === 0 ? FIRST_SHARE : LATER_SHARE);
    const part = { ...limits, target: task.target, candidates };
    const goal = runLane(room, part, random, begin.hottest, { ...begin, clock: partClock, work });
    const order = orderSteps(start, goal, random, urgency);
    const steps = [...before, ...order.steps];
    const isThere = order.left === 0;
    const reached = within(steps);
    const isWhole = isThere && reached.count === steps.length;
    return { goal, steps, end: order.kernel, within: reached, isThere, isWhole };
  };

  let found = walk(0, layout, { cap, caps: task.caps }, { hottest, from });
  let { goal } = found;
  if (found.isWhole && !found.steps.some(({ isDetour }) => isDetour)) return found;
  const { rateToTarget } = goal;
  let best = found;
  /** Where all else may still move once what was stuck is to stay at home. */
  let others: SearchLayout | undefined = layout;
  let { caps } = task;
  for (let k = 1; k < MOST_WALKS && !found.isWhole && clock() < leg.end; k++) {
    others &&= found.isThere || k <= AGAIN ? withoutStuck(others, found.goal, found.end) : undefined;
    // What detours used beside what their end needs is kept for such.
    const used = amountsOf(prices, found.steps);
    const detours = amountsBy((what) => used[what] - prices.used(what, found.end.books));
    caps = amountsBy((what) => Math.min(caps[what], left(detours)[what]));
    if (others) {
      const again = { hottest: AGAIN_HOTTEST, from: best.end.books, rateToTarget };
      found = walk(k, others, { cap, caps }, again);
      if (found.isThere) ({ goal } = found);
    } else {
      const start = best.end.books.rebased();
      const spent = best.steps.reduce((sum, { instance, kind }) => sum + prices.ofStep(instance, kind), 0);
      const limits = {
        // Walking on without a price would shuffle everything anew.
        cap: Math.max(0, Math.min(cap - spent, LATER_PRICE * prices.whole)),
        caps: left(amountsOf(prices, best.steps)),
      };
      found = walk(k, start, limits, { hottest: LATER_HOTTEST, rateToTarget }, best.steps, start);
    }
    if (found.within.score < best.within.score) best = found;
  }
  // To put the steps in order once more takes as long as it did before: not once the time is over.
  if (clock() >= 1) return { steps: best.steps, goal };
  // Where all of it can be reached straight after all, nothing is copied twice.
  const { steps, left: stuck } = orderSteps(layout, best.end.books, random, urgency);
  const isNoWorse = stuck === 0 && within(steps).score <= best.within.score + ROUNDING;
  return { steps: isNoWorse ? steps : best.steps, goal };
}
