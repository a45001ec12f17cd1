/**
 * Figures of documents, by tables, and Prometheus' text format 0.0.4: families with HELP and TYPE, a sample a
 * line. Names are `evenkeel_PROGRAM_WHAT_UNIT` in base units: bytes, seconds, shares from 0 to 1 (`_ratio`).
 */
import { tallied } from '../grouped.ts';

/** Labels of a sample; undefined ones are left out. */
export type Labels = Readonly<Record<string, string | undefined>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  /** One sentence; says the unit where the name does not. */
  readonly help: string;
  readonly samples: readonly Sample[];
}

const PREFIX = 'evenkeel_';

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '"': '\\"' };
const escaped = (text: string, these: RegExp): string => text.replace(these, (one) => ESCAPES[one]!);

const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${escaped(value, /[\\\n"]/g)}"`],
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

/** A number as Go's parser reads it. */
const numberText = (value: number): string => {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
};

/** All families; one without samples is left out. All are gauges: a run knows no earlier one. */
export const prometheusText = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, samples }) =>
      [
        `# HELP ${PREFIX}${name} ${escaped(help, /[\\\n]/g)}\n`,
        `# TYPE ${PREFIX}${name} gauge\n`,
        ...samples.map(({ labels, value }) => `${PREFIX}${name}${labelText(labels)} ${numberText(value)}\n`),
      ].join(''),
    )
    .join('');

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

/** As figuresOf, of a document as a whole. */
export const figures = <T>(prefix: string, document: T, ...rows: readonly Row<T>[]): readonly Family[] =>
  figuresOf(prefix, [document], () => ({}), ...rows);

export const countsOf = (values: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(tallied(values));
