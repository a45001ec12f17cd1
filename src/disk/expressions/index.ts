/**
 * Expressions over plain data: a subset of the query language YAQL, on its own. Reads no files, knows no
 * time, cannot loop without end; docs/how-to/disk-layout.md has the table of what it understands.
 */
import { evaluateExpression } from './evaluate.ts';
import { parseExpression } from './syntax/parser.ts';
import { Dict, ExpressionError, isCollection, type Value } from './values/value.ts';

export { Dict, ExpressionError, type Value };

export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [name: string]: Plain };

/** An expression that can be evaluated any number of times. */
export interface CompiledExpression {
  /** @throws ExpressionError with the offset of what went wrong. */
  over(data: Value): Plain;
}

/** @throws ExpressionError with the offset of what cannot be read. */
export function compile(text: string): CompiledExpression {
  const expression = parseExpression(text);
  return {
    over(data) {
      try {
        return plainFrom(evaluateExpression(expression, data));
      } catch (error) {
        // What reads lists in lists in lists calls itself for each.
        throw error instanceof RangeError ? new ExpressionError('is nested too deeply', 0) : error;
      }
    },
  };
}

/** Results larger than this are no sizes and no lists of disks. */
const MAX_ITEMS = 100_000;

/** @throws ExpressionError for what plain data cannot say: too many digits, a key that is no text */
function plainFrom(value: Value): Plain {
  let count = 0;
  const walk = (one: Value): Plain => {
    if (++count > MAX_ITEMS) throw new ExpressionError(`gives more than ${MAX_ITEMS} items`, 0);
    if (typeof one === 'bigint') return integerOf(one);
    if (one instanceof Dict)
      return Object.fromEntries([...one.entries()].map(([key, item]) => [nameOf(key), walk(item)]));
    return isCollection(one) ? [...one].map(walk) : one;
  };
  return walk(value);
}

function integerOf(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new ExpressionError('gives an integer that is too large', 0);
  return number;
}

function nameOf(key: Value): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'bigint' || typeof key === 'boolean') return String(key);
  throw new ExpressionError('gives a mapping with a key that is neither a string nor an integer', 0);
}
