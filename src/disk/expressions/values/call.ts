/** A function being called: its arguments, taken as it needs them, and what is said of a wrong kind. */
import { type Budget, Place } from './budget.ts';
import {
  type Collection,
  Dict,
  ExpressionError,
  isCollection,
  isNumber,
  kindOf,
  Lazy,
  type Value,
} from './value.ts';

/** An argument that is evaluated when it is needed: once, or for each item of a collection. */
export interface Operand {
  readonly offset: number;
  /** Its value where the call stands. */
  value(): Value;
  /** Its value with `items` as `$1` (which is `$`), `$2`, ... */
  apply(...items: readonly Value[]): Value;
}

/** `key => value`, neither evaluated yet. */
interface Pair {
  readonly key: Operand;
  readonly value: Operand;
}

type CallStyle = 'function' | 'method' | 'both';

export interface FunctionDefinition {
  /** `f(x, ...)`, `x.f(...)`, or both. */
  readonly style: CallStyle;
  /** Least and largest number of arguments; what a method is called on counts. */
  readonly arity: readonly [min: number, max: number];
  /** All arguments are written `key => value`. */
  readonly takesPairs?: true;
  /**
   * From this place on arguments are evaluated for each item, or only when they are chosen. The others always
   * are, so that a mistake in them is one.
   */
  readonly expressionsFrom?: number | undefined;
  readonly run: (call: Call) => Value;
}

/** How many arguments: so many, or from the least to the most; and from which on they are expressions. */
type Takes = number | readonly [min: number, max: number, expressionsFrom?: number];

const defined =
  (style: CallStyle) =>
  (takes: Takes, run: FunctionDefinition['run']): FunctionDefinition => {
    const [min, max, expressionsFrom] = typeof takes === 'number' ? [takes, takes] : takes;
    return { style, arity: [min, max], expressionsFrom, run };
  };
export const plain = defined('function');
export const method = defined('method');
export const both = defined('both');
/** A method whose argument is an expression over the items. */
export const over = (run: FunctionDefinition['run']): FunctionDefinition => method([2, 2, 1], run);

/** From a collection, item by item; that it is one is looked at now, not when the first item is asked for. */
export const lazy = (
  style: typeof method,
  takes: Takes,
  run: (call: Call) => Generator<Value, void>,
): FunctionDefinition =>
  style(takes, (call) => {
    call.collection(0);
    return call.lazy(run(call));
  });

export const ofPairs = (run: FunctionDefinition['run']): FunctionDefinition => ({
  ...plain(0, run),
  takesPairs: true,
});

/** There is no most of its arguments. */
export const ANY = Number.POSITIVE_INFINITY;

export type FunctionTable = Readonly<Record<string, FunctionDefinition>>;

const INDEX_END = 2n ** 53n;

export class Call extends Place {
  constructor(
    readonly name: string,
    offset: number,
    budget: Budget,
    readonly operands: readonly Operand[],
    readonly pairs: readonly Pair[],
    /** The first operand is what it is called on. */
    readonly isMethod: boolean,
  ) {
    super(offset, budget);
  }

  get count(): number {
    return this.operands.length;
  }

  value(at: number): Value {
    return this.operands[at]!.value();
  }

  optional(at: number): Value | undefined {
    return this.operands[at]?.value();
  }

  text(at: number): string {
    const value = this.value(at);
    return typeof value === 'string' ? value : this.refuse(at, 'a string', value);
  }

  /** @returns undefined when it is left out or null. */
  optionalText(at: number): string | undefined {
    const value = this.optional(at) ?? null;
    if (value === null || typeof value === 'string') return value ?? undefined;
    return this.refuse(at, 'a string', value);
  }

  /** An integer that counts or points at something, or `otherwise` when it is left out. */
  integer(at: number, otherwise?: number): number {
    if (otherwise !== undefined && at >= this.count) return otherwise;
    const value = this.value(at);
    if (typeof value !== 'bigint') return this.refuse(at, 'an integer', value);
    if (value >= INDEX_END || value <= -INDEX_END) return this.fail(`${value} is out of range`);
    return Number(value);
  }

  size(at: number): number {
    const size = this.integer(at);
    return size < 0 ? this.fail(`${this.name}() takes no negative number`) : size;
  }

  number(at: number): bigint | number {
    const value = this.value(at);
    return isNumber(value) ? value : this.refuse(at, 'a number', value);
  }

  collection(at: number): Collection {
    const value = this.value(at);
    return isCollection(value) ? value : this.refuse(at, 'a list', value);
  }

  mapping(at: number): Dict {
    const value = this.value(at);
    return value instanceof Dict ? value : this.refuse(at, 'a mapping', value);
  }

  *items(at: number): Generator<Value, void> {
    for (const item of this.collection(at)) {
      this.step();
      yield item;
    }
  }

  /** A collection made by and by; its places are counted. */
  lazy(items: Iterable<Value>): Lazy {
    return new Lazy(this.counted(items));
  }

  private *counted(items: Iterable<Value>): Generator<Value, void> {
    for (const item of items) {
      this.room(1);
      yield item;
    }
  }

  /** A list of what is there already. */
  list(items: Iterable<Value>): readonly Value[] {
    return [...this.lazy(items)];
  }

  private refuse(at: number, wanted: string, value: Value): never {
    throw new ExpressionError(
      `${this.name}() takes ${wanted}, not ${kindOf(value)}`,
      this.operands[at]!.offset,
    );
  }
}
