/** Short ways to families of samples. */
import type { Family, Labels, Sample } from '../report/prometheus.ts';

const BYTES_PER_MIB = 1024 * 1024;

/** A figure of a document; what has no value is not a number. */
export type Figure = number | null | undefined | boolean;

export const sample = (value: Figure, labels: Labels = {}): Sample => ({
  labels,
  value: value === null || value === undefined ? Number.NaN : Number(value),
});

/** MiB as bytes. */
export const bytes = (mib: number | null | undefined, labels: Labels = {}): Sample =>
  sample(mib === null || mib === undefined ? mib : mib * BYTES_PER_MIB, labels);

export const family = (name: string, help: string, ...samples: readonly Sample[]): Family => ({
  name,
  help,
  samples,
});

/** One sample for each of a list. */
export const each = <T>(
  name: string,
  help: string,
  list: readonly T[],
  sampleOf: (one: T) => Sample | readonly Sample[],
): Family => ({ name, help, samples: list.flatMap(sampleOf) });
