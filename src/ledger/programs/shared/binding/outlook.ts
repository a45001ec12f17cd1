/** What is still to come of a book, the same for hbind and hplaced: a forecast, and a day that is played. */
import type { Book } from '../../../binding/book/book.ts';
import { forecastPod, forecastQueues, type PodForecast } from '../../../binding/forecast/forecast.ts';
import type { Policy } from '../../../binding/model/pod.ts';
import { type DayEvent, simulateDay } from '../../../binding/simulate/simulate.ts';
import { currentOfTenants } from '../../../binding/tables/bindings.ts';
import { measuresSince } from '../../../binding/tables/changes.ts';
import { allPods } from '../../../binding/tables/pods.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';

/** When all pods, and those that take over from each other, are full if they grow on as they did lately. */
export const forecastOf = ({ store, now }: Book, spanMs: number) =>
  store.read(async (session) => {
    const at = now();
    const pods: PodForecast[] = [];
    // One by one: there may be readings of every minute.
    for (const pod of await allPods(session))
      pods.push(forecastPod(pod, await measuresSince(session, pod.id, at - spanMs), at));
    return { pods, queues: forecastQueues(pods, at) };
  });

/** A day on copies of the pods. @param stated what differs from the book's policy */
export const playDay = ({ store, cache, now }: Book, events: readonly DayEvent[], stated: Partial<Policy>) =>
  store.read(async (session) => {
    const tenants = new Set(events.flatMap((event) => (event.kind === 'request' ? [event.tenant] : [])));
    const registry = await readRegistry(session);
    const pods = await cache.all(session, registry);
    const bindings = await currentOfTenants(session, [...tenants]);
    const policy = { ...registry.policy, ...stated };
    return { policy, ...simulateDay(pods, bindings, policy, registry.keys, events, now()) };
  });
