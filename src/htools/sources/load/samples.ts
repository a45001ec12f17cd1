/** Samples of load over time, whatever they were read from, and how many become one value. Pure. */
import type { Utilisation } from '../../cluster/snapshot.ts';

export type LoadResource = keyof Utilisation;

export interface LoadSample {
  readonly instance: string;
  readonly resource: LoadResource;
  /** Seconds since 1970; undefined: of no time, so always within a window. */
  readonly time: number | undefined;
  readonly value: number;
}

/** `mean`: the mean of the samples; `p95`: the value that 95 % of them do not exceed (nearest rank). */
export type LoadStatistic = 'mean' | 'p95';

/** Loads of an instance; what was not measured is not there. */
export type MeasuredLoads = ReadonlyMap<string, Partial<Utilisation>>;

const P95 = 0.95;

function smoothed(values: readonly number[], statistic: LoadStatistic): number {
  if (statistic === 'mean') return values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.toSorted((a, b) => a - b)[Math.ceil(P95 * values.length) - 1]!;
}

/** One value an instance and resource. @param windowSeconds before the newest sample; older are left out */
export function smoothedLoads(
  samples: readonly LoadSample[],
  statistic: LoadStatistic,
  windowSeconds: number | undefined,
): MeasuredLoads {
  const newest = samples.reduce(
    (latest, { time }) => Math.max(latest, time ?? latest),
    Number.NEGATIVE_INFINITY,
  );
  const oldest = windowSeconds === undefined ? Number.NEGATIVE_INFINITY : newest - windowSeconds;
  const values = new Map<string, Map<LoadResource, number[]>>();
  for (const { instance, resource, time, value } of samples) {
    if (time !== undefined && time < oldest) continue;
    const own = values.get(instance) ?? new Map<LoadResource, number[]>();
    const list = own.get(resource) ?? [];
    list.push(value);
    values.set(instance, own.set(resource, list));
  }
  return new Map(
    [...values].map(([instance, own]) => [
      instance,
      Object.fromEntries([...own].map(([resource, list]) => [resource, smoothed(list, statistic)])),
    ]),
  );
}
