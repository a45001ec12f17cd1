import { isAtLimit, type Limits, limitOf } from '../model/limits.ts';
import type { Pod } from '../model/pod.ts';
import type { Metric } from '../model/usage.ts';
import type { Filter } from './filter.ts';

function limitWords(metric: Metric, limits: Limits): string {
  const limit = limitOf(limits, metric.name);
  return 'free' in limit ? `head room ${limit.free}` : `limit ${limit.share}`;
}

/** Why a pod is exhausted. */
export function exhaustionWords({ metrics, limits, verdict }: Pod): string {
  if (verdict && !verdict.fits) {
    const why = verdict.why === undefined ? '' : ` (${verdict.why})`;
    return `${verdict.by}: not one more instance of ${verdict.size} fits${why}`;
  }
  const full = verdict ? [] : metrics.filter((metric) => isAtLimit(metric, limits));
  if (full.length === 0) return `was exhausted, opens again at ${limits.reopen}`;
  return full
    .map((metric) => `${metric.name}: ${metric.used} of ${metric.total} used, ${limitWords(metric, limits)}`)
    .join('; ');
}

/** Pods that have reached a threshold, or are full to the capacity planner; none that are not measured. */
export const exhaustion: Filter = {
  name: 'exhausted',
  refusal: (pod) => (pod.isExhausted ? { why: exhaustionWords(pod), reason: 'exhausted' } : undefined),
};
