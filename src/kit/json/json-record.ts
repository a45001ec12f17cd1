/**
 * Typed reading of JSON, with the stock programs' messages. What is wrong is noted and something of its kind
 * is given in its place, so that all of it is told together. No schema library: hail starts for every
 * placement.
 */
import type { ValueFault } from '../faults.ts';
import { ProblemList } from '../files/problem-list.ts';
import { itemFault, nameFault } from '../name-faults.ts';
import { type Range, rangeFault } from '../ranges.ts';
import { isObject, type JsonObject, type JsonValue, mapMembers } from './json-value.ts';
import { shownJson } from './shown-json.ts';

/** What should be there where a kind of value, by the stock programs' name for it, is not there. */
const KINDS = {
  Int: 'a whole number',
  Double: 'a number',
  Bool: 'true or false',
  String: 'a text',
  Char: 'single characters',
  list: 'a list',
  JSObject: 'an object',
} as const;

/** One object of the document. What is missing, or of another kind, is a problem. */
export class JsonRecord {
  /**
   * @param what, name whose object this is; messages begin with them (`what 'name': `). Two parts, because
   *   joining them for each of ten thousand instances would cost more than checking the instances.
   */
  constructor(
    readonly problems: ProblemList,
    readonly object: JsonObject,
    private readonly what: string = '',
    private readonly name?: string,
  ) {}

  /** What stands in front of each message, with its colon and blank; may be empty. */
  get prefix(): string {
    if (this.what === '') return '';
    return this.name === undefined ? `${this.what}: ` : `${this.what} '${this.name}': `;
  }

  /** The same object, with messages that name no owner. */
  anonymous(): JsonRecord {
    return new JsonRecord(this.problems, this.object);
  }

  has(key: string): boolean {
    const value = this.object[key];
    return value !== undefined && value !== null;
  }

  /** @returns undefined for what is not there, which is then told */
  value(key: string): JsonValue | undefined {
    const value = this.object[key];
    if (value === undefined) {
      const names = mapMembers(this.object, (name) => JSON.stringify(name));
      const problem = `${this.prefix}key '${key}' not found, object contains only [${names.join(',')}]`;
      this.complain(problem, key, undefined, 'add it');
    }
    return value;
  }

  /** A whole number; fractions are rounded, halves to the even one. */
  intIn(key: string, range: Range): number {
    return this.asInt(key, this.value(key), range);
  }

  /** The same of a value that the member holds. */
  asInt(key: string, value: JsonValue | undefined, range: Range): number {
    if (typeof value !== 'number') return this.notA('Int', key, value, 0);
    return this.within(key, Number.isSafeInteger(value) ? value : roundHalfEven(value), range);
  }

  doubleIn(key: string, range: Range): number {
    const value = this.value(key);
    return typeof value === 'number' ? this.within(key, value, range) : this.notA('Double', key, value, 0);
  }

  private within(key: string, value: number, range: Range): number {
    const fault = rangeFault(value, range);
    if (fault) this.unreadable(key, `the number ${fault.problem}`, value, fault.remedy);
    return value;
  }

  boolean(key: string, instead = false): boolean {
    const value = this.value(key);
    return typeof value === 'boolean' ? value : this.notA('Bool', key, value, instead);
  }

  string(key: string): string {
    return this.text(key) ?? '';
  }

  /** A string; a list of single characters is one too, as in the stock reader. Undefined = there is none. */
  text(key: string): string | undefined {
    return this.asText(key, this.value(key));
  }

  private asText(key: string, value: JsonValue | undefined, words = ''): string | undefined {
    if (typeof value === 'string') return value;
    if (!Array.isArray(value)) return this.notA('String', key, value, undefined, words);
    const isText = value.every((item) => typeof item === 'string' && [...item].length === 1);
    return isText ? value.join('') : this.notA('Char', key, value, undefined, words);
  }

  nameText(key: string): string {
    return this.checked(key, this.value(key), nameFault) ?? '';
  }

  items(key: string): string[] {
    return this.list(key).flatMap((item) => this.checked(key, item, itemFault) ?? []);
  }

  private checked(
    key: string,
    value: JsonValue | undefined,
    faultOf: (text: string) => ValueFault | undefined,
  ): string | undefined {
    const text = this.asText(key, value);
    const fault = text === undefined ? undefined : faultOf(text);
    if (fault) this.unreadable(key, `${JSON.stringify(text)} ${fault.problem}`, text!, fault.remedy);
    return text;
  }

  optionalString(key: string): string | undefined {
    return this.has(key) ? this.string(key) : undefined;
  }

  /** One of a fixed set of words; `type` names the set in messages. */
  word<T extends string>(key: string, type: string, words: readonly T[]): T {
    return this.asWord(key, this.value(key), type, words);
  }

  words<T extends string>(key: string, type: string, words: readonly T[]): T[] {
    return this.list(key).map((item) => this.asWord(key, item, type, words));
  }

  private asWord<T extends string>(
    key: string,
    value: JsonValue | undefined,
    type: string,
    words: readonly T[],
  ): T {
    const text = this.asText(key, value, `Can't parse value for '${type}': `);
    if (text === undefined) return words[0]!;
    if ((words as readonly string[]).includes(text)) return text as T;
    const problem = `Invalid string value for type ${type}: ${JSON.stringify(text)}`;
    this.unreadable(key, problem, text, `it should be one of ${words.join(', ')}`);
    return words[0]!;
  }

  list(key: string): JsonValue[] {
    const value = this.value(key);
    return Array.isArray(value) ? value : this.notA('list', key, value, []);
  }

  strings(key: string): string[] {
    return this.list(key).flatMap((item) => this.asText(key, item) ?? []);
  }

  /** A member that is an object; `what` begins the messages about it. */
  record(key: string, what: string): JsonRecord {
    const value = this.value(key);
    return isObject(value)
      ? new JsonRecord(this.problems, value, what)
      : this.notA('JSObject', key, value, nothing());
  }

  /** A list of objects, with the looser words that the stock programs have for disks and nics. */
  looseRecords(key: string, isAnonymous: boolean): JsonRecord[] {
    const value = this.value(key);
    if (Array.isArray(value))
      return value.map((item) =>
        isAnonymous
          ? asRecord(this.problems, item, key)
          : asRecord(this.problems, item, key, this.what, this.name),
      );
    if (value !== undefined) {
      const problem = `Invalid input, expected array but got ${shownJson(value)}`;
      this.complain(problem, key, value, 'it should be a list');
    }
    return [];
  }

  /** A member that is an object; anything else is `not an object`, without a word on where. */
  looseRecord(key: string): JsonRecord {
    return asRecord(this.problems, this.value(key), key, this.what, this.name);
  }

  allowOnly(names: readonly string[]): void {
    const superfluous = Object.keys(this.object).filter((name) => !names.includes(name));
    if (superfluous.length === 0) return;
    const show = (list: readonly string[]) =>
      `[${[...list]
        .sort()
        .map((name) => JSON.stringify(name))
        .join(',')}]`;
    const problem = `Superfluous dictionary keys: ${show(superfluous)}, but only ${show(names)} allowed.`;
    this.complain(this.prefix + problem, superfluous[0]!, undefined, 'leave it out');
  }

  /** The problem of a member's value, for who knows more of it than its kind. */
  unreadable(key: string, problem: string, value: JsonValue, remedy: string): void {
    this.complain(`${this.prefix}${this.about(key)}: ${problem}`, key, value, remedy);
  }

  protected about(key: string): string {
    return `key '${key}'`;
  }

  /**
   * The value is of another kind; undefined is not told again.
   * @param words of the stock programs ahead of theirs for that
   */
  notA<T>(kind: keyof typeof KINDS, key: string, value: JsonValue | undefined, instead: T, words = ''): T {
    if (value !== undefined)
      this.unreadable(key, `${words}Unable to read ${kind}`, value, `it should be ${KINDS[kind]}`);
    return instead;
  }

  complain(problem: string, field: string, value: JsonValue | undefined, remedy: string): void {
    addProblem(this.problems, problem, field, value, remedy);
  }
}

export const addProblem = (
  problems: ProblemList,
  problem: string,
  field?: string,
  value?: JsonValue,
  remedy?: string,
): void =>
  problems.add({ problem, field, value: value === undefined ? undefined : shownJson(value), remedy });

/** In place of an object that is not there: nobody hears what is missing in it. */
export const nothing = (): JsonRecord => new JsonRecord(new ProblemList(''), {});

/** @param key of the member that it is in or, without a name, of itself */
export function asRecord(
  problems: ProblemList,
  value: JsonValue | undefined,
  key: string | undefined,
  what?: string,
  name?: string,
): JsonRecord {
  if (isObject(value)) return new JsonRecord(problems, value, what, name);
  const field = [name, key].filter((one) => one !== undefined).join('.');
  if (value !== undefined) addProblem(problems, 'not an object', field, value, 'it should be an object');
  return nothing();
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
