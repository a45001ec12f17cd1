/** The steps of hbal where a plan is chosen among several: from the deep search, or from the greedy steps. */

import { Progress } from '../../../kit/report/progress.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { type CurvePoint, curveOf } from '../../planners/search/curve.ts';
import { inJobSets } from '../../planners/search/order/job-set-order.ts';
import type { TakenStep } from '../../planners/search/order/realise.ts';
import { pick } from '../../planners/search/pick.ts';
import { type Offer, stepsTo, type Task } from '../../planners/search/plans.ts';
import { type DeepResult, offerGreedy, searchDeep } from '../shared/balance/deep-search.ts';
import { effortOf } from '../shared/balance/search-limits.ts';
import { hasCaps, keepsGreedyOrder, mostStepsOf, type PlanOptions, pickRuleOf } from './plan-choice.ts';
import { priceOf } from './price.ts';

const SECONDS_PER_HOUR = 3600;

/** The plan chosen, and the curve that it was chosen from. */
export interface ChosenPlan {
  readonly steps: readonly TakenStep[];
  readonly curve: readonly CurvePoint[];
  /** Place of the choice in the curve. */
  readonly picked: CurvePoint;
}

/** Whether the first steps of a plan keep all caps. */
function keepsCaps({ snapshot, nodes }: Task, options: PlanOptions, steps: readonly TakenStep[]): boolean {
  const { maxData, maxTime, maxDowntime, bandwidth } = options;
  if ((steps.at(-1)?.totalGib ?? 0) > (maxData ?? Number.POSITIVE_INFINITY)) return false;
  if (steps.length > mostStepsOf(options)) return false;
  if (maxTime === undefined && maxDowntime === undefined) return true;
  const price = priceOf({ start: snapshot, steps: inJobSets(snapshot, steps, nodes.length) }, bandwidth);
  return (
    price.seconds <= (maxTime ?? Number.POSITIVE_INFINITY) * SECONDS_PER_HOUR &&
    price.downtimeSeconds <= (maxDowntime ?? Number.POSITIVE_INFINITY)
  );
}

/** The longest beginning of a plan that keeps the caps: all that they limit grows with the steps. */
function withinCaps(task: Task, options: PlanOptions, steps: readonly TakenStep[]): readonly TakenStep[] {
  let kept = 0;
  let broken = steps.length + 1;
  while (broken - kept > 1) {
    const middle = (kept + broken) >> 1;
    if (keepsCaps(task, options, steps.slice(0, middle))) kept = middle;
    else broken = middle;
  }
  return steps.slice(0, kept);
}

/** What the caps leave of an offer: of each plan its longest beginning, and the curve of these. */
function offerWithinCaps({ task, problem, offer }: DeepResult, options: PlanOptions): Offer {
  if (!hasCaps(options) && mostStepsOf(options) === Number.POSITIVE_INFINITY) return offer;
  const plans = offer.plans.map((steps) => withinCaps(task, options, steps));
  return { plans, curve: curveOf(problem.initialScore, plans) };
}

/**
 * Instances with a node in the group that is to be emptied (offline), after the plan up to each point of the
 * curve.
 */
function leftAt({ snapshot, nodes }: Task, { plans }: Offer): (point: CurvePoint) => number {
  const offline = new Set(nodes.filter((n) => snapshot.nodes[n]!.isOffline));
  const isOn = (primary: number, secondary: number): boolean =>
    offline.has(primary) || offline.has(secondary);
  const before = snapshot.instances.filter((one) => isOn(one.primary, one.secondary)).length;
  return ({ plan, steps }) => {
    let left = before;
    for (const step of plan < 0 ? [] : plans[plan]!.slice(0, steps)) {
      if (isOn(step.fromPrimary, step.fromSecondary)) left--;
      if (isOn(step.toPrimary, step.toSecondary)) left++;
    }
    return left;
  };
}

/** Which points may be chosen: all, but with `--evac-mode` those that leave as little behind as any. */
function choosable(task: Task, offer: Offer, options: PlanOptions): (point: CurvePoint) => boolean {
  if (!options.evacMode) return () => true;
  const left = leftAt(task, offer);
  const least = Math.min(...offer.curve.map(left));
  return (point) => left(point) <= least;
}

/** @param nodes positions of the nodes of the group */
export async function choosePlan(
  snapshot: Snapshot,
  nodes: readonly number[],
  balancing: BalanceOptions,
  options: PlanOptions,
): Promise<ChosenPlan> {
  const progress = new Progress(false);
  const result =
    options.search === 'deep'
      ? await searchDeep(snapshot, nodes, balancing, {
          seed: options.seed,
          candidates: effortOf(options),
          timeLimitS: options.searchTime,
          threads: options.jobs,
          mostGib: options.maxData ?? Number.POSITIVE_INFINITY,
          mostSteps: mostStepsOf(options),
          onProgress: (done, all) => progress.at(() => `searching: ${done} of ${all} parts done`),
        })
      : offerGreedy(snapshot, nodes, balancing, !keepsGreedyOrder(options));
  progress.done();
  const { task } = result;
  const offer = offerWithinCaps(result, options);
  const picked = pick(offer.curve, pickRuleOf(options), choosable(task, offer, options));
  return { steps: stepsTo(task, offer, picked), curve: offer.curve, picked };
}
