/**
 * Prometheus' text format 0.0.4: families with HELP and TYPE, a sample a line. Names are
 * `evenkeel_PROGRAM_WHAT_UNIT` in base units: bytes, seconds, shares from 0 to 1 (`_ratio`).
 */

/** Labels of a sample; undefined ones are left out. */
export type Labels = Readonly<Record<string, string | undefined>>;

export interface Sample {
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
