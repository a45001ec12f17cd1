/** Replays a plan: what each step does to the score, and what would be better but for a rule. */
import { InternalError } from '../../kit/faults.ts';
import { ClusterState } from '../model/state/state.ts';
import { moveCost } from '../plan/cost.ts';
import { jobSets } from '../plan/jobs.ts';
import type { Plan } from '../plan/plan.ts';
import type { BalanceOptions } from '../planners/balance/options.ts';
import type { PlanExplanation, StepExplanation } from '../results/parts/explanation.ts';
import { candidateFacts, Look } from './look.ts';
import { metricChanges } from './metric-changes.ts';

/** @param looksAtEach for what rules forbade, which takes far longer than the step; else after the last */
export function explainPlan(
  plan: Plan,
  options: BalanceOptions,
  onStep: (step: number) => void = () => {},
  looksAtEach = true,
): PlanExplanation {
  const { start, nodes } = plan;
  const look = new Look(new ClusterState(start), nodes, options);
  const { scorer } = look;
  const setOf = new Map(
    jobSets(start, plan.steps).flatMap((set, at) => set.map(({ step }) => [step, at + 1] as const)),
  );
  const first = scorer.values;
  const steps = plan.steps.map((step, at): StepExplanation => {
    const scoreBefore = scorer.score;
    const before = scorer.values;
    // What lowers no score is no better than a step that raises it, to mend a rule or to make room.
    const refused = looksAtEach ? look.refusedBelow(Math.min(step.score, scoreBefore)) : [];
    if (!look.take(step)) throw new InternalError(`step ${at + 1} is refused when it is explained`);
    onStep(at + 1);
    return {
      ...candidateFacts(start, step, scoreBefore, step.score),
      step: at + 1,
      scoreBefore,
      metrics: metricChanges(scorer, before, scorer.values),
      cost: moveCost(plan, step),
      jobSet: setOf.get(step)!,
      refused,
    };
  });
  return {
    group: start.groups[start.nodes[nodes[0]!]!.group]!.name,
    initialScore: plan.initialScore,
    finalScore: plan.finalScore,
    metrics: metricChanges(scorer, first, scorer.values),
    steps,
    refusedAtEnd: look.refusedBelow(scorer.score - options.minGain),
    instancesNotLookedAt: look.notLookedAt,
  };
}
