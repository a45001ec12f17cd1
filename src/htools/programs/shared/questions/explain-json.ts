/** Explanations as members of JSON documents: what costs is named as everywhere. */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { PlanExplanation } from '../../../explain/record.ts';
import type { Cost } from '../../../plan/cost.ts';
import type { planExplanation } from '../../../results/parts/explanation.ts';
import { costJson } from '../steps/cost-json.ts';

/** The same with its cost as documents have it. */
export const withCostJson = <T extends { readonly cost: Cost }>(one: T) => ({
  ...one,
  cost: costJson(one.cost),
});

export const explanationJson = (explanation: PlanExplanation): DocumentOf<typeof planExplanation> => ({
  ...explanation,
  steps: explanation.steps.map(withCostJson),
});
