/** A day as JSON: a list of events, or one on each line. All faults are told at once. */
import { InputError, type InputProblem } from '../../../../kit/faults.ts';
import { shownJson } from '../../../../kit/json/shown-json.ts';
import { readMoment } from '../../../../kit/report/moments.ts';
import { isName, NAME_RULE, POD_STATES, type PodState } from '../../../binding/model/pod.ts';
import { isAmount, MOST, type Usage, usageProblems } from '../../../binding/model/usage.ts';
import type { DayEvent } from '../../../binding/simulate/simulate.ts';

type Fields = Readonly<Record<string, unknown>>;

const REQUEST_FIELDS = ['at', 'tenant', 'kind', 'az', 'specs', 'need'];
const POD_FIELDS = ['at', 'pod', 'usage', 'state'];
const EXAMPLE = '{"at": "2026-01-01T08:00:00Z", "tenant": "t1", "need": {"memory": 512}}';
const FORM = `write a list of events, or one on each line: ${EXAMPLE}`;

export function readEvents(text: string, source: string): readonly DayEvent[] {
  const problems: InputProblem[] = [];
  const events = documents(text, source, problems).flatMap((document) => eventOf(document, problems) ?? []);
  problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  if (problems.length > 0) throw new InputError(source, problems);
  return events;
}

interface Document {
  readonly value: unknown;
  readonly line?: number;
  /** Where in the list; empty for a line. */
  readonly place: string;
}

/** @param problems gets the lines that are no JSON @throws {InputError} for a list that is none */
function documents(text: string, source: string, problems: InputProblem[]): readonly Document[] {
  if (text.trimStart().startsWith('[')) {
    const list = parsedJson(text, source, FORM) as readonly unknown[];
    return list.map((value, at) => ({ value, place: `[${at}]` }));
  }
  return text.split('\n').flatMap((one, at) => {
    if (one.trim() === '') return [];
    try {
      return [{ value: parsedJson(one, source, FORM, at + 1), line: at + 1, place: '' }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
}

/** @param remedy what is right. @throws {InputError} */
export function parsedJson(text: string, source: string, remedy: string, line?: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const problem = `is not JSON: ${(error as Error).message}`;
    throw new InputError(source, [{ line, problem, remedy }]);
  }
}

/** @param problems gets what is wrong with it */
function eventOf({ value, line, place }: Document, problems: InputProblem[]): DayEvent | undefined {
  const before = problems.length;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fault('', value, 'is not an event', `write ${EXAMPLE}`);
  const fields = value as Fields;
  if ('pod' in fields) return podEvent();
  refuseOthers(REQUEST_FIELDS);
  const tenant = name('tenant', false);
  const at = time();
  checkKind();
  const event = {
    at,
    kind: 'request' as const,
    tenant,
    az: name('az', true),
    specs: pairs('specs', 'a text', (one): one is string => typeof one === 'string'),
    need: pairs('need', `a number from 0 to ${MOST}`, isAmount),
  };
  return problems.length > before ? undefined : event;

  function podEvent(): DayEvent | undefined {
    refuseOthers(POD_FIELDS);
    const pod = name('pod', false);
    const at = time();
    const hasUsage = 'usage' in fields;
    if (hasUsage === 'state' in fields)
      return fault('', undefined, 'an event of a pod has either its usage or its state', 'give one of them');
    if (hasUsage) {
      for (const problem of usageProblems(fields.usage, `${place}usage`)) problems.push({ line, ...problem });
      return { at, kind: 'usage', pod, usage: fields.usage as Usage | null };
    }
    if (!(POD_STATES as readonly unknown[]).includes(fields.state))
      return fault('state', fields.state, `is none of ${POD_STATES.join(', ')}`, 'give one of them');
    return { at, kind: 'state', pod, state: fields.state as PodState };
  }

  function refuseOthers(names: readonly string[]): void {
    for (const name of Object.keys(fields))
      if (!names.includes(name))
        fault(name, fields[name], 'is not a field of an event', `these are: ${names.join(', ')}`);
  }

  function time(): number | null {
    const { at } = fields;
    if (at === undefined || at === null) return null;
    const ms = typeof at === 'string' ? readMoment(at) : Number.NaN;
    if (Number.isNaN(ms)) fault('at', at, 'is not a time', 'write it as 2026-01-01T08:00:00Z');
    return ms;
  }

  /** The kind is for the people who read the file. */
  function checkKind(): void {
    const { kind } = fields;
    if (kind !== undefined && kind !== 'instance' && kind !== 'volume')
      fault('kind', kind, 'is neither instance nor volume', 'give one of them, or leave it out');
  }

  function name(key: string, isOptional: boolean): string {
    const value = fields[key];
    if (isOptional && (value === undefined || value === '')) return '';
    if (typeof value === 'string' && isName(value)) return value;
    fault(key, value, value === undefined ? 'is missing' : 'is not a name', NAME_RULE);
    return '';
  }

  function pairs<T>(
    key: string,
    what: string,
    isRight: (value: unknown) => value is T,
  ): Readonly<Record<string, T>> {
    const value = fields[key] ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      fault(key, value, 'is not an object', 'write names and what they have: {"memory": 512}');
      return {};
    }
    for (const [name, one] of Object.entries(value))
      if (!isRight(one)) fault(`${key}.${name}`, one, `is not ${what}`, 'give one');
    return value as Readonly<Record<string, T>>;
  }

  function fault(field: string, value: unknown, problem: string, remedy: string): undefined {
    const path = [place, field].filter((part) => part !== '').join('.');
    problems.push({
      line,
      field: path === '' ? undefined : path,
      value: value === undefined ? undefined : shownJson(value),
      problem,
      remedy,
    });
    return undefined;
  }
}
