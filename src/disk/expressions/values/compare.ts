/** The order of values: numbers by size, texts by character, null before all; nothing else has one. */
import { ExpressionError } from './expression-error.ts';
import { isNumber, kindOf, type Value } from './value.ts';

/** NaN with a float that is none. @throws ExpressionError where there is no order */
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
