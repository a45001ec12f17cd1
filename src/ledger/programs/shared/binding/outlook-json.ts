/** Forecasts and simulated days as JSON: the same for hbind and hplaced. Times are ISO 8601 in UTC. */
import type { PodForecast, QueueForecast } from '../../../binding/forecast/forecast.ts';
import type { Moment } from '../../../binding/simulate/event.ts';
import type { Day } from '../../../binding/simulate/simulate.ts';

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const firstJson = (first: PodForecast['first']) => first && { ...first, at: time(first.at) };
const momentJson = (moment: Moment | null) => moment && { event: moment.event, at: time(moment.at) };

export const forecastJson = (pods: readonly PodForecast[], queues: readonly QueueForecast[]): object => ({
  pods: pods.map((one) => ({
    ...one,
    metrics: one.metrics.map((metric) => ({ ...metric, at: time(metric.at) })),
    first: firstJson(one.first),
  })),
  queues: queues.map((one) => ({ ...one, first: firstJson(one.first) })),
});

export const dayJson = (day: Day): object => ({
  ...day,
  pods: day.pods.map((pod) => ({ ...pod, exhaustedAt: momentJson(pod.exhaustedAt) })),
  queues: day.queues.map((queue) => ({
    ...queue,
    lastPodAt: momentJson(queue.lastPodAt),
    refusedAt: momentJson(queue.refusedAt),
  })),
});
