/** Replays a plan: what each step does to the score, and what would be better but for a rule. */
import { InternalError } from '../../kit/faults.ts';
import { ALLOWED } from '../cluster/refusal.ts';
import { applyMove } from '../model/moves/apply.ts';
import { Scorer } from '../model/score/scorer.ts';
import { ClusterState } from '../model/state/state.ts';
import { moveCost } from '../plan/cost.ts';
import { jobSets } from '../plan/jobs.ts';
import type { Plan } from '../plan/plan.ts';
import { nodesOfStep } from '../plan/step.ts';
import type { BalanceOptions } from '../planners/balance/options.ts';
import { guardFor } from '../planners/balance/steps/n1-guard.ts';
import { CutOuts } from './cut-out.ts';
import { LiftedScan } from './lifted-scan.ts';
import { metricChanges, metricValues } from './metric-changes.ts';
import type { PlanExplanation, StepExplanation } from './record.ts';
import { candidateFacts, type Look, refusedBelow } from './refused-moves.ts';

/** Forbidden moves that are told for each step. */
const MOST_REFUSED = 3;

/**
 * @param plan of one group
 * @param options under which it was made
 * @param onStep is told of each step that is explained
 * @param looksAtEach for what rules forbade, which takes far longer than the step; else after the last
 */
export function explainPlan(
  plan: Plan,
  options: BalanceOptions,
  onStep: (step: number) => void = () => {},
  looksAtEach = true,
): PlanExplanation {
  const { start, nodes } = plan;
  const state = new ClusterState(start);
  const scorer = new Scorer(state, nodes);
  const { ignoreSoftErrors } = options;
  const guard = guardFor(state, nodes, options);
  const scan = new LiftedScan(state, scorer, options);
  const cutOuts = new CutOuts(state);
  const look: Look = { state, scan, cutOuts, guard, ignoreSoftErrors, most: MOST_REFUSED };
  const setOf = new Map(
    jobSets(start, plan.steps).flatMap((set, at) => set.map(({ step }) => [step, at + 1] as const)),
  );
  const first = metricValues(scorer);
  let notLookedAt = 0;
  const steps = plan.steps.map((step, at): StepExplanation => {
    const scoreBefore = scorer.score;
    const before = metricValues(scorer);
    const refused = looksAtEach ? refusedBelow(look, scoreBefore, step.score) : [];
    notLookedAt = Math.max(notLookedAt, scan.notLookedAt);
    const facts = candidateFacts(start, step, scoreBefore, step.score);
    if (applyMove(state, step.instance, step.kind, step.target, ignoreSoftErrors) !== ALLOWED)
      throw new InternalError(`step ${at + 1} is refused when it is explained`);
    state.journal.commit();
    const touched = nodesOfStep(step);
    scorer.refresh(touched);
    scan.refresh(step);
    guard?.refresh(touched);
    onStep(at + 1);
    return {
      ...facts,
      step: at + 1,
      scoreBefore,
      metrics: metricChanges(scorer, before, scorer.values),
      cost: moveCost(plan, step),
      jobSet: setOf.get(step)!,
      refused,
    };
  });
  const refusedAtEnd = refusedBelow(look, scorer.score, scorer.score - options.minGain);
  return {
    group: start.groups[start.nodes[nodes[0]!]!.group]!.name,
    initialScore: plan.initialScore,
    finalScore: plan.finalScore,
    metrics: metricChanges(scorer, first, scorer.values),
    steps,
    refusedAtEnd,
    instancesNotLookedAt: Math.max(notLookedAt, scan.notLookedAt),
  };
}
