/**
 * Reads measured loads: JSON lines (`{"instance": "web1", "time": 1735689600, "cpu": 0.5, "memory": 0.2}`),
 * or what Prometheus answers to a query (instant or over a range). Source: HTTP API of Prometheus,
 * "Expression query result formats".
 */
import * as z from 'zod/mini';
import { ProblemList } from '../../../kit/files/problem-list.ts';
import { decodeUtf8 } from '../../../kit/files/utf8.ts';
import { readJson } from '../../../kit/json/json-document.ts';
import { shorten } from '../../../kit/printable.ts';
import { isIn, LOAD, rangeWords } from '../../../kit/ranges.ts';
import { readMoment } from '../../../kit/report/moments.ts';
import { readDouble } from '../../../kit/text/numbers.ts';
import { MS_PER_S } from '../../../kit/units.ts';
import { complain, WORDS } from '../parts/schema-words.ts';
import type { LoadResource, LoadSample } from './samples.ts';

export interface LoadFile {
  readonly path: string;
  /** What the values of a Prometheus answer are; undefined: its label `resource` says it. */
  readonly resource: LoadResource | undefined;
  /** Label that names the instance. */
  readonly label: string;
}

/** Names of resources in files; `memory` is `mem` as in `-U`. */
const RESOURCES: Readonly<Record<string, LoadResource>> = {
  cpu: 'cpu',
  memory: 'mem',
  mem: 'mem',
  disk: 'disk',
  net: 'net',
};

export const resourceNamed = (text: string): LoadResource | undefined =>
  Object.hasOwn(RESOURCES, text) ? RESOURCES[text] : undefined;

const number = z.number().check(z.gte(LOAD.min), z.lte(LOAD.max));
const LINE = z
  .strictObject({
    instance: z.string().check(z.minLength(1)),
    time: z.optional(z.union([z.number(), z.string()])),
    cpu: z.optional(number),
    memory: z.optional(number),
    mem: z.optional(number),
    disk: z.optional(number),
    net: z.optional(number),
  })
  .check(z.refine(({ mem, memory }) => mem === undefined || memory === undefined, 'says memory twice'));

const LINE_REMEDY = 'write one object a line, such as {"instance": "web1", "cpu": 0.5}';

const sample = z.tuple([z.number(), z.string()]);
const ANSWER = z.object({
  status: z.literal('success'),
  data: z.object({
    resultType: z.enum(['vector', 'matrix']),
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        value: z.optional(sample),
        values: z.optional(z.array(sample)),
      }),
    ),
  }),
});

/** @throws InputError with everything that cannot be read */
export function readSamples(content: Uint8Array, file: LoadFile): readonly LoadSample[] {
  const text = decodeUtf8(content, file.path);
  const problems = new ProblemList(file.path);
  const whole = readJson(text).value;
  const isAnswer = typeof whole === 'object' && whole !== null && 'status' in whole;
  const samples = isAnswer ? ofAnswer(whole, file, problems) : ofLines(text, file, problems);
  problems.throwIfAny();
  return samples;
}

function ofLines(text: string, { resource: only }: LoadFile, problems: ProblemList): LoadSample[] {
  const samples: LoadSample[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = readJson(line).value;
    if (value === undefined) {
      problems.add({ line: at + 1, value: shorten(line), problem: 'this is not JSON', remedy: LINE_REMEDY });
      continue;
    }
    const read = LINE.safeParse(value, WORDS);
    if (!read.success) {
      complain(problems, read.error, LINE_REMEDY, { line: at + 1 });
      continue;
    }
    const { instance, time: moment, ...loads } = read.data;
    const time = typeof moment === 'string' ? readMoment(moment) / MS_PER_S : moment;
    if (Number.isNaN(time)) {
      problems.add({
        line: at + 1,
        field: 'time',
        value: String(moment),
        problem: 'is no moment',
        remedy: 'write seconds since 1970, or 2026-01-31T12:00:00Z',
      });
      continue;
    }
    for (const [member, load] of Object.entries(loads)) {
      const resource = RESOURCES[member]!;
      if (load !== undefined && (only === undefined || only === resource))
        samples.push({ instance, resource, time, value: load });
    }
  }
  return samples;
}

function ofAnswer(
  whole: { readonly status: unknown; readonly error?: unknown },
  file: LoadFile,
  problems: ProblemList,
): LoadSample[] {
  if (typeof whole.error === 'string') {
    const remedy = 'mend the query, and ask again';
    problems.add({ field: 'error', value: whole.error, problem: 'Prometheus could not answer', remedy });
    return [];
  }
  const read = ANSWER.safeParse(whole, WORDS);
  if (!read.success) {
    complain(problems, read.error, 'give what Prometheus answers to a query, instant or over a range');
    return [];
  }
  return read.data.data.result.flatMap(({ metric, value, values }, at) => {
    const field = `data.result.${at}.metric`;
    const instance = metric[file.label];
    if (instance === undefined) {
      const labels = Object.keys(metric).join(', ');
      problems.add({
        field,
        problem: `has no label '${file.label}'; there are ${labels || 'none'}`,
        remedy: 'name the one that has the names of instances with --load-label',
      });
      return [];
    }
    const resource = file.resource ?? resourceNamed(metric.resource ?? '');
    if (resource === undefined) {
      problems.add({
        field,
        problem: 'does not say what was measured',
        remedy: `say it with the file: --load cpu=${file.path}`,
      });
      return [];
    }
    return [...(values ?? []), ...(value ? [value] : [])].flatMap(([time, text]): LoadSample[] => {
      // Prometheus has NaN where a rate cannot be told: no sample.
      if (text === 'NaN') return [];
      const load = readDouble(text) ?? Number.NaN;
      if (isIn(load, LOAD)) return [{ instance, resource, time, value: load }];
      const problem = `${instance}: '${text}' is not a load`;
      problems.add({ field, value: text, problem, remedy: `give ${rangeWords(LOAD)}` });
      return [];
    });
  });
}
