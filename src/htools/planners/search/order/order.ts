/**
 * From a placement to a sequence of steps, each legal when its turn comes, the most useful first.
 *
 * Attempts learn from each other (the "squeaky wheel"): what an attempt left over goes first in the next, and
 * what leaves the nodes that it waited for goes a little sooner. Now and then urgencies are shaken. Only when
 * no attempt gets all instances there is the best one gone through again with detours; what they do not free
 * stays where it is.
 */

import {
  FAILOVER,
  FAILOVER_TO_ANY,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import type { RandomStream } from '../../anneal/random.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import type { Placement } from '../walk/prices.ts';
import { Attempt, type OrderedStep } from './attempt.ts';
import { type Leg, legOf } from './routes.ts';

/**
 * A way round for an instance that gets to its place no other: by the old primary where the old secondary
 * cannot carry it, which copies its disks once more, or with the new secondary first where both nodes are
 * new, which changes its primary once more.
 */
function longWay(attempt: Attempt, i: number): Leg | undefined {
  const { layout, goal } = attempt;
  const [first] = attempt.legsOf(i);
  if (first === undefined || layout.restrictedMigration) return undefined;
  const p = attempt.kernel.books.primary[i]!;
  const s = attempt.kernel.books.secondary[i]!;
  const S = goal.secondary[i]!;
  const { kind, target } = first;
  let leg: Leg;
  if (kind === REPLACE_PRIMARY) leg = legOf(REPLACE_AND_FAILOVER, target, p, s);
  else if (kind === REPLACE_AND_FAILOVER && S !== p) leg = legOf(REPLACE_SECONDARY, S, p, s);
  else return undefined;
  return attempt.scoreAfter(i, leg) < Number.POSITIVE_INFINITY ? leg : undefined;
}

/**
 * Where all that is left waits for each other in a circle, one instance goes somewhere else first, so that
 * another's step becomes legal. Free ways are tried before copies; an instance makes one detour at most.
 */
function* detoursOf(attempt: Attempt, i: number, isFree: boolean): Iterable<Leg> {
  const { layout } = attempt;
  const p = attempt.kernel.books.primary[i]!;
  const s = attempt.kernel.books.secondary[i]!;
  if (layout.isMirrored[i] === 0) {
    if (!isFree) return;
    for (const t of layout.targets) if (t !== p) yield legOf(FAILOVER_TO_ANY, t, p, s);
  } else if (isFree) {
    if (layout.instanceMoves) yield legOf(FAILOVER, -1, p, s);
  } else if (layout.diskMoves) {
    for (const t of layout.targets) if (t !== p && t !== s) yield legOf(REPLACE_SECONDARY, t, p, s);
  }
}

/** Whether a detour makes the step of another instance legal. The state is as before afterwards. */
function helps(attempt: Attempt, i: number, leg: Leg): boolean {
  const { kernel } = attempt;
  if (attempt.scoreAfter(i, leg) === Number.POSITIVE_INFINITY) return false;
  const p = kernel.books.primary[i]!;
  const s = kernel.books.secondary[i]!;
  kernel.apply(i, leg.primary, leg.secondary);
  const isFreed = attempt.remaining.some(
    (j) =>
      j !== i && attempt.legsOf(j).some((next) => attempt.scoreAfter(j, next) < Number.POSITIVE_INFINITY),
  );
  kernel.apply(i, p, s);
  return isFreed;
}

/** A way on for an attempt that is stuck, by an instance that has made no detour yet. */
function detourOf(attempt: Attempt, hasDetoured: ReadonlySet<number>): { i: number; leg: Leg } | undefined {
  const waiting = attempt.remaining.filter((i) => !hasDetoured.has(i));
  for (const i of waiting) {
    const leg = longWay(attempt, i);
    if (leg) return { i, leg };
  }
  for (const isFree of [true, false])
    for (const i of waiting)
      for (const leg of detoursOf(attempt, i, isFree)) if (helps(attempt, i, leg)) return { i, leg };
  return undefined;
}

/** Goes on with an attempt that is stuck, as long as detours help. */
function runWithDetours(attempt: Attempt): void {
  const hasDetoured = new Set<number>();
  for (;;) {
    attempt.run();
    const detour = detourOf(attempt, hasDetoured);
    if (!detour) return;
    hasDetoured.add(detour.i);
    attempt.take(detour.i, detour.leg, true);
  }
}

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

/** By how much scores of the same end may differ. */
export const ROUNDING = 1e-9;

/** Steps, and the cluster after them. */
interface Order {
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
  runWithDetours(attempt);
  return orderOf(attempt);
}
