/** The steps of hbal where a plan is chosen among several: from the deep search, or from the greedy steps. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import type { CurvePoint } from '../../planners/search/curve.ts';
import type { TakenStep } from '../../planners/search/order/realise.ts';
import { pick } from '../../planners/search/pick.ts';
import { stepsTo } from '../../planners/search/plans.ts';
import { Progress } from '../../report/progress.ts';
import { type DeepResult, effortOf, offerGreedy, searchDeep } from '../shared/balance/deep-search.ts';
import { keepsGreedyOrder, mostStepsOf, type PlanOptions, pickRuleOf } from './plan-choice.ts';
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

/** Instances with a node in the group that is to be emptied (offline), after the plan up to each point of the curve. */
function leftAt({ task, offer }: DeepResult): (point: CurvePoint) => number {
  const { snapshot, nodes } = task;
  const offline = new Set(nodes.filter((n) => snapshot.nodes[n]!.isOffline));
  const isOn = (primary: number, secondary: number): boolean =>
    offline.has(primary) || offline.has(secondary);
  const before = snapshot.instances.filter((one) => isOn(one.primary, one.secondary)).length;
  return ({ plan, steps }) => {
    let left = before;
    for (const step of plan < 0 ? [] : offer.plans[plan]!.slice(0, steps)) {
      if (isOn(step.fromPrimary, step.fromSecondary)) left--;
      if (isOn(step.toPrimary, step.toSecondary)) left++;
    }
    return left;
  };
}

/** Which points may be chosen: those that keep the caps, and with `--evac-mode` leave as little behind as any of these. */
function choosable(result: DeepResult, options: PlanOptions): (point: CurvePoint) => boolean {
  const keeps = (point: CurvePoint): boolean => keepsCaps(result, options, point);
  if (!options.evacMode) return keeps;
  const left = leftAt(result);
  const least = Math.min(...result.offer.curve.filter(keeps).map(left));
  return (point) => left(point) <= least && keeps(point);
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
  const { curve } = result.offer;
  const picked = pick(curve, pickRuleOf(options), choosable(result, options));
  return { steps: stepsTo(result.task, result.offer, picked), curve, picked };
}
