/** The steps of a group, taken on the state: greedily, from the plan chosen among several, or to mend. */
import { printErr } from '../../../kit/report/output.ts';
import { Progress } from '../../../kit/report/progress.ts';
import { int32 } from '../../../kit/shared-arrays.ts';
import { GroupParts } from '../../model/state/group-parts.ts';
import type { PlanStep } from '../../plan/plan.ts';
import { balanceSteps } from '../../planners/balance/steps/balance.ts';
import type { StepSearch } from '../../planners/balance/steps/step-search.ts';
import { isBalanced } from '../../planners/balance/stop-rule.ts';
import type { MendingFacts } from '../../results/parts/explanation.ts';
import { helpWithThreads, usefulThreads } from '../../workers/pool/scan-threads.ts';
import { searchOf } from '../shared/balance/search-limits.ts';
import type { GroupTask } from './group-task.ts';
import { choosesPlans } from './plan-choice.ts';
import type { ChosenPlan } from './plan-search.ts';
import * as T from './text.ts';

const DETOUR_REMARK = ' (detour)';

export interface TakenSteps {
  readonly steps: readonly PlanStep[];
  readonly wasBalanced: boolean;
  readonly mending?: MendingFacts;
  readonly chosen?: ChosenPlan;
}

type Take = (step: PlanStep, remark?: string) => void;

export async function takeSteps(task: GroupTask, search: StepSearch): Promise<TakenSteps> {
  const { options, limits, snapshot, scope, say, optimum } = task;
  const { score } = task.before;
  if (!options.onlyRules && isBalanced(score, optimum, limits)) {
    say(T.alreadyBalanced(score, optimum, options.minScore));
    return { steps: [], wasBalanced: true };
  }
  // A group without nodes has no places to choose among.
  const isChosen = choosesPlans(options) && scope.nodes.length > 0;
  if (!options.onlyRules && !isChosen) say(T.SEARCH_START);
  const widths = T.stepWidths(snapshot, scope.instances, scope.nodes);
  const steps: PlanStep[] = [];
  const take: Take = (step, remark) => {
    steps.push(step);
    say(T.stepLine(snapshot, step, steps.length, widths, remark));
  };
  const found = { steps, wasBalanced: false };
  if (options.onlyRules) return { ...found, mending: await takeMending(task, search, take) };
  if (isChosen) return { ...found, chosen: await takeChosen(task, search, take) };
  await takeGreedy(task, search, take);
  return found;
}

async function takeChosen(task: GroupTask, search: StepSearch, take: Take): Promise<ChosenPlan> {
  const { options, limits, spent, snapshot, scope, say } = task;
  const { choosePlan } = await import('./plan-search.ts');
  const part = new GroupParts(snapshot).of(snapshot.nodes[scope.nodes[0]!]!.group);
  const chosen = await interruptible(options, (stop) => {
    // Who reads that the search has begun may end it.
    say(T.SEARCH_START);
    return choosePlan(part, limits, options, stop, spent);
  });
  if (searchOf(options) === 'deep' && options.verbosity > 0)
    say((await import('./curve-text.ts')).curveText(chosen));
  for (const step of chosen.steps) {
    search.apply(step);
    take(step, step.isDetour ? DETOUR_REMARK : undefined);
  }
  return chosen;
}

async function takeMending(
  { options, limits, state, scope }: GroupTask,
  search: StepSearch,
  take: Take,
): Promise<MendingFacts> {
  const [{ mendingFacts }, { deepOptionsOf }] = await Promise.all([
    import('../../explain/mending.ts'),
    import('../shared/groups/group-search.ts'),
  ]);
  const progress = new Progress(!options.json);
  const instances = scope.nodes.reduce((sum, n) => sum + state.primaries[n]!.length, 0);
  const deep = deepOptionsOf(options, instances, progress);
  const facts = mendingFacts(state, search.scorer, limits, take, deep);
  progress.done();
  return facts;
}

async function takeGreedy(
  { options, limits, state, scope }: GroupTask,
  search: StepSearch,
  take: Take,
): Promise<void> {
  const stopThreads = await helpWithThreads(search, usefulThreads(search, options.jobs));
  const progress = new Progress(!options.json);
  let taken = 0;
  for (const step of balanceSteps(state, scope.nodes, limits, search)) {
    take(step);
    taken++;
    progress.at(() => `step ${taken}, score ${step.score.toFixed(4)}`);
  }
  progress.done();
  await stopThreads();
}

/**
 * A search that Ctrl-C ends with what it has found so far; a second Ctrl-C ends the program. Where the plan
 * would be carried out the first does: no job is begun behind it.
 * @param work told to end by shared memory that is no longer 0
 */
async function interruptible<T>(
  { exec }: GroupTask['options'],
  work: (stop: Int32Array) => Promise<T>,
): Promise<T> {
  const stop = int32(1);
  if (exec) return work(stop);
  const onInterrupt = (): void => {
    Atomics.store(stop, 0, 1);
    printErr('Ending the search with the best plan so far; once more to leave at once\n');
  };
  process.once('SIGINT', onInterrupt);
  try {
    return await work(stop);
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}
