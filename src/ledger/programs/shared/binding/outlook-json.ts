/** Forecasts and simulated days as JSON: the same for hbind and hplaced. Times are ISO 8601 in UTC. */
import type { PodForecast, QueueForecast } from '../../../binding/forecast/forecast.ts';
import type { Moment } from '../../../binding/simulate/event.ts';
import type { Day } from '../../../binding/simulate/simulate.ts';
import { momentOf } from '../access/time-text.ts';

const firstJson = (first: PodForecast['first']) => first && { ...first, at: momentOf(first.at) };
const momentJson = (moment: Moment | null) => moment && { event: moment.event, at: momentOf(moment.at) };

export const forecastJson = (pods: readonly PodForecast[], queues: readonly QueueForecast[]): object => ({
  pods: pods.map((one) => ({
    ...one,
    metrics: one.metrics.map((metric) => ({ ...metric, at: momentOf(metric.at) })),
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
