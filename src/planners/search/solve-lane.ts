/**
 * What a lane does: it walks to a placement and puts the steps in order; where instances wait for each other to the end, it
 * walks on from where the steps lead, so that they find places that can be reached.
 *
 * On clusters whose nodes can just take over from each other, most placements cannot be reached straight. Leaving out what is
 * stuck costs most of the gain; walking on costs a few copies more.
 */

import { FAILOVER, FAILOVER_TO_ANY } from '../../model/moves/kinds.ts';
import { Kernel } from './kernel/kernel.ts';
import type { SearchLayout } from './kernel/layout.ts';
import { rebased } from './kernel/rebase.ts';
import type { OrderedStep } from './order/attempt.ts';
import { orderSteps } from './order/order.ts';
import { lowestWay } from './order/way-round.ts';
import { hottestOf, type LaneClock, type LaneTask, runLane, wholeGib } from './walk/lane.ts';
import { MIB_PER_GIB } from './walk/prices.ts';
import { RandomStream } from './walk/random.ts';

/** Walks at most, the first one included, and the share of the work that the first takes. */
const MOST_WALKS = 5;
const FIRST_SHARE = 0.7;
/** Later walks start colder: they are to stay near. */
const LATER_HOTTEST = 0.08;
/** Most that a later walk copies, as a share of one copy of all disks. */
const LATER_GIB = 0.02;

/** GiB that steps copy, each copy of an instance counted with its factor. */
const gibOf = (layout: SearchLayout, steps: readonly OrderedStep[]): number =>
  steps.reduce(
    (gib, { instance, kind }) =>
      kind === FAILOVER || kind === FAILOVER_TO_ANY
        ? gib
        : gib + (layout.disk[instance]! / MIB_PER_GIB) * layout.priceFactor[instance]!,
    0,
  );

/** The steps of a lane. */
export function solveLane(layout: SearchLayout, task: LaneTask, clock?: LaneClock): readonly OrderedStep[] {
  // The first lane sees to it that the smallest clusters end at their optimum.
  const isFirst = task.lane === 0 && task.mostSteps === Number.POSITIVE_INFINITY;
  const best = isFirst ? lowestWay(layout, task.isFree) : undefined;
  if (best) return best;
  const random = new RandomStream(task.seed, task.lane);
  const laterShare = (1 - FIRST_SHARE) / (MOST_WALKS - 1);
  let steps: readonly OrderedStep[] = [];
  let from = layout;
  let end = new Kernel(layout);
  for (let walk = 0; walk < MOST_WALKS; walk++) {
    const share = walk === 0 ? FIRST_SHARE : laterShare;
    const before = walk === 0 ? 0 : FIRST_SHARE + (walk - 1) * laterShare;
    const part = {
      ...task,
      // Walking on without a price would shuffle everything anew.
      capGib:
        walk === 0
          ? task.capGib
          : Math.max(0, Math.min(task.capGib - gibOf(layout, steps), LATER_GIB * wholeGib(layout))),
      mostSteps: Math.max(0, task.mostSteps - steps.length),
      candidates: task.candidates * share,
    };
    const partClock = clock && (() => (clock() - before) / share);
    const goal = runLane(
      from,
      part,
      random,
      walk === 0 ? hottestOf(layout, task.lane) : LATER_HOTTEST,
      partClock,
    );
    const order = orderSteps(from, goal, random, part.capGib === 0);
    if (order.kernel.score < end.score || walk === 0) {
      steps = [...steps, ...order.steps];
      end = order.kernel;
      from = rebased(end);
    }
    if (order.left === 0) break;
  }
  // Where all of it can be reached straight after all, nothing is copied twice.
  const straight = orderSteps(layout, end.books, random, task.capGib === 0);
  return straight.left === 0 ? straight.steps : steps;
}
