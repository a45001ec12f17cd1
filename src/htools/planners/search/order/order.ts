/**
 * From a placement to a sequence of steps, each legal when its turn comes, the most useful first.
 *
 * Attempts learn from each other (the "squeaky wheel"): what an attempt left over goes first in the next, and
 * what leaves the nodes that it waited for goes a little sooner. Now and then urgencies are shaken. Only when
 * no attempt gets all instances there is the best one gone through again with detours; what they do not free
 * stays where it is.
 */
import type { RandomStream } from '../../anneal/random.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import type { Placement } from '../walk/prices.ts';
import { Attempt, type OrderedStep } from './attempt.ts';
import { runWithDetours } from './detours.ts';
import { goRound } from './way-round.ts';

/** Attempts on a small cluster; on larger ones as many as look at so many steps. */
const MOST_ATTEMPTS = 60;
const LOOKS = 12_000;
/** Attempts after which the urgencies are shaken. */
const SHAKE_EVERY = 10;
/** What helps those that were left over is urgent by this much of their own urgency. */
const HELPER_SHARE = 0.1;

/** Makes urgent what an attempt left over, and what leaves the nodes that it is to come to. */
function learn(attempt: Attempt): void {
  const { layout, goal, urgency } = attempt;
  const left = new Set(attempt.remaining);
  for (const i of left) {
    urgency[i]! += 1;
    const awaited = [goal.primary[i]!, goal.secondary[i]!];
    for (const j of layout.movable) {
      if (left.has(j)) continue;
      const leavesPrimary = layout.primary[j] !== goal.primary[j] && awaited.includes(layout.primary[j]!);
      const leavesSecondary =
        layout.secondary[j] !== goal.secondary[j] && awaited.includes(layout.secondary[j]!);
      if (leavesPrimary || leavesSecondary) urgency[j]! += HELPER_SHARE;
    }
  }
}

/** Steps, and the cluster after them. */
export interface Order {
  readonly steps: readonly OrderedStep[];
  /** Instances that could not get to their places. */
  readonly left: number;
  readonly kernel: Kernel;
}

const orderOf = ({ steps, remaining, kernel }: Attempt): Order => ({ steps, left: remaining.length, kernel });

/**
 * The steps to a placement. Instances that cannot get there are left out.
 * @param urgency what orders of like placements have learned, by instance; it is added to
 */
export function orderSteps(
  layout: SearchLayout,
  goal: Placement,
  random: RandomStream,
  urgency: Float64Array = new Float64Array(layout.instanceCount),
): Order {
  const attempt = new Attempt(layout, goal, urgency);
  let lowest = Number.POSITIVE_INFINITY;
  let best = attempt.urgency.slice();
  let attempts = 1;
  for (let k = 1; k <= attempts; k++) {
    const tried = attempt.urgency.slice();
    attempt.restart();
    attempts = Math.min(MOST_ATTEMPTS, Math.ceil(LOOKS / (attempt.remaining.length + 1)));
    attempt.run();
    if (attempt.remaining.length === 0) return orderOf(attempt);
    if (attempt.kernel.score < lowest) {
      lowest = attempt.kernel.score;
      best = tried;
    }
    learn(attempt);
    if (k % SHAKE_EVERY === 0) {
      for (const i of layout.movable) attempt.urgency[i] = best[i]! + random.unit();
    }
  }
  attempt.urgency.set(best);
  attempt.restart();
  attempt.run();
  goRound(attempt);
  if (attempt.remaining.length > 0) runWithDetours(attempt);
  return orderOf(attempt);
}
