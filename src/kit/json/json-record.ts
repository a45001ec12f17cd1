/**
 * Typed reading of JSON, with the stock programs' messages. No schema library: hail starts for every
 * placement.
 */
import { InputError, type ValueFault } from '../faults.ts';
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
type Kind = keyof typeof KINDS;

export function jsonFault(
  source: string,
  problem: string,
  field?: string,
  value?: JsonValue,
  remedy?: string,
): InputError {
  const text = value === undefined ? undefined : shownJson(value);
  return new InputError(source, [{ problem, field, value: text, remedy }]);
}

/** One object of the document. Readers throw InputError for a value that is missing or of another kind. */
export class JsonRecord {
  /**
   * @param what, name whose object this is; messages begin with them (`what 'name': `). Two parts, because
   *   joining them for each of ten thousand instances would cost more than checking the instances.
   */
  constructor(
    readonly source: string,
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
    return new JsonRecord(this.source, this.object);
  }

  has(key: string): boolean {
    const value = this.object[key];
    return value !== undefined && value !== null;
  }

  value(key: string): JsonValue {
    const value = this.object[key];
    if (value !== undefined) return value;
    const names = mapMembers(this.object, (name) => JSON.stringify(name));
    const problem = `${this.prefix}key '${key}' not found, object contains only [${names.join(',')}]`;
    throw this.fault(key, problem, undefined, 'add it');
  }

  /** A whole number; fractions are rounded, halves to the even one. */
  intIn(key: string, range: Range): number {
    return this.asInt(key, this.object[key] ?? this.value(key), range);
  }

  /** The same of a value that the member holds. */
  asInt(key: string, value: JsonValue, range: Range): number {
    if (typeof value !== 'number') throw this.notA('Int', key, value);
    return this.within(key, Number.isSafeInteger(value) ? value : roundHalfEven(value), range);
  }

  doubleIn(key: string, range: Range): number {
    const value = this.object[key] ?? this.value(key);
    if (typeof value !== 'number') throw this.notA('Double', key, value);
    return this.within(key, value, range);
  }

  private within(key: string, value: number, range: Range): number {
    const fault = rangeFault(value, range);
    if (!fault) return value;
    throw this.unreadable(key, `the number ${fault.problem}`, value, fault.remedy);
  }

  boolean(key: string): boolean {
    const value = this.object[key] ?? this.value(key);
    if (typeof value !== 'boolean') throw this.notA('Bool', key, value);
    return value;
  }

  /** A string; a list of single characters is one too, as in the stock reader. */
  string(key: string, words = ''): string {
    return this.text(key, this.object[key] ?? this.value(key), words);
  }

  private text(key: string, value: JsonValue, words = ''): string {
    if (typeof value === 'string') return value;
    if (!Array.isArray(value)) throw this.notA('String', key, value, words);
    const isText = value.every((item) => typeof item === 'string' && [...item].length === 1);
    if (!isText) throw this.notA('Char', key, value, words);
    return value.join('');
  }

  nameText(key: string): string {
    const name = this.string(key);
    this.refuseText(key, name, nameFault(name));
    return name;
  }

  /** A list of tags, networks and the like. */
  items(key: string): string[] {
    const items = this.strings(key);
    for (const item of items) this.refuseText(key, item, itemFault(item));
    return items;
  }

  private refuseText(key: string, text: string, fault: ValueFault | undefined): void {
    if (!fault) return;
    throw this.unreadable(key, `${JSON.stringify(text)} ${fault.problem}`, text, fault.remedy);
  }

  /** A string that may be missing or null. */
  optionalString(key: string): string | undefined {
    return this.has(key) ? this.string(key) : undefined;
  }

  /** One of a fixed set of words; `type` names the set in messages. */
  word<T extends string>(key: string, type: string, words: readonly T[]): T {
    return this.oneOf(key, this.string(key, `Can't parse value for '${type}': `), type, words);
  }

  words<T extends string>(key: string, type: string, words: readonly T[]): T[] {
    return this.list(key).map((item) => {
      if (typeof item !== 'string') throw this.notA('String', key, item, `Can't parse value for '${type}': `);
      return this.oneOf(key, item, type, words);
    });
  }

  private oneOf<T extends string>(key: string, text: string, type: string, words: readonly T[]): T {
    if ((words as readonly string[]).includes(text)) return text as T;
    const problem = `Invalid string value for type ${type}: ${JSON.stringify(text)}`;
    throw this.unreadable(key, problem, text, `it should be one of ${words.join(', ')}`);
  }

  list(key: string): JsonValue[] {
    const value = this.object[key] ?? this.value(key);
    if (!Array.isArray(value)) throw this.notA('list', key, value);
    return value;
  }

  strings(key: string): string[] {
    return this.list(key).map((item) => this.text(key, item));
  }

  /** A member that is an object; `what` begins the messages about it. */
  record(key: string, what: string): JsonRecord {
    const value = this.object[key] ?? this.value(key);
    if (!isObject(value)) throw this.notA('JSObject', key, value);
    return new JsonRecord(this.source, value, what);
  }

  /** A list of objects, with the looser words that the stock programs have for disks and nics. */
  looseRecords(key: string, isAnonymous: boolean): JsonRecord[] {
    const value = this.value(key);
    if (!Array.isArray(value))
      throw this.fault(
        key,
        `Invalid input, expected array but got ${shownJson(value)}`,
        value,
        'it should be a list',
      );
    return value.map((item) =>
      isAnonymous ? asRecord(this.source, item, key) : asRecord(this.source, item, key, this.what, this.name),
    );
  }

  /** A member that is an object; anything else is `not an object`, without a word on where. */
  looseRecord(key: string): JsonRecord {
    return asRecord(this.source, this.value(key), key, this.what, this.name);
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
    throw this.fault(superfluous[0]!, this.prefix + problem, undefined, 'leave it out');
  }

  /** The fault for a member's value, for who knows more of it than its kind. */
  unreadable(key: string, problem: string, value: JsonValue, remedy?: string): InputError {
    return this.fault(key, `${this.prefix}${this.about(key)}: ${problem}`, value, remedy);
  }

  /** How messages call a member. */
  protected about(key: string): string {
    return `key '${key}'`;
  }

  /** The value is of another kind. @param words of the stock programs ahead of theirs for that */
  notA(kind: Kind, key: string, value: JsonValue, words = ''): InputError {
    return this.unreadable(key, `${words}Unable to read ${kind}`, value, `it should be ${KINDS[kind]}`);
  }

  private fault(key: string, problem: string, value?: JsonValue, remedy?: string): InputError {
    return jsonFault(this.source, problem, key, value, remedy);
  }
}

/** @param key of the member that it is in or, without a name, of itself @throws InputError `not an object` */
export function asRecord(
  source: string,
  value: JsonValue,
  key: string | undefined,
  what?: string,
  name?: string,
): JsonRecord {
  if (!isObject(value)) {
    const field = [name, key].filter((one) => one !== undefined).join('.');
    throw jsonFault(source, 'not an object', field, value, 'it should be an object');
  }
  return new JsonRecord(source, value, what, name);
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
