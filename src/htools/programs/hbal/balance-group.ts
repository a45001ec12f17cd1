/** Balancing one group and saying so: what hbal does once, or for each group of a cluster. */

import { InternalError } from '../../../kit/faults.ts';
import { printErr } from '../../../kit/report/output.ts';
import { Progress } from '../../../kit/report/progress.ts';
import { ALLOWED } from '../../cluster/refusal.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { MendingFacts, PlanExplanation } from '../../explain/record.ts';
import { coefficientsOf } from '../../explain/state/coefficients.ts';
import { groupHealth } from '../../explain/state/group-health.ts';
import { applyMove } from '../../model/moves/apply.ts';
import { optimalScore, type Scorer } from '../../model/score/scorer.ts';
import { groupScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import { nodesOfStep } from '../../plan/step.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { balanceSteps } from '../../planners/balance/steps/balance.ts';
import { StepSearch } from '../../planners/balance/steps/step-search.ts';
import { isBalanced, StopRule } from '../../planners/balance/stop-rule.ts';
import { planLimitsOf } from '../shared/balance/balance-options.ts';
import { startThreads } from '../shared/balance/threads.ts';
import { nodesJson, tablesJson } from '../shared/listings/json.ts';
import { figuresOf, listings } from '../shared/listings/listings.ts';
import { assertPlan } from '../shared/steps/assert-plan.ts';
import * as S from '../shared/steps/steps.ts';
import { boundOf, boundText } from './bound.ts';
import { curveText } from './curve-text.ts';
import { hbalJson } from './json.ts';
import { choosesPlans } from './plan-choice.ts';
import { planEnd } from './plan-end.ts';
import { type ChosenPlan, choosePlan } from './plan-search.ts';
import { priceOf, priceText } from './price.ts';
import * as T from './text.ts';

/** Verbosity from which on the price of greedy steps is said. */
const PRICE_VERBOSITY = 2;
const DETOUR_REMARK = ' (detour)';

/** What there is to balance, and how. */
export interface Balancing {
  readonly options: ProgramOptions<'hbal'>;
  readonly limits: BalanceOptions;
  readonly snapshot: Snapshot;
  /** The state that the steps are taken on; groups are balanced one after another on the same. */
  readonly state: ClusterState;
  readonly say: (text: string) => void;
  /**
   * Said between the end of the search and the tables: commands and saved states, which are one's own for a
   * single group.
   */
  readonly atEnd: (steps: readonly PlanStep[], nodes: readonly number[]) => void;
}

type PageNode = ReturnType<typeof nodesJson>[number];

/** A balanced group. */
export interface BalancedGroup {
  readonly steps: readonly PlanStep[];
  /** Positions of the group's nodes. */
  readonly nodes: readonly number[];
  /** What ended the plan, to follow "but". */
  readonly endedBy: string;
  /** No rule is left broken where that was asked for. */
  readonly isMended: boolean;
  /** For `--json`. */
  readonly document: () => ReturnType<typeof hbalJson>;
  /** For `--html`: the document with the why of each step, and the nodes. */
  readonly page:
    | {
        readonly document: ReturnType<typeof hbalJson>;
        readonly nodes: { readonly before: PageNode[]; readonly after: PageNode[] };
      }
    | undefined;
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
  const figures = figuresOf(options);
  const withTables = options.json && (options.printNodes !== undefined || options.printInstances);
  const nodesBefore = options.html === undefined ? undefined : nodesJson(state, scope.nodes, figures);
  const tablesBefore = withTables ? tablesJson(state, scope, figures) : undefined;
  say(T.groupText(name, scope, health, options.ignoreSoftErrors, verbosity));
  if (!options.json) printErr(listings(options, state, scope, 'Initial', 'Initial cluster'));
  say(T.scoreText(scorer, verbosity));

  const wasBalanced = !options.onlyRules && isBalanced(initialScore, optimum, balanceOptions);
  let mending: MendingFacts | undefined;
  const steps: PlanStep[] = [];
  let chosen: ChosenPlan | undefined;
  if (wasBalanced) say(S.alreadyBalanced(initialScore, optimum, options.minScore));
  else {
    if (!options.onlyRules) say(S.searchStart());
    const widths = S.stepWidths(snapshot, scope.instances, scope.nodes);
    const take = (step: PlanStep, remark?: string): void => {
      steps.push(step);
      say(S.stepLine(snapshot, step, steps.length, widths, remark));
    };
    if (options.onlyRules) mending = await takeMending(balancing, scorer, take);
    else if (choosesPlans(options)) chosen = await takeChosen(balancing, scope.nodes, scorer, take);
    else await takeGreedy(balancing, scope.nodes, search, take);
  }
  const limits = { ...planLimitsOf(balanceOptions), ...(options.onlyRules && { mendsRules: true }) };
  const finalScore = steps.at(-1)?.score ?? initialScore;
  // The best placement is no worse than the best that is known.
  const reached = Math.min(initialScore, finalScore);
  const bound = options.bound ? boundOf(snapshot, scope.nodes, balanceOptions, reached) : undefined;
  const plan: Plan = { start: snapshot, nodes: scope.nodes, limits, initialScore, finalScore, steps };
  assertPlan(plan);
  if (!wasBalanced) {
    say(
      mending
        ? await mendedText(mending, steps.length)
        : T.endText(initialScore, scorer, steps.length, verbosity),
    );
    const price = priceText(priceOf(plan, options.bandwidth));
    // Scripts that read greedy's output know no such line.
    if (bound !== undefined) say(boundText(bound, finalScore));
    if (chosen) say(price);
    else if (mending && steps.length > 0) say(price);
    else if (verbosity >= PRICE_VERBOSITY && !options.json) printErr(price);
    balancing.atEnd(steps, scope.nodes);
    if (!options.json) printErr(listings(options, state, scope, 'Final', 'Final cluster'));
    say(T.resourcesText(freeBefore, T.freeOf(state, scope.nodes), verbosity));
  }
  // A page tells the why of each step, asked or not.
  const isExplained = options.explainSteps || options.html !== undefined;
  const explanation = isExplained ? await explained(plan, balanceOptions, options) : undefined;
  if (explanation && options.explainSteps) say(explanation.text);
  const finalMetrics = coefficientsOf(scorer);
  const facts = {
    explanation: options.explainSteps ? explanation?.facts : undefined,
    mending,
    group: name,
    scope,
    health,
    optimum,
    minScore: options.minScore,
    initialMetrics,
    finalMetrics,
    freeBefore,
    freeAfter: T.freeOf(state, scope.nodes),
    tables: tablesBefore && { before: tablesBefore, after: tablesJson(state, scope, figures) },
    wasBalanced,
    price: priceOf(plan, options.bandwidth),
    bound,
    choice: chosen && {
      search: options.search,
      seed: options.seed,
      curve: chosen.curve,
      picked: chosen.picked,
    },
  };
  const page = nodesBefore && {
    document: hbalJson(plan, { ...facts, explanation: explanation?.facts }),
    nodes: { before: nodesBefore, after: nodesJson(state, scope.nodes, figures) },
  };
  const isNearBound = !new StopRule(optimum, { ...balanceOptions, maxSteps: -1 }).mayGoOn(0, finalScore);
  return {
    steps,
    nodes: scope.nodes,
    endedBy: planEnd(options, steps.length, wasBalanced || isNearBound),
    isMended: (mending?.after.length ?? 0) === 0,
    document: () => hbalJson(plan, facts),
    page,
  };
}

/** Takes one of several plans on the state. */
async function takeChosen(
  { options, limits, snapshot, state, say }: Balancing,
  nodes: readonly number[],
  scorer: Scorer,
  take: (step: PlanStep, remark?: string) => void,
): Promise<ChosenPlan> {
  const chosen = await choosePlan(snapshot, nodes, limits, options);
  if (options.curve) say(curveText(chosen.curve, chosen.picked));
  for (const step of chosen.steps) {
    const { instance, kind, target } = step;
    const refusal = applyMove(state, instance, kind, target, limits.ignoreSoftErrors);
    if (refusal !== ALLOWED)
      throw new InternalError(`step ${JSON.stringify(step)} is refused when it is taken`);
    scorer.refresh(nodesOfStep(step));
    take(step, step.isDetour ? DETOUR_REMARK : undefined);
  }
  state.journal.commit();
  return chosen;
}

/** Takes the moves that mend what is broken. */
async function takeMending(
  { options, limits, state }: Balancing,
  scorer: Scorer,
  take: (step: PlanStep) => void,
): Promise<MendingFacts> {
  const [{ mendingFacts }, { deepOptionsOf }] = await Promise.all([
    import('../../explain/mending.ts'),
    import('../shared/groups/group-search.ts'),
  ]);
  const progress = new Progress(!options.json);
  const deep = deepOptionsOf(options, groupInstances(state, scorer.nodes), progress);
  const facts = mendingFacts(state, scorer, limits, take, deep && { seed: deep.seed, work: deep.budget });
  progress.done();
  return facts;
}

const groupInstances = (state: ClusterState, nodes: readonly number[]): number =>
  nodes.reduce((sum, n) => sum + state.primaries[n]!.length, 0);

const mendedText = async (facts: MendingFacts, steps: number): Promise<string> =>
  (await import('../shared/questions/broken-rules-text.ts')).mendingText(facts, steps);

/** Takes the greedy steps, each as soon as it is found. */
async function takeGreedy(
  { options, limits, state }: Balancing,
  nodes: readonly number[],
  search: StepSearch,
  take: (step: PlanStep) => void,
): Promise<void> {
  const stopThreads = await startThreads(options, search);
  const progress = new Progress(!options.json);
  let taken = 0;
  for (const step of balanceSteps(state, nodes, limits, search)) {
    take(step);
    taken++;
    progress.at(() => `step ${taken}, score ${step.score.toFixed(4)}`);
  }
  progress.done();
  await stopThreads();
}

/** What `--explain` says about the plan; the code is loaded only for it. */
async function explained(
  plan: Plan,
  balanceOptions: BalanceOptions,
  { json, explainSteps }: Pick<ProgramOptions<'hbal'>, 'json' | 'explainSteps'>,
): Promise<{ readonly facts: PlanExplanation; readonly text: string }> {
  const { explainPlan } = await import('../../explain/explain-plan.ts');
  const { planExplanationText } = await import('../shared/questions/explain-text.ts');
  const progress = new Progress(!json);
  const watch = (step: number): void => progress.at(() => `explaining step ${step}`);
  const facts = explainPlan(plan, balanceOptions, watch, explainSteps);
  progress.done();
  return { facts, text: planExplanationText(facts) };
}
