/** The metrics of a scorer as the tables of coefficients show them; no rows where nothing is scored. */
import { METRICS } from '../../../model/score/metrics.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import type { Coefficient } from '../plan/steps.ts';

export const coefficientsOf = (scorer: Scorer): Coefficient[] =>
  scorer.isEmpty
    ? []
    : METRICS.map(({ name }, metric) => ({
        name,
        weight: scorer.state.weights[metric]!,
        value: scorer.values[metric]!,
      }));
