/**
 * Typed reading of JSON, with the stock programs' messages. No schema library: hail starts for every
 * placement.
 */
import { InputError, type ValueFault } from '../faults.ts';
import { itemFault, nameFault } from '../name-faults.ts';
import { type Range, rangeFault } from '../ranges.ts';
import { isObject, type JsonObject, type JsonValue, mapMembers } from './json-value.ts';
import { shownJson } from './shown-json.ts';

/** Beyond it whole numbers are no longer exact; nothing that a cluster counts comes near. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

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
    throw this.fault(key, `${this.prefix}key '${key}' not found, object contains only [${names.join(',')}]`);
  }

  /** A whole number; fractions are rounded, halves to the even one. */
  int(key: string): number {
    const value = this.object[key];
    return Number.isSafeInteger(value) ? (value as number) : this.roundedInt(key, this.value(key));
  }

  private roundedInt(key: string, value: JsonValue): number {
    if (typeof value !== 'number') throw this.unreadable(key, 'Unable to read Int', value);
    const rounded = roundHalfEven(value);
    if (Math.abs(rounded) > MAX_NUMBER) throw this.unreadable(key, 'the number is too large', value);
    return rounded;
  }

  double(key: string): number {
    const value = this.object[key] ?? this.value(key);
    if (typeof value !== 'number') throw this.unreadable(key, 'Unable to read Double', value);
    if (Math.abs(value) > MAX_NUMBER) throw this.unreadable(key, 'the number is too large', value);
    return value;
  }

  intIn(key: string, range: Range): number {
    return this.within(key, this.int(key), range);
  }

  doubleIn(key: string, range: Range): number {
    return this.within(key, this.double(key), range);
  }

  private within(key: string, value: number, range: Range): number {
    const fault = value >= range.min && value <= range.max ? undefined : rangeFault(value, range);
    if (!fault) return value;
    const problem = `${this.prefix}key '${key}': the number ${fault.problem}`;
    throw jsonFault(this.source, problem, key, value, fault.remedy);
  }

  boolean(key: string): boolean {
    const value = this.object[key] ?? this.value(key);
    if (typeof value !== 'boolean') throw this.unreadable(key, 'Unable to read Bool', value);
    return value;
  }

  /** A string; a list of single characters is one too, as in the stock reader. */
  string(key: string, wanted = 'Unable to read String'): string {
    const value = this.object[key] ?? this.value(key);
    if (typeof value === 'string') return value;
    return this.characters(key, value, wanted);
  }

  private characters(key: string, value: JsonValue, wanted: string): string {
    if (!Array.isArray(value)) throw this.unreadable(key, wanted, value);
    const isText = value.every((item) => typeof item === 'string' && [...item].length === 1);
    if (!isText) throw this.unreadable(key, wanted.replace('String', 'Char'), value);
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
    const problem = `${this.prefix}key '${key}': ${JSON.stringify(text)} ${fault.problem}`;
    throw jsonFault(this.source, problem, key, text, fault.remedy);
  }

  /** A string that may be missing or null. */
  optionalString(key: string): string | undefined {
    return this.has(key) ? this.string(key) : undefined;
  }

  /** One of a fixed set of words; `type` names the set in messages. */
  word<T extends string>(key: string, type: string, words: readonly T[]): T {
    return this.oneOf(
      key,
      this.string(key, `Can't parse value for '${type}': Unable to read String`),
      type,
      words,
    );
  }

  words<T extends string>(key: string, type: string, words: readonly T[]): T[] {
    return this.list(key).map((item) => {
      if (typeof item !== 'string')
        throw this.unreadable(key, `Can't parse value for '${type}': Unable to read String`, item);
      return this.oneOf(key, item, type, words);
    });
  }

  private oneOf<T extends string>(key: string, text: string, type: string, words: readonly T[]): T {
    if ((words as readonly string[]).includes(text)) return text as T;
    throw this.unreadable(key, `Invalid string value for type ${type}: ${JSON.stringify(text)}`, text);
  }

  list(key: string): JsonValue[] {
    const value = this.object[key] ?? this.value(key);
    if (!Array.isArray(value)) throw this.unreadable(key, 'Unable to read list', value);
    return value;
  }

  strings(key: string): string[] {
    const items = this.list(key);
    for (const item of items)
      if (typeof item !== 'string') return items.map((one) => this.listedString(key, one));
    return items as string[];
  }

  private listedString(key: string, item: JsonValue): string {
    return typeof item === 'string' ? item : this.characters(key, item, 'Unable to read String');
  }

  /** A member that is an object; `what` begins the messages about it. */
  record(key: string, what: string): JsonRecord {
    const value = this.object[key] ?? this.value(key);
    if (!isObject(value)) throw this.unreadable(key, 'Unable to read JSObject', value);
    return new JsonRecord(this.source, value, what);
  }

  /** A list of objects, with the looser words that the stock programs have for disks and nics. */
  looseRecords(key: string, isAnonymous: boolean): JsonRecord[] {
    const value = this.value(key);
    if (!Array.isArray(value))
      throw this.fault(key, `Invalid input, expected array but got ${shownJson(value)}`, value);
    return value.map((item) =>
      isAnonymous ? asRecord(this.source, item) : asRecord(this.source, item, this.what, this.name),
    );
  }

  /** A member that is an object; anything else is `not an object`, without a word on where. */
  looseRecord(key: string): JsonRecord {
    return asRecord(this.source, this.value(key), this.what, this.name);
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
    throw this.fault(superfluous[0]!, this.prefix + problem);
  }

  /** The fault for a member's value, for who knows more of it than its kind. */
  unreadable(key: string, problem: string, value: JsonValue): InputError {
    return this.fault(key, `${this.prefix}key '${key}': ${problem}`, value);
  }

  private fault(key: string, problem: string, value?: JsonValue): InputError {
    return jsonFault(this.source, problem, key, value);
  }
}

/** @throws InputError `not an object`. */
export function asRecord(source: string, value: JsonValue, what?: string, name?: string): JsonRecord {
  if (!isObject(value)) throw jsonFault(source, 'not an object', undefined, value);
  return new JsonRecord(source, value, what, name);
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
