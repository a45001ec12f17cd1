/**
 * What a lane does for each of its prices, the highest first: it walks to a placement and puts the steps in
 * order; where instances wait for each other to the end, it looks for another placement near by where these
 * stay at home. Where that does not help either it walks on from where the steps lead.
 *
 * On clusters whose nodes can just take over from each other, most placements cannot be reached straight.
 * Leaving out what is stuck costs most of the gain; walking on costs a few copies more.
 */

import { MIB_PER_GIB } from '../../../kit/units.ts';
import { FAILOVER, FAILOVER_TO_ANY } from '../../model/moves/kinds.ts';
import { RandomStream } from '../anneal/random.ts';
import { Kernel } from './kernel/kernel.ts';
import type { SearchLayout } from './kernel/layout.ts';
import { rebased } from './kernel/rebase.ts';
import type { OrderedStep } from './order/attempt.ts';
import { orderSteps } from './order/order.ts';
import { lowestWay } from './order/way-round.ts';
import { hottestOf, type LaneClock, type LaneTask, type Placement, runLane, wholeGib } from './walk/lane.ts';

/** Walks at most for one price, the first one included, and the share of the work that the first takes. */
const MOST_WALKS = 5;
const FIRST_SHARE = 0.7;
/** Later walks start colder: they are to stay near. */
const LATER_HOTTEST = 0.03;
/** Most that a later walk copies, as a share of one copy of all disks. */
const LATER_GIB = 0.02;
/**
 * Walks that go on where the first one ended, but for the instances that were stuck, and how warm they begin.
 */
const AGAIN = 2;
const AGAIN_HOTTEST = 0.0001;
/**
 * Share of the work that goes to the highest price of several; the others share the rest. They start from
 * what it found.
 */
const HIGHEST_SHARE = 0.5;
const LOWER_HOTTEST = 0.003;

/** GiB that steps copy, each copy of an instance counted with its factor. */
const gibOf = (layout: SearchLayout, steps: readonly OrderedStep[]): number =>
  steps.reduce(
    (gib, { instance, kind }) =>
      kind === FAILOVER || kind === FAILOVER_TO_ANY
        ? gib
        : gib + (layout.disk[instance]! / MIB_PER_GIB) * layout.priceFactor[instance]!,
    0,
  );

/** One price of a lane: where to end, and between which parts of the lane's work. */
interface Leg {
  readonly capGib: number;
  readonly begin: number;
  readonly end: number;
}

function legsOf({ capsGib }: LaneTask): readonly Leg[] {
  const lower = capsGib.length - 1;
  const first = lower === 0 ? 1 : HIGHEST_SHARE;
  return capsGib.map((capGib, k) => ({
    capGib,
    begin: k === 0 ? 0 : first + ((k - 1) * (1 - first)) / lower,
    end: k === 0 ? first : first + (k * (1 - first)) / lower,
  }));
}

/** The plans of a lane, one for each of its prices, the highest first. */
export function solveLane(
  layout: SearchLayout,
  task: LaneTask,
  clock?: LaneClock,
): readonly (readonly OrderedStep[])[] {
  // The first lane sees to it that the smallest clusters end at their optimum.
  const isFirst = task.lane === 0 && task.mostSteps === Number.POSITIVE_INFINITY;
  const best = isFirst ? lowestWay(layout, task.isFree) : undefined;
  if (best) return [best];
  const random = new RandomStream(task.seed, task.lane);
  const plans: (readonly OrderedStep[])[] = [];
  const urgency = new Float64Array(layout.instanceCount);
  let from: Placement | undefined;
  for (const leg of legsOf(task)) {
    // On large clusters putting steps in order may take the time that a lower price was to have.
    if (from && clock && clock() >= leg.end) continue;
    const hottest = from ? LOWER_HOTTEST : hottestOf(layout, task.lane);
    const reached = solveLeg({ layout, task, leg, random, hottest, from, urgency, clock });
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
}

/**
 * A search in which instances that did not get where they were to be stay at home; undefined where they are
 * elsewhere.
 */
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
function solveLeg({ layout, task, leg, random, hottest, from: begin, urgency, clock }: LegRun): {
  readonly steps: readonly OrderedStep[];
  readonly goal: Placement;
} {
  const laterShare = (1 - FIRST_SHARE) / (MOST_WALKS - 1);
  const { capGib } = leg;
  const work = leg.end - leg.begin;
  let steps: readonly OrderedStep[] = [];
  let from = layout;
  let end = new Kernel(layout);
  let aim: Placement | undefined;
  /** Where all else may still move once what was stuck is to stay at home. */
  let others: SearchLayout | undefined = layout;
  for (let walk = 0; walk < MOST_WALKS; walk++) {
    const share = work * (walk === 0 ? FIRST_SHARE : laterShare);
    const until = leg.begin + work * (FIRST_SHARE + walk * laterShare);
    if (walk > AGAIN) others = undefined;
    const part = {
      // Walking on without a price would shuffle everything anew.
      capGib: others
        ? capGib
        : Math.max(0, Math.min(capGib - gibOf(layout, steps), LATER_GIB * wholeGib(layout))),
      mostSteps: others ? task.mostSteps : Math.max(0, task.mostSteps - steps.length),
      candidates: task.candidates * share,
    };
    const now = clock?.() ?? 0;
    // What was not used before is left for this walk.
    const partClock = clock && (() => (until > now ? (clock() - now) / (until - now) : 1));
    const goal: Placement = others
      ? runLane(
          others,
          part,
          random,
          walk === 0 ? hottest : AGAIN_HOTTEST,
          partClock,
          walk === 0 ? begin : end.books,
        )
      : runLane(from, part, random, LATER_HOTTEST, partClock);
    const order = orderSteps(others ? layout : from, goal, random, part.capGib === 0, urgency);
    if (walk === 0 || order.kernel.score < end.score) {
      steps = others ? order.steps : [...steps, ...order.steps];
      end = order.kernel;
      from = rebased(end);
    }
    if (walk === 0 || (others && order.left === 0)) aim = goal;
    others &&= withoutStuck(others, goal, order.kernel);
    const isThere = order.left === 0;
    if (isThere && walk === 0 && !steps.some(({ isDetour }) => isDetour)) return { steps, goal };
    if (isThere || (clock && clock() >= leg.end)) break;
  }
  // Where all of it can be reached straight after all, nothing is copied twice.
  const straight = orderSteps(layout, end.books, random, capGib === 0, urgency);
  return { steps: straight.left === 0 ? straight.steps : steps, goal: aim! };
}
