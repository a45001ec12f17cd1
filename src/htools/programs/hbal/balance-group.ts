/** Balancing one group and saying so: what hbal does once, or for each group of a cluster. */
import { printErr } from '../../../kit/report/output.ts';
import { Progress } from '../../../kit/report/progress.ts';
import { fitTables } from '../../../kit/report/report-table.ts';
import { groupHealth } from '../../explain/state/state-facts.ts';
import { optimalScore } from '../../model/score/scorer.ts';
import { groupScope } from '../../model/state/scope.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import { StepSearch } from '../../planners/balance/steps/step-search.ts';
import type { PlanExplanation } from '../../results/parts/explanation.ts';
import { listings } from '../shared/listings/listings.ts';
import { assertPlan } from '../shared/steps/assert-plan.ts';
import { type PlanPrice, priceOf, priceText } from '../shared/steps/plan-price.ts';
import type { Bound } from './bound.ts';
import { type Balancing, checkedLimits, type GroupPicture, type GroupTask, pictureOf } from './group-task.ts';
import { type TakenSteps, takeSteps } from './take-steps.ts';
import * as T from './text.ts';

/** Verbosity from which on the price of greedy steps is said. */
const PRICE_VERBOSITY = 2;

export interface BalancedGroup extends GroupTask {
  readonly taken: TakenSteps;
  readonly plan: Plan;
  readonly price: PlanPrice;
  readonly bound: Bound | undefined;
  readonly after: GroupPicture;
  readonly explanation?: PlanExplanation | undefined;
}

/** Balances one group. @throws InternalError when the plan does not stand up to the checker */
export async function balanceGroup(balancing: Balancing, group: number): Promise<BalancedGroup> {
  const { options, limits, snapshot, state } = balancing;
  const scope = groupScope(snapshot, group);
  const search = new StepSearch(state, scope.nodes, limits);
  const task: GroupTask = {
    ...balancing,
    name: snapshot.groups[group]!.name,
    scope,
    optimum: optimalScore(state, scope.nodes),
    health: groupHealth(state, scope),
    before: pictureOf(balancing, scope, search),
  };
  sayBefore(task);
  const taken = await takeSteps(task, search);
  const plan = checkedPlan(task, taken.steps);
  const price = priceOf(plan, limits.rates);
  const bound = options.bound
    ? (await import('./bound.ts')).boundOf(plan, scope.nodes, limits, price)
    : undefined;
  const balanced = { ...task, taken, plan, price, bound, after: pictureOf(balancing, scope, search) };
  if (!taken.wasBalanced) await sayAfter(balanced);
  return { ...balanced, explanation: await explained(task, plan) };
}

function sayBefore(task: GroupTask): void {
  const { options, scope, state, say, before } = task;
  say(T.groupText(task));
  if (!options.json) printErr(listings(options, state, scope, 'Initial cluster', 'Initial'));
  say(T.scoreText(before, options.verbosity));
}

function checkedPlan(task: GroupTask, steps: readonly PlanStep[]): Plan {
  const { score } = task.before;
  const plan = {
    start: task.snapshot,
    nodes: task.scope.nodes,
    limits: checkedLimits(task),
    initialScore: score,
    finalScore: steps.at(-1)?.score ?? score,
    steps,
  };
  assertPlan(plan);
  return plan;
}

async function sayAfter(balanced: BalancedGroup): Promise<void> {
  const { options, scope, state, say, atEnd, before, after, taken, plan, price, bound } = balanced;
  const { json, verbosity } = options;
  const { steps, mending, chosen } = taken;
  say(
    mending
      ? (await import('../shared/questions/broken-rules-text.ts')).mendingText(mending, steps.length)
      : T.endText(before, after, steps.length, verbosity),
  );
  if (options.bound) say((await import('./bound.ts')).boundText(bound, plan.finalScore, price));
  // Scripts that read greedy's output know no such line.
  if (chosen || (mending && steps.length > 0)) say(priceText(price, chosen !== undefined));
  else if (verbosity >= PRICE_VERBOSITY && !json) printErr(priceText(price, false));
  atEnd(steps, scope.nodes);
  if (!json) printErr(listings(options, state, scope, 'Final cluster', 'Final'));
  say(T.resourcesText(before, after, verbosity));
}

/** Why each step, for `--explain` and for the page, asked or not; the code is loaded only then. */
async function explained(
  { options, limits, say }: GroupTask,
  plan: Plan,
): Promise<PlanExplanation | undefined> {
  const { json, explainSteps, html } = options;
  if (plan.nodes.length === 0 || (!explainSteps && html === undefined)) return undefined;
  const { explainPlan } = await import('../../explain/explain-plan.ts');
  const progress = new Progress(!json);
  const watch = (step: number): void => progress.at(() => `explaining step ${step}`);
  const facts = explainPlan(plan, limits, watch, explainSteps);
  progress.done();
  if (explainSteps) {
    await fitTables();
    say((await import('./plan-text.ts')).planExplanationText(facts));
  }
  return facts;
}
