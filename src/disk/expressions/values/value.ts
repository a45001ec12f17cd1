/** The values of expressions. Integers are bigint and floats number: 2 and 2.0 divide differently. */

/** What is wrong with an expression, and where in it; callers make it a problem of the file that has it. */
export class ExpressionError extends Error {
  constructor(
    message: string,
    /** 0-based offset into the expression's text. */
    readonly offset: number,
    /** What to do about it, without "Maybe". */
    readonly remedy?: string,
  ) {
    super(message);
    this.name = 'ExpressionError';
  }
}

/** A collection whose items are made when they are asked for, once. */
export class Lazy implements Iterable<Value> {
  private readonly made: Value[] = [];
  private isComplete = false;

  private readonly source: Iterator<Value>;

  constructor(items: Iterable<Value>) {
    this.source = items[Symbol.iterator]();
  }

  *[Symbol.iterator](): Iterator<Value> {
    for (let at = 0; ; at++) {
      if (at === this.made.length && !this.makeOne()) return;
      yield this.made[at]!;
    }
  }

  private makeOne(): boolean {
    if (this.isComplete) return false;
    const next = this.source.next();
    if (next.done) this.isComplete = true;
    else this.made.push(next.value);
    return !next.done;
  }
}

/** No list, and one thing where `list()` opens others: a sorted collection, the keys of a mapping. */
export class View extends Lazy {}

/** A mapping; keys that compare equal (1, 1.0 and true) are one key, as in the reference. */
export class Dict {
  private readonly byKey = new Map<string, readonly [Value, Value]>();

  constructor(entries: Iterable<readonly [Value, Value]>) {
    for (const [key, value] of entries) {
      const text = keyText(key);
      this.byKey.set(text, [this.byKey.get(text)?.[0] ?? key, value]);
    }
  }

  get size(): number {
    return this.byKey.size;
  }

  has(key: Value): boolean {
    return this.byKey.has(keyText(key));
  }

  /** @returns undefined when there is no such key; a value may be null. */
  get(key: Value): Value | undefined {
    return this.byKey.get(keyText(key))?.[1];
  }

  entries(): IterableIterator<readonly [Value, Value]> {
    return this.byKey.values();
  }
}

type List = readonly Value[];
export type Value = null | boolean | bigint | number | string | List | Dict | Lazy;
export type Collection = List | Lazy;

export const isNumber = (value: Value): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';
export const isList = (value: Value): value is List => Array.isArray(value);
export const isCollection = (value: Value): value is Collection => isList(value) || value instanceof Lazy;

/** The same text for values that compare equal; different ones otherwise. */
export function keyText(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `s${JSON.stringify(value)}`;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : `f${value}`;
  if (value instanceof Dict) {
    const pairs = [...value.entries()].map(([key, item]) => `${keyText(key)}:${keyText(item)}`);
    return `{${pairs.sort().join()}}`;
  }
  return `[${[...value].map(keyText).join()}]`;
}

/** Whether two values are equal: numbers by their value, collections by their items. */
export function isEqual(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeof left === 'number' && Number.isNaN(left)) return false;
  return keyText(left) === keyText(right);
}

/** Null, false, zero and what is empty are false; all else is true. */
export function isTruthy(value: Value): boolean {
  if (value instanceof Dict) return value.size > 0;
  if (value instanceof Lazy) return !value[Symbol.iterator]().next().done;
  if (isList(value)) return value.length > 0;
  return Boolean(value);
}

export function kindOf(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof Dict) return 'a mapping';
  if (isCollection(value)) return 'a list';
  return { boolean: 'a boolean', bigint: 'an integer', number: 'a float', string: 'a string' }[
    typeof value as 'boolean' | 'bigint' | 'number' | 'string'
  ];
}

/**
 * The order of values: numbers by size, texts by character, null before all. NaN with a float that is none.
 * @throws ExpressionError where there is no order
 */
export function order(left: Value, right: Value, offset: number): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  if (isNumber(left) && isNumber(right)) {
    if (left < right) return -1;
    if (left > right) return 1;
    return Number.isNaN(left) || Number.isNaN(right) ? Number.NaN : 0;
  }
  if (typeof left === 'string' && typeof right === 'string') return textOrder(left, right);
  throw new ExpressionError(`${kindOf(left)} and ${kindOf(right)} have no order`, offset);
}

/** By code points, where JavaScript compares halves of characters. */
function textOrder(left: string, right: string): number {
  if (left === right) return 0;
  const others = right[Symbol.iterator]();
  for (const character of left) {
    const other = others.next();
    if (other.done) return 1;
    const difference = character.codePointAt(0)! - other.value.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return -1;
}
