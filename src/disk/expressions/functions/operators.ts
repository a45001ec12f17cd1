/** Operators on values: arithmetic, comparison, membership, members and places. */
import { Pattern } from '../pattern/pattern.ts';
import type { BinaryOperator } from '../syntax/syntax.ts';
import { type ArithmeticOperator, arithmetic } from '../values/arithmetic.ts';
import type { Budget } from '../values/budget.ts';
import { order } from '../values/compare.ts';
import { ExpressionError } from '../values/expression-error.ts';
import { Dict, isCollection, isEqual, isList, isNumber, kindOf, Lazy, type Value } from '../values/value.ts';

/** @throws ExpressionError when the operator does not take such values. */
export function binaryResult(
  operator: BinaryOperator,
  left: Value,
  right: Value,
  offset: number,
  budget: Budget,
): Value {
  switch (operator) {
    case '=':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return order(left, right, offset) < 0;
    case '<=':
      return order(left, right, offset) <= 0;
    case '>':
      return order(left, right, offset) > 0;
    case '>=':
      return order(left, right, offset) >= 0;
    case 'in':
      return isIn(left, right, offset, budget);
    case '=~':
    case '!~':
      return matches(left, right, offset, budget) === (operator === '=~');
    default:
      return calculated(operator, left, right, offset, budget);
  }
}

const refusal = (operator: string, left: Value, right: Value, offset: number): ExpressionError =>
  new ExpressionError(`'${operator}' does not take ${kindOf(left)} and ${kindOf(right)}`, offset);

function isIn(left: Value, right: Value, offset: number, budget: Budget): boolean {
  if (typeof left === 'string' && typeof right === 'string') return right.includes(left);
  if (!isCollection(right)) throw refusal('in', left, right, offset);
  for (const item of right) {
    budget.step(offset);
    if (isEqual(item, left)) return true;
  }
  return false;
}

function matches(left: Value, right: Value, offset: number, budget: Budget): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') throw refusal('=~', left, right, offset);
  return new Pattern(right, offset, budget).isIn(left);
}

function calculated(
  operator: ArithmeticOperator,
  left: Value,
  right: Value,
  offset: number,
  budget: Budget,
): Value {
  if (isNumber(left) && isNumber(right))
    return budget.made(offset, arithmetic(operator, left, right, offset));
  if (operator === '+') return joined(left, right, offset, budget);
  if (operator === '*') {
    if (typeof right === 'bigint') return repeated(left, right, offset, budget);
    if (typeof left === 'bigint') return repeated(right, left, offset, budget);
  }
  throw refusal(operator, left, right, offset);
}

function joined(left: Value, right: Value, offset: number, budget: Budget): Value {
  if (typeof left === 'string' && typeof right === 'string') return budget.made(offset, left + right);
  if (left instanceof Dict && right instanceof Dict) {
    budget.items(offset, left.size + right.size);
    return new Dict([...left.entries(), ...right.entries()]);
  }
  if (!isCollection(left) || !isCollection(right)) throw refusal('+', left, right, offset);
  if (isList(left) && isList(right)) {
    budget.items(offset, left.length + right.length);
    return [...left, ...right];
  }
  return new Lazy(
    (function* () {
      yield* left;
      yield* right;
    })(),
  );
}

function repeated(value: Value, times: bigint, offset: number, budget: Budget): Value {
  if (typeof value !== 'string' && !isList(value)) throw refusal('*', value, times, offset);
  if (times <= 0n || value.length === 0) return typeof value === 'string' ? '' : [];
  const count = Number(times);
  // Counted before it is made, so that it is never too large.
  if (typeof value === 'string') budget.bytes(offset, 2 * value.length * count);
  else budget.items(offset, value.length * count);
  return typeof value === 'string' ? value.repeat(count) : Array(count).fill(value).flat(1);
}

/** `of.name`: a member of a mapping, or of each item of a list. */
export function memberOf(of: Value, name: string, offset: number, budget: Budget): Value {
  if (of instanceof Dict) {
    const value = of.get(name);
    if (value === undefined)
      throw new ExpressionError(
        `there is no '${name}' here`,
        offset,
        `write get(${name}), which is null where there is none, or get(${name}, default)`,
      );
    return value;
  }
  if (!isCollection(of)) throw new ExpressionError(`${kindOf(of)} has no member '${name}'`, offset);
  return new Lazy(
    (function* () {
      for (const item of of) {
        budget.items(offset, 1);
        yield memberOf(item, name, offset, budget);
      }
    })(),
  );
}

/** `of[at]`, or `of[key, otherwise]`. */
export function indexed(of: Value, at: readonly Value[], offset: number): Value {
  const [place, otherwise] = at;
  if (of instanceof Dict && place !== undefined && at.length <= 2) {
    const value = of.get(place) ?? otherwise;
    if (value === undefined) throw new ExpressionError('there is no such key here', offset, 'use get(key)');
    return value;
  }
  if (!isCollection(of) || at.length !== 1 || typeof place !== 'bigint')
    throw new ExpressionError(`${kindOf(of)} has no index ${at.map(kindOf).join(', ') || '[]'}`, offset);
  const items = [...of];
  const index = Number(place < 0n ? place + BigInt(items.length) : place);
  const item = items[index];
  if (item === undefined)
    throw new ExpressionError(`index ${place} is outside a list of ${items.length}`, offset);
  return item;
}
