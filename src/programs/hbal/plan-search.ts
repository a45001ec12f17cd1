/** The steps of hbal where a plan is chosen among several: from the deep search, or from the greedy steps. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import type { CurvePoint } from '../../planners/search/curve.ts';
import type { TakenStep } from '../../planners/search/order/realise.ts';
import { pick } from '../../planners/search/pick.ts';
import { stepsTo } from '../../planners/search/plans.ts';
import { Progress } from '../../report/progress.ts';
import { type DeepResult, offerGreedy, searchDeep } from '../shared/balance/deep-search.ts';
import { candidatesOf, keepsGreedyOrder, mostStepsOf, type PlanOptions, pickRuleOf } from './plan-choice.ts';
import { priceOf } from './price.ts';

const SECONDS_PER_HOUR = 3600;

/** The plan chosen, and the curve that it was chosen from. */
export interface ChosenPlan {
  readonly steps: readonly TakenStep[];
  readonly curve: readonly CurvePoint[];
  /** Place of the choice in the curve. */
  readonly picked: CurvePoint;
}

/** Whether the plan up to a point keeps all caps. */
function keepsCaps(result: DeepResult, options: PlanOptions, point: CurvePoint): boolean {
  const { maxData, maxTime, maxDowntime, bandwidth } = options;
  if (maxData !== undefined && point.gib > maxData) return false;
  if (point.steps > mostStepsOf(options)) return false;
  if (maxTime === undefined && maxDowntime === undefined) return true;
  const steps = stepsTo(result.task, result.offer, point);
  const price = priceOf({ start: result.task.snapshot, steps }, bandwidth);
  return (
    price.seconds <= (maxTime ?? Number.POSITIVE_INFINITY) * SECONDS_PER_HOUR &&
    price.downtimeSeconds <= (maxDowntime ?? Number.POSITIVE_INFINITY)
  );
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
          candidates: candidatesOf(options),
          timeLimitS: options.searchTime,
          threads: options.jobs,
          mostGib: options.maxData ?? Number.POSITIVE_INFINITY,
          mostSteps: mostStepsOf(options),
          onProgress: (done, all) => progress.at(() => `searching: ${done} of ${all} parts done`),
        })
      : offerGreedy(snapshot, nodes, balancing, !keepsGreedyOrder(options));
  progress.done();
  const { curve } = result.offer;
  const picked = pick(curve, pickRuleOf(options), (point) => keepsCaps(result, options, point));
  return { steps: stepsTo(result.task, result.offer, picked), curve, picked };
}
