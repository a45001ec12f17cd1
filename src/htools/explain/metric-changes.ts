/** What a change of placement does to each metric of the score. */
import { METRICS } from '../model/score/metrics.ts';
import type { Scorer } from '../model/score/scorer.ts';
import type { MetricChange } from '../results/parts/explanation.ts';

/** Those that differ, the largest gain first. @param weightsBefore where metrics weighed something else */
export function metricChanges(
  { isEmpty, state: { weights } }: Scorer,
  before: Float64Array,
  after: Float64Array,
  weightsBefore = weights,
): MetricChange[] {
  if (isEmpty) return [];
  const changes = METRICS.flatMap(({ name }, m): MetricChange[] => {
    const weight = weights[m]!;
    const weightBefore = weightsBefore[m]!;
    const isReweighted = weight !== weightBefore;
    const gain = isReweighted
      ? weightBefore * before[m]! - weight * after[m]!
      : weight * (before[m]! - after[m]!);
    if (Object.is(before[m], after[m]) && (!isReweighted || gain === 0)) return [];
    const one = { metric: name, weight, before: before[m]!, after: after[m]!, gain, share: null };
    return [isReweighted ? { ...one, weightBefore } : one];
  });
  const total = changes.reduce((sum, { gain }) => sum + gain, 0);
  return changes
    .map((change) => ({ ...change, share: total === 0 ? null : change.gain / total }))
    .sort((a, b) => b.gain - a.gain);
}
