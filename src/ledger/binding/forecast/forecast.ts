/** When pods reach their limits if their use goes on growing as it did. Pure. */
import { groupedBy } from '../../../kit/grouped.ts';
import { momentOf } from '../../../kit/report/moments.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { podForecast, queueForecast } from '../../results/hbind.ts';
import { type Limits, limitOf } from '../model/limits.ts';
import { affinityText, type Pod } from '../model/pod.ts';
import type { Metric } from '../model/usage.ts';
import type { Measure } from '../tables/changes.ts';

export const MS_PER_DAY = 86_400_000;

/** Later than this is as good as never, and dates end there. */
const MOST_DAYS = 36_500;

export type PodForecast = DocumentOf<typeof podForecast>;
export type QueueForecast = DocumentOf<typeof queueForecast>;

function limitUse(metric: Metric, limits: Limits): number {
  const limit = limitOf(limits, metric.name);
  return 'free' in limit ? metric.total - limit.free : metric.total * limit.share;
}

/** Readings within less than this say nothing about days. */
const LEAST_SPAN_MS = 3_600_000;

/** Slope of the line with the least squares, a day. */
function growth(points: readonly (readonly [at: number, used: number])[]): number | null {
  const count = points.length;
  if (count < 2 || points.at(-1)![0] - points[0]![0] < LEAST_SPAN_MS) return null;
  const meanAt = points.reduce((sum, [at]) => sum + at, 0) / count;
  const meanUsed = points.reduce((sum, [, used]) => sum + used, 0) / count;
  let above = 0;
  let below = 0;
  for (const [at, used] of points) {
    above += (at - meanAt) * (used - meanUsed);
    below += (at - meanAt) ** 2;
  }
  return (above / below) * MS_PER_DAY;
}

/** When `room` is used up at so much a day, from a moment on and not before `now`. */
function endOf(room: number, perDay: number | null, from: number, now: number): string | null {
  if (perDay === null || perDay <= 0) return null;
  const days = Math.max(0, room) / perDay;
  return days > MOST_DAYS ? null : momentOf(Math.max(now, Math.round(from + days * MS_PER_DAY)));
}

const earliest = (ends: readonly { readonly metric: string; readonly at: string | null }[]) =>
  ends.reduce<PodForecast['first']>(
    (best, { metric, at }) => (at !== null && (best === null || at < best.at) ? { metric, at } : best),
    null,
  );

/** @param measures its readings, oldest first. @param now milliseconds since 1970 */
export function forecastPod(pod: Pod, measures: readonly Measure[], now: number): PodForecast {
  const readings = measures.filter(({ metrics }) => metrics.length > 0);
  const metrics = pod.metrics.map((metric) => {
    const points = readings.flatMap(({ at, metrics: read }) =>
      read.filter(({ name }) => name === metric.name).map(({ used }) => [at, used] as const),
    );
    const limit = limitUse(metric, pod.limits);
    const perDay = growth(points);
    const at = pod.isExhausted ? null : endOf(limit - metric.used, perDay, pod.usageAt ?? now, now);
    return { ...metric, limit, perDay, at };
  });
  return {
    pod: pod.name,
    az: pod.az,
    affinity: pod.affinity,
    isExhausted: pod.isExhausted,
    isOpen: pod.state === 'open',
    readings: readings.length,
    metrics,
    first: earliest(metrics.map(({ name, at }) => ({ metric: name, at }))),
  };
}

export function forecastQueues(pods: readonly PodForecast[], now: number): readonly QueueForecast[] {
  const queues = groupedBy(pods, ({ az, affinity }) => `${az} ${affinityText(affinity)}`);
  return [...queues.values()].map((members): QueueForecast => {
    const taking = members.filter(({ isOpen, isExhausted }) => isOpen && !isExhausted);
    const unmeasured = taking.filter(({ metrics }) => metrics.length === 0).length;
    const names = new Set(taking.flatMap(({ metrics }) => metrics.map(({ name }) => name)));
    const ends = [...names].map((name) => {
      const of = (some: readonly PodForecast[]) =>
        some.flatMap(({ metrics }) => metrics.filter((metric) => metric.name === name));
      const room = of(taking).reduce((sum, { limit, used }) => sum + Math.max(0, limit - used), 0);
      const perDay = of(members).reduce((sum, metric) => sum + Math.max(0, metric.perDay ?? 0), 0);
      return { metric: name, at: unmeasured > 0 ? null : endOf(room, perDay, now, now) };
    });
    const { az, affinity } = members[0]!;
    return { az, affinity, pods: members.length, taking: taking.length, unmeasured, first: earliest(ends) };
  });
}
