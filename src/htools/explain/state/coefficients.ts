/** The metrics that make up a score. */
import { METRICS } from '../../model/score/metrics.ts';
import type { Scorer } from '../../model/score/scorer.ts';
import type { Coefficient } from '../../results/parts/tables.ts';

/** One for each metric; none where nothing is scored. */
export const coefficientsOf = (scorer: Scorer): Coefficient[] =>
  scorer.isEmpty
    ? []
    : METRICS.map(({ name }, metric) => ({
        name,
        weight: scorer.state.weights[metric]!,
        value: scorer.values[metric]!,
      }));
