/** The steps of hbal where a plan is chosen among several: from the deep search, or from the greedy steps. */
import { Progress } from '../../../kit/report/progress.ts';
import type { GroupPart } from '../../model/state/group-parts.ts';
import { inJobSets } from '../../plan/jobs.ts';
import { CAP_NAMES } from '../../plan/plan.ts';
import { planSeconds } from '../../plan/price.ts';
import { onCluster } from '../../plan/step.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { type CurvePoint, curveOf } from '../../planners/search/curve.ts';
import { NOTHING, type TakenStep } from '../../planners/search/order/realise.ts';
import { kneeOf, pick } from '../../planners/search/pick.ts';
import { type Offer, stepsTo, type Task } from '../../planners/search/plans.ts';
import { Prices } from '../../planners/search/walk/prices.ts';
import { budgetOf } from '../shared/balance/budget.ts';
import { type DeepResult, offerGreedy, searchDeep } from '../shared/balance/deep-search.ts';
import { effortOf, searchOf, seedOf } from '../shared/balance/search-limits.ts';
import {
  keepsGreedyOrder,
  NOTHING_SPENT,
  type PlanOptions,
  pickRuleOf,
  type Spent,
  spentBy,
} from './plan-choice.ts';

export interface ChosenPlan {
  readonly steps: readonly TakenStep[];
  readonly curve: readonly CurvePoint[];
  /** Place of the choice in the curve. */
  readonly picked: CurvePoint;
  /** Its knee; undefined where it is the start. */
  readonly knee: CurvePoint | undefined;
  /** Share of the search's work that was done: less than 1 where time or somebody ended it. */
  readonly workShare: number;
}

/** What is left of what a plan may do at most: --budget, and --max-length. */
function capsOf({ budget, maxLength }: PlanOptions, spent: Spent): Spent {
  const { caps, seconds } = budgetOf(budget);
  const steps = maxLength < 0 ? caps.steps : Math.min(caps.steps, maxLength);
  const all = { ...caps, steps, seconds };
  return spentBy((what) => all[what] - spent[what]);
}

function keepsCaps(
  { snapshot, nodes, options: { rates } }: Task,
  caps: Spent,
  steps: readonly TakenStep[],
): boolean {
  const { total } = steps.at(-1) ?? { total: NOTHING };
  const { seconds } = caps;
  if (CAP_NAMES.some((what) => total[what] > caps[what])) return false;
  if (seconds === Number.POSITIVE_INFINITY) return true;
  return planSeconds({ start: snapshot, steps: inJobSets(snapshot, steps, nodes.length) }, rates) <= seconds;
}

/** The longest beginning of a plan that keeps the caps: all that they limit grows with the steps. */
function withinCaps(task: Task, caps: Spent, steps: readonly TakenStep[]): readonly TakenStep[] {
  let kept = 0;
  let broken = steps.length + 1;
  while (broken - kept > 1) {
    const middle = (kept + broken) >> 1;
    if (keepsCaps(task, caps, steps.slice(0, middle))) kept = middle;
    else broken = middle;
  }
  return steps.slice(0, kept);
}

/** What the caps leave of an offer: of each plan its longest beginning, and the curve of these. */
function offerWithinCaps({ task, offer }: DeepResult, caps: Spent): Offer {
  const plans = offer.plans.map((steps) => withinCaps(task, caps, steps));
  return { ...offer, plans, curve: curveOf(offer.initialScore, plans, offer.curve.at(-1)!.score) };
}

/** Instances left on offline nodes of the group, after the plan up to each point of the curve. */
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

/** @param part where to search; the steps are the cluster's @param stop not 0 once the search is to end */
export async function choosePlan(
  { state: { snapshot }, nodes, inCluster }: GroupPart,
  balancing: BalanceOptions,
  options: PlanOptions,
  stop?: Int32Array,
  spent = NOTHING_SPENT,
): Promise<ChosenPlan> {
  const progress = new Progress(false);
  const caps = capsOf(options, spent);
  const result =
    searchOf(options) === 'deep'
      ? await searchDeep(snapshot, nodes, balancing, {
          seed: seedOf(options),
          candidates: effortOf(options),
          // What the curve shows for an amount of data is what who asks for it gets: the search is the same.
          caps: { ...caps, copiedGib: caps.copiedGib > 0 ? Number.POSITIVE_INFINITY : 0 },
          timeLimitS: options.searchTime,
          threads: options.jobs,
          stop,
          onProgress: (done, all) => progress.at(() => `searching: ${done} of ${all} parts done`),
        })
      : offerGreedy(snapshot, nodes, balancing, !keepsGreedyOrder(options));
  progress.done();
  const { task, problem, workShare } = result;
  const { whole } = new Prices(problem.layout);
  const offer = offerWithinCaps(result, caps);
  const mayPick = choosable(task, offer, options);
  const picked = pick(offer.curve, pickRuleOf(options, whole), mayPick);
  const knee = pick(offer.curve, kneeOf(whole), mayPick);
  return {
    steps: stepsTo(task, offer, picked).map((step) => onCluster(step, inCluster)),
    curve: offer.curve,
    picked,
    knee: knee.plan < 0 ? undefined : knee,
    workShare,
  };
}
