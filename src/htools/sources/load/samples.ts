/** Samples of load over time, whatever they were read from, and how many become one value. Pure. */
import { groupedBy } from '../../../kit/grouped.ts';
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

function smoothed(samples: readonly LoadSample[], statistic: LoadStatistic): number {
  const values = samples.map(({ value }) => value);
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
  const recent = samples.filter(({ time }) => time === undefined || time >= oldest);
  const ofInstance = (own: readonly LoadSample[]): Partial<Utilisation> => {
    const byResource = groupedBy(own, ({ resource }) => resource);
    return Object.fromEntries([...byResource].map(([resource, all]) => [resource, smoothed(all, statistic)]));
  };
  const byInstance = groupedBy(recent, ({ instance }) => instance);
  return new Map([...byInstance].map(([instance, own]) => [instance, ofInstance(own)]));
}
