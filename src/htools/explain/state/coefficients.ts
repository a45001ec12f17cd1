/** The metrics that make up a score. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import { METRICS } from '../../model/score/metrics.ts';
import type { Scorer } from '../../model/score/scorer.ts';
import type { metric } from '../../results/parts/tables.ts';

export type Coefficient = DocumentOf<typeof metric>;

/** One for each metric; none where nothing is scored. */
export const coefficientsOf = (scorer: Scorer): Coefficient[] =>
  scorer.isEmpty
    ? []
    : METRICS.map(({ name }, metric) => ({
        name,
        weight: scorer.state.weights[metric]!,
        value: scorer.values[metric]!,
      }));
