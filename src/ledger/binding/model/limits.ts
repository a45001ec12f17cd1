/** When a pod is exhausted, and when it is open again. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { limits, verdict } from '../../results/hbind.ts';
import type { Metric } from './usage.ts';

export type Limits = DocumentOf<typeof limits>;
export type Limit = Limits['metrics'][string];

/** Name of the limit for metrics that have none of their own. */
export const ANY_METRIC = '*';

export const USUAL_LIMITS: Limits = { metrics: { [ANY_METRIC]: { share: 0.9 } }, reopen: null };

/** An answer of the capacity planner: whether one more instance of a size fits. */
export type Verdict = DocumentOf<typeof verdict>;

export const limitOf = ({ metrics }: Limits, metric: string): Limit =>
  (Object.hasOwn(metrics, metric) ? metrics[metric] : undefined) ??
  metrics[ANY_METRIC] ??
  USUAL_LIMITS.metrics[ANY_METRIC]!;

/** used / total; where there is nothing 1 if something is used, else 0. */
export const shareOf = ({ total, used }: Metric): number =>
  total > 0 ? used / total : used > 0 ? Number.POSITIVE_INFINITY : 0;

/** Whether the metric has reached its limit. Both sides are rounded alike: 900 of 1000 is at 0.9. */
export function isAtLimit(metric: Metric, limits: Limits): boolean {
  const limit = limitOf(limits, metric.name);
  return 'free' in limit ? metric.total - metric.used <= limit.free : shareOf(metric) >= limit.share;
}

/** Measured, and of nothing is there any: all nodes are out of service. */
export const hasNothing = (metrics: readonly Metric[]): boolean =>
  metrics.length > 0 && metrics.every(({ total }) => total === 0);

/** Whether a pod is exhausted, given whether it was. The capacity planner's verdict goes before limits. */
export function isExhausted(
  metrics: readonly Metric[],
  limits: Limits,
  verdict: Verdict | null,
  wasExhausted: boolean,
): boolean {
  const isFull = verdict
    ? !verdict.fits
    : hasNothing(metrics) || metrics.some((metric) => isAtLimit(metric, limits));
  if (isFull) return true;
  const { reopen } = limits;
  return wasExhausted && reopen !== null && metrics.some((metric) => shareOf(metric) > reopen);
}
