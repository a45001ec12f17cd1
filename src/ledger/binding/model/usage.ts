/** Use of a pod: JSON of any shape; each object with a total and what is used or free is a metric. */
import type { InputProblem } from '../../../kit/faults.ts';
import { shownJson } from '../../../kit/json/shown-json.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Usage as it is kept: what is not a metric in it is kept, too, and means nothing here. */
export type Usage = { readonly [name: string]: Json };

/** One figure that can run out. `total` and `used` in the same unit, whichever; both at least 0. */
export interface Metric {
  /** Its place in the usage: `memory`, or `nova.memory`. */
  readonly name: string;
  readonly total: number;
  readonly used: number;
}

type JsonObject = { readonly [name: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isMetric = (value: JsonObject): boolean =>
  value.total !== undefined && (value.used !== undefined || value.free !== undefined);

const MAX_DEPTH = 8;

function* walk(value: JsonObject, place: string, depth: number): Generator<readonly [string, JsonObject]> {
  for (const [name, inner] of Object.entries(value)) {
    if (!isObject(inner)) continue;
    const path = place === '' ? name : `${place}.${name}`;
    if (isMetric(inner)) yield [path, inner];
    else if (depth < MAX_DEPTH) yield* walk(inner, path, depth + 1);
  }
}

const usedOf = ({ total, used, free }: JsonObject): Json => used ?? (total as number) - (free as number);

/** The metrics in a usage that `usageProblems` found right, in its order. Unmeasured (null) has none. */
export function metricsOf(usage: Usage | null): readonly Metric[] {
  if (usage === null) return [];
  return [...walk(usage, '', 0)].map(([name, value]) => ({
    name,
    total: value.total as number,
    used: usedOf(value) as number,
  }));
}

/** No figure of a pod is larger: what is computed from some of them is still finite. */
export const MOST = 1e100;

export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MOST;

/** Levels of a usage that are kept; what is far deeper could not be written again. */
const MOST_LEVELS = 64;

const isWithin = (value: Json, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1)));

/** What is wrong with a usage; `place` is put in front of the fields. */
export function usageProblems(value: unknown, place: string): readonly InputProblem[] {
  const usage = value as Json;
  if (usage === null) return [];
  const bad = (problem: string, remedy: string) => [
    { field: place, value: shownJson(usage), problem, remedy },
  ];
  const right = 'write {"memory": {"total": 1000, "used": 100}}';
  if (!isObject(usage)) return bad('a usage is an object, or null when nothing is measured', right);
  if (!isWithin(usage, MOST_LEVELS)) return bad(`is nested more than ${MOST_LEVELS} levels deep`, right);
  const metrics = [...walk(usage, '', 0)];
  if (metrics.length === 0) return bad('has no metric', `${right}; null when nothing is measured`);
  const known = new Set<string>();
  const misnamed = metrics.flatMap(([name]) => {
    if (name === '') return bad('has a metric without a name, of which no limit could speak', 'name it');
    if (!known.has(name)) {
      known.add(name);
      return [];
    }
    return bad(`has two metrics that are ${name}: one in levels, one with the dot in its name`, 'rename one');
  });
  if (misnamed.length > 0) return misnamed;
  return metrics.flatMap(([name, { total, used, free }]) => {
    // More than all cannot be free; used may be more where room is promised twice.
    const mostFree = isAmount(total) ? total : MOST;
    const figures = [
      ['total', total, MOST],
      used === undefined ? (['free', free, mostFree] as const) : (['used', used, MOST] as const),
    ] as const;
    return figures
      .filter(([, figure, most]) => !isAmount(figure) || figure > most)
      .map(([key, figure, most]) => ({
        field: `${place}.${name}.${key}`,
        value: shownJson(figure!),
        problem: `is not a number from 0 to ${most}`,
        remedy: 'give one',
      }));
  });
}

/** The same usage with so much more used of some metrics; those that it has not are left out. */
export function withMoreUsed(usage: Usage, more: Readonly<Record<string, number>>): Usage {
  const copy = structuredClone(usage);
  for (const [name, metric] of walk(copy, '', 0)) {
    if (!Object.hasOwn(more, name)) continue;
    const amount = more[name]!;
    Object.assign(metric, { used: (usedOf(metric) as number) + amount });
    if (metric.free !== undefined) Object.assign(metric, { free: (metric.free as number) - amount });
  }
  return copy;
}
