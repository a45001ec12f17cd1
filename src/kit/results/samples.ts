/** Tables of figures: what a document has for Prometheus. */
import { tallied } from '../grouped.ts';
import type { Family, Labels, Sample } from '../report/prometheus.ts';

const BYTES_PER_MIB = 1024 * 1024;

/** A figure of a document. null: there is none, shown as not a number; undefined: not shown. */
type Figure = number | boolean | null | undefined;

/** Figures that differ in one label, under its name and by its values. */
type Divided = Readonly<Record<string, Readonly<Record<string, Figure>>>>;

/**
 * Name without its prefix; one sentence; what it is of one. What a name calls bytes is stated in MiB.
 * Samples that are made by hand have all their labels.
 */
type Row<T> = readonly [
  name: string,
  help: string,
  read: (one: T) => Figure | Divided | readonly (readonly [labels: Labels, value: Figure])[],
];

const sample = (name: string, labels: Labels, figure: Figure): readonly Sample[] => {
  if (figure === undefined) return [];
  const value = figure === null ? Number.NaN : Number(figure);
  return [{ labels, value: name.endsWith('_bytes') ? value * BYTES_PER_MIB : value }];
};

function samplesOf(name: string, labels: Labels, value: ReturnType<Row<never>[2]>): readonly Sample[] {
  if (value === null || typeof value !== 'object') return sample(name, labels, value);
  if (Array.isArray(value)) return value.flatMap(([own, figure]) => sample(name, own, figure));
  return Object.entries(value as Divided).flatMap(([label, figures]) =>
    Object.entries(figures).flatMap(([of, figure]) => sample(name, { ...labels, [label]: of }, figure)),
  );
}

/** A family for each row, with the samples of each of a list. */
export const figuresOf = <T>(
  prefix: string,
  list: readonly T[],
  labelsOf: (one: T) => Labels,
  ...rows: readonly Row<T>[]
): readonly Family[] =>
  rows.map(([name, help, read]) => ({
    name: `${prefix}_${name}`,
    help,
    samples: list.flatMap((one) => samplesOf(name, labelsOf(one), read(one))),
  }));

/** The same of a document as a whole. */
export const figures = <T>(prefix: string, document: T, ...rows: readonly Row<T>[]): readonly Family[] =>
  figuresOf(prefix, [document], () => ({}), ...rows);

export const countsOf = (values: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(tallied(values));
