/**
 * The columns of a text snapshot: names in file order, ranges and messages, and how a line is read by them.
 * Source: the text backend of htools(1); storage columns are our own.
 */

import type { ProblemList } from '../../../kit/files/problem-list.ts';
import { characterFault, nameFault } from '../../../kit/name-faults.ts';
import {
  COUNT,
  CPU_SPEED,
  FREE_COUNT,
  FREE_MIB,
  LIMIT,
  MIB,
  RATIO,
  type Range,
  rangeFault,
} from '../../../kit/ranges.ts';
import { readDouble, readInt } from '../../../kit/text/numbers.ts';
import {
  ALLOC_POLICIES,
  INSTANCE_STATUSES,
  type InstanceSpec,
  type SpecRange,
} from '../../cluster/snapshot.ts';
import { DISK_TEMPLATES, type DiskTemplate, isDiskTemplate } from '../../cluster/templates.ts';
import type { TextLine } from './text-sections.ts';

/** What makes an issue of a schema: the words after the field's name, and the remedy without its "Maybe". */
interface Complaint {
  readonly problem: string;
  readonly remedy?: string | undefined;
}

type Column<T> = (text: string) => T | Complaint;
export type Columns = Readonly<Record<string, Column<unknown>>>;

type RowOf<C extends Columns> = { readonly [K in keyof C]: Exclude<ReturnType<C[K]>, Complaint> };

interface RowKind<C extends Columns> {
  /** What one line describes: `group`, `node`... */
  readonly item: string;
  readonly readers: C;
  /** Column names in file order. */
  readonly columns: readonly string[];
  /** Columns that may be missing at the end, with what they mean then. */
  readonly defaults: Readonly<Record<string, string>>;
}

const rowKind = <C extends Columns>(
  item: string,
  readers: C,
  defaults: Readonly<Record<string, string>> = {},
): RowKind<C> => {
  return { item, readers, columns: Object.keys(readers), defaults };
};

const isComplaint = (value: unknown): value is Complaint =>
  typeof value === 'object' && value !== null && 'problem' in value;

function readWhole(text: string, range: Range): number | Complaint {
  const value = readInt(text);
  if (value !== undefined) return rangeFault(value, range) ?? value;
  return { problem: 'is not a whole number', remedy: `give ${range.unit} in digits only` };
}

const whole =
  (range: Range): Column<number> =>
  (text) =>
    readWhole(text, range);

const decimal =
  (range: Range): Column<number> =>
  (text) => {
    const value = readDouble(text);
    if (value !== undefined) return rangeFault(value, range) ?? value;
    return { problem: 'is not a number', remedy: `give ${range.unit} as digits, or as in 1.5` };
  };

const oneOf =
  <T extends string>(choices: readonly T[]): Column<T> =>
  (text) =>
    (choices as readonly string[]).includes(text)
      ? (text as T)
      : { problem: 'is none of the known values', remedy: `use one of ${choices.join(', ')}` };

const yesOrNo: Column<boolean> = (text) => {
  if (text === 'Y' || text === 'N') return text === 'Y';
  return { problem: 'is neither Y nor N' };
};

const name: Column<string> = (text) => nameFault(text) ?? text;

/** An empty text is an empty list, as in the stock reader. */
const splitList = (text: string, separator: string): string[] => (text === '' ? [] : text.split(separator));

const list: Column<string[]> = (text) => characterFault(text) ?? splitList(text, ',');
const anything: Column<string> = (text) => text;

const SPEC_FIELDS = ['memoryMib', 'cpuCount', 'diskMib', 'diskCount', 'nicCount', 'spindleUse'] as const;

const spec: Column<InstanceSpec> = (text) => {
  const values = splitList(text, ',');
  if (values.length < SPEC_FIELDS.length) {
    const problem = `has ${values.length} values instead of ${SPEC_FIELDS.length}`;
    return { problem, remedy: 'give memory,cpus,disk,disks,nics,spindles' };
  }
  const found: Partial<Record<keyof InstanceSpec, number>> = {};
  for (const [i, field] of SPEC_FIELDS.entries()) {
    const value = readWhole(values[i]!, LIMIT);
    if (isComplaint(value))
      return { problem: `holds '${values[i]}', which ${value.problem}`, remedy: value.remedy };
    found[field] = value;
  }
  return found as InstanceSpec;
};

const specRanges: Column<SpecRange[]> = (text) => {
  const specs = splitList(text, ';');
  if (specs.length % 2 !== 0) {
    return {
      problem: `has ${specs.length} specs, an odd number`,
      remedy: 'give pairs of minimum and maximum',
    };
  }
  const bounds: InstanceSpec[] = [];
  for (const one of specs) {
    const bound = spec(one);
    if (isComplaint(bound)) return bound;
    bounds.push(bound);
  }
  return bounds.flatMap((min, i): SpecRange[] => (i % 2 === 0 ? [{ min, max: bounds[i + 1]! }] : []));
};

const templates: Column<DiskTemplate[]> = (text) => {
  const names = splitList(text, ',');
  const unknown = names.find((one) => !isDiskTemplate(one));
  if (unknown === undefined) return names as DiskTemplate[];
  return { problem: `holds '${unknown}'`, remedy: `use only ${DISK_TEMPLATES.join(', ')}` };
};

/** A group's line; behind the columns of each stand those that may be missing, with what they mean then. */
export const GROUP = rowKind(
  'group',
  { name, uuid: name, alloc_policy: oneOf(ALLOC_POLICIES), tags: list, networks: list },
  { networks: '' },
);

/** A node's line, when none of its sizes is `?`. */
export const NODE = rowKind(
  'node',
  {
    name,
    total_memory: decimal(MIB),
    node_memory: whole(MIB),
    free_memory: whole(FREE_MIB),
    total_disk: decimal(MIB),
    free_disk: whole(FREE_MIB),
    total_cpus: decimal(COUNT),
    state: anything,
    group: anything,
    spindles: whole(COUNT),
    tags: list,
    exclusive_storage: yesOrNo,
    free_spindles: whole(FREE_COUNT),
    node_cpus: whole(COUNT),
    cpu_speed: decimal(CPU_SPEED),
  },
  { spindles: '1', tags: '', exclusive_storage: 'N', free_spindles: '0', node_cpus: '1', cpu_speed: '1.0' },
);

export const INSTANCE = rowKind(
  'instance',
  {
    name,
    memory: whole(MIB),
    disk: whole(MIB),
    vcpus: whole(COUNT),
    status: oneOf(INSTANCE_STATUSES),
    auto_balance: yesOrNo,
    primary: anything,
    secondary: anything,
    disk_template: oneOf(DISK_TEMPLATES),
    tags: list,
    spindle_use: whole(COUNT),
    spindles: (text: string) => (text === '-' ? undefined : readWhole(text, COUNT)),
    forthcoming: yesOrNo,
  },
  { spindle_use: '1', spindles: '-', forthcoming: 'N' },
);

/** A policy's line; `owner` is empty for the cluster's. */
export const POLICY = rowKind('policy', {
  owner: anything,
  standard: spec,
  ranges: specRanges,
  disk_templates: templates,
  vcpu_ratio: decimal(RATIO),
  spindle_ratio: decimal(RATIO),
});

/** More columns than any version of the format has; the rest of such a line is not looked at. */
const MAX_COLUMNS = 64;

export const splitColumns = (line: TextLine): string[] => line.text.split('|', MAX_COLUMNS);

/** A line's texts by name, with defaults; undefined (and a problem added) when columns are missing. */
export function nameColumns(
  kind: RowKind<Columns>,
  fields: readonly string[],
  line: TextLine,
  problems: ProblemList,
): Record<string, string> | undefined {
  const row: Record<string, string> = {};
  for (let i = 0; i < kind.columns.length; i++) {
    const column = kind.columns[i]!;
    const text = fields[i] ?? kind.defaults[column];
    if (text === undefined) {
      const needed = kind.columns.length - Object.keys(kind.defaults).length;
      const problem = `this ${kind.item} has ${fields.length} columns instead of ${needed} or more`;
      problems.add({
        line: line.number,
        value: line.text,
        problem,
        remedy: `the column '${column}' is missing`,
      });
      return undefined;
    }
    row[column] = text;
  }
  return row;
}

/** A line's checked values; undefined, with each wrong column added to the problems. */
export function checkRow<C extends Columns>(
  kind: RowKind<C>,
  row: Record<string, string>,
  line: TextLine,
  problems: ProblemList,
): RowOf<C> | undefined {
  const values: Record<string, unknown> = {};
  let isRight = true;
  for (const column of kind.columns) {
    const value = kind.readers[column]!(row[column]!);
    values[column] = value;
    if (!isComplaint(value)) continue;
    isRight = false;
    addColumnProblem(problems, kind, line, column, value.problem, value.remedy);
  }
  return isRight ? (values as RowOf<C>) : undefined;
}

export function addColumnProblem(
  problems: ProblemList,
  kind: RowKind<Columns>,
  line: TextLine,
  field: string,
  message: string,
  remedy?: string,
): void {
  const fields = splitColumns(line);
  const at = kind.columns.indexOf(field);
  const column = fields.slice(0, at).reduce((sum, text) => sum + text.length + 1, 1);
  const problem = `${kind.item} '${fields[0]}': ${field} ${message}`;
  problems.add({ line: line.number, column, field, value: fields[at], problem, remedy });
}
