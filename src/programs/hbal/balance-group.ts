/** Balancing one group and saying so: what hbal does once, or for each group of a cluster. */

import type { ProgramOptions } from '../../cli/options/command-options.ts';
import { printErr } from '../../cli/output.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { optimalScore } from '../../model/score/scorer.ts';
import { groupScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { balanceSteps } from '../../planners/balance/steps/balance.ts';
import { StepSearch } from '../../planners/balance/steps/step-search.ts';
import { isBalanced } from '../../planners/balance/stop-rule.ts';
import { Progress } from '../../report/progress.ts';
import { planLimitsOf } from '../shared/balance/balance-options.ts';
import { startThreads } from '../shared/balance/threads.ts';
import { groupHealth } from '../shared/groups/group-health.ts';
import { coefficientsOf } from '../shared/listings/coefficients.ts';
import { listings } from '../shared/listings/listings.ts';
import { assertPlan } from '../shared/plan/assert-plan.ts';
import * as S from '../shared/plan/steps.ts';
import { hbalJson } from './json.ts';
import * as T from './text.ts';

/** What there is to balance, and how. */
export interface Balancing {
  readonly options: ProgramOptions<'hbal'>;
  readonly limits: BalanceOptions;
  readonly snapshot: Snapshot;
  /** The state that the steps are taken on; groups are balanced one after another on the same. */
  readonly state: ClusterState;
  readonly say: (text: string) => void;
  /** Said between the end of the search and the tables: commands and saved states, which are one's own for a single group. */
  readonly atEnd: (steps: readonly PlanStep[], nodes: readonly number[]) => void;
}

/** A balanced group. */
export interface BalancedGroup {
  readonly steps: readonly PlanStep[];
  /** For `--json`. */
  readonly document: () => object;
}

/** Balances one group. @throws InternalError when the plan does not stand up to the checker */
export async function balanceGroup(balancing: Balancing, group: number): Promise<BalancedGroup> {
  const { options, limits: balanceOptions, snapshot, state, say } = balancing;
  const { verbosity } = options;
  const { name } = snapshot.groups[group]!;
  const scope = groupScope(snapshot, group);
  const search = new StepSearch(state, scope.nodes, balanceOptions);
  const { scorer } = search;
  const initialScore = scorer.score;
  const initialMetrics = coefficientsOf(scorer);
  const optimum = optimalScore(state, scope.nodes);
  const health = groupHealth(state, scope);
  const freeBefore = T.freeOf(state, scope.nodes);
  say(T.groupText(name, scope, health, options.ignoreSoftErrors, verbosity));
  if (!options.json) printErr(listings(options, state, scope, 'Initial', 'Initial cluster'));
  say(T.scoreText(scorer, verbosity));

  const wasBalanced = isBalanced(initialScore, optimum, balanceOptions);
  const steps: PlanStep[] = [];
  if (wasBalanced) say(S.alreadyBalanced(initialScore, optimum, options.minScore));
  else {
    say(S.searchStart());
    const widths = S.stepWidths(snapshot, scope.instances, scope.nodes);
    const stopThreads = await startThreads(options, search);
    const progress = new Progress(!options.json);
    for (const step of balanceSteps(state, scope.nodes, balanceOptions, search)) {
      steps.push(step);
      say(S.stepLine(snapshot, step, steps.length, widths));
      progress.at(() => `step ${steps.length}, score ${step.score.toFixed(4)}`);
    }
    progress.done();
    await stopThreads();
  }
  const limits = planLimitsOf(balanceOptions);
  const finalScore = steps.at(-1)?.score ?? initialScore;
  const plan: Plan = { start: snapshot, nodes: scope.nodes, limits, initialScore, finalScore, steps };
  assertPlan(plan);
  if (!wasBalanced) {
    say(T.endText(initialScore, scorer, steps.length, verbosity));
    balancing.atEnd(steps, scope.nodes);
    if (!options.json) printErr(listings(options, state, scope, 'Final', 'Final cluster'));
    say(T.resourcesText(freeBefore, T.freeOf(state, scope.nodes), verbosity));
  }
  const finalMetrics = coefficientsOf(scorer);
  const facts = {
    group: name,
    scope,
    health,
    optimum,
    minScore: options.minScore,
    initialMetrics,
    finalMetrics,
    wasBalanced,
  };
  const withTables = options.printNodes !== undefined || options.printInstances;
  return { steps, document: () => hbalJson(plan, facts, state, withTables) };
}
