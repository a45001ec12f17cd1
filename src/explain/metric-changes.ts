/** What a change of placement does to each metric of the score. */
import { METRICS } from '../model/score/metrics.ts';
import type { Scorer } from '../model/score/scorer.ts';
import type { MetricChange } from './record.ts';

/** The values now, to be compared later. */
export const metricValues = (scorer: Scorer): Float64Array => Float64Array.from(scorer.values);

/** The metrics that differ, the largest gain first; none where nothing is scored. */
export function metricChanges(scorer: Scorer, before: Float64Array, after: Float64Array): MetricChange[] {
  if (scorer.isEmpty) return [];
  const changes = METRICS.flatMap(({ name, weight }, m): MetricChange[] => {
    if (Object.is(before[m], after[m])) return [];
    const gain = weight * (before[m]! - after[m]!);
    return [{ metric: name, weight, before: before[m]!, after: after[m]!, gain, share: null }];
  });
  const total = changes.reduce((sum, { gain }) => sum + gain, 0);
  return changes
    .map((change) => ({ ...change, share: total === 0 ? null : change.gain / total }))
    .sort((a, b) => b.gain - a.gain);
}
