/** The metrics of a scorer as the tables of coefficients show them; no rows where nothing is scored. */
import { METRICS } from '../../../model/score/metrics.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import type { Coefficient } from '../plan/steps.ts';

export const coefficientsOf = (scorer: Scorer): Coefficient[] =>
  scorer.isEmpty
    ? []
    : METRICS.map(({ name, weight }, metric) => ({ name, weight, value: scorer.values[metric]! }));
