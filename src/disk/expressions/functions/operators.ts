/** Operators on values: arithmetic, comparison, membership, members and places. */
import type { BinaryOperator } from '../syntax/syntax.ts';
import { type ArithmeticOperator, arithmetic } from '../values/arithmetic.ts';
import type { Place } from '../values/budget.ts';
import {
  Dict,
  isCollection,
  isEqual,
  isList,
  isNumber,
  kindOf,
  Lazy,
  order,
  type Value,
} from '../values/value.ts';
import { matches } from './pattern.ts';

/** @throws ExpressionError when the operator does not take such values. */
export function binaryResult(operator: BinaryOperator, left: Value, right: Value, at: Place): Value {
  switch (operator) {
    case '=':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return order(left, right, at.offset) < 0;
    case '<=':
      return order(left, right, at.offset) <= 0;
    case '>':
      return order(left, right, at.offset) > 0;
    case '>=':
      return order(left, right, at.offset) >= 0;
    case 'in':
      return isIn(left, right, at);
    case '=~':
    case '!~':
      return fits(left, right, at) === (operator === '=~');
    default:
      return calculated(operator, left, right, at);
  }
}

const refuse = (operator: string, left: Value, right: Value, at: Place): never =>
  at.fail(`'${operator}' does not take ${kindOf(left)} and ${kindOf(right)}`);

function isIn(left: Value, right: Value, at: Place): boolean {
  if (typeof left === 'string' && typeof right === 'string') return right.includes(left);
  if (!isCollection(right)) return refuse('in', left, right, at);
  for (const item of right) {
    at.step();
    if (isEqual(item, left)) return true;
  }
  return false;
}

function fits(left: Value, right: Value, at: Place): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return refuse('=~', left, right, at);
  return matches(left, right, at);
}

function calculated(operator: ArithmeticOperator, left: Value, right: Value, at: Place): Value {
  if (isNumber(left) && isNumber(right)) return at.made(arithmetic(operator, left, right, at.offset));
  if (operator === '+') return joined(left, right, at);
  if (operator === '*') {
    if (typeof right === 'bigint') return repeated(left, right, at);
    if (typeof left === 'bigint') return repeated(right, left, at);
  }
  return refuse(operator, left, right, at);
}

function joined(left: Value, right: Value, at: Place): Value {
  if (typeof left === 'string' && typeof right === 'string') return at.made(left + right);
  if (left instanceof Dict && right instanceof Dict) {
    at.room(left.size + right.size);
    return new Dict([...left.entries(), ...right.entries()]);
  }
  if (!isCollection(left) || !isCollection(right)) return refuse('+', left, right, at);
  if (isList(left) && isList(right)) {
    at.room(left.length + right.length);
    return [...left, ...right];
  }
  return new Lazy(
    (function* () {
      yield* left;
      yield* right;
    })(),
  );
}

function repeated(value: Value, times: bigint, at: Place): Value {
  if (typeof value !== 'string' && !isList(value)) return refuse('*', value, times, at);
  if (times <= 0n || value.length === 0) return typeof value === 'string' ? '' : [];
  const count = Number(times);
  // Counted before it is made, so that it is never too large.
  if (typeof value === 'string') at.bytes(2 * value.length * count);
  else at.room(value.length * count);
  return typeof value === 'string' ? value.repeat(count) : Array(count).fill(value).flat(1);
}

/** `of.name`: a member of a mapping, or of each item of a list. */
export function memberOf(of: Value, name: string, at: Place): Value {
  if (of instanceof Dict) {
    const value = of.get(name);
    if (value !== undefined) return value;
    const remedy = `write get(${name}), which is null where there is none, or get(${name}, default)`;
    return at.fail(`there is no '${name}' here`, remedy);
  }
  if (!isCollection(of)) return at.fail(`${kindOf(of)} has no member '${name}'`);
  return new Lazy(
    (function* () {
      for (const item of of) {
        at.room(1);
        yield memberOf(item, name, at);
      }
    })(),
  );
}

/** `of[place]`, or `of[key, otherwise]`. @param given what stands in the brackets */
export function indexed(of: Value, given: readonly Value[], at: Place): Value {
  const [place, otherwise] = given;
  if (of instanceof Dict && place !== undefined && given.length <= 2) {
    const value = of.get(place) ?? otherwise;
    return value === undefined ? at.fail('there is no such key here', 'use get(key)') : value;
  }
  if (!isCollection(of) || given.length !== 1 || typeof place !== 'bigint')
    return at.fail(`${kindOf(of)} has no index ${given.map(kindOf).join(', ') || '[]'}`);
  const items = [...of];
  const item = items[Number(place < 0n ? place + BigInt(items.length) : place)];
  return item === undefined ? at.fail(`index ${place} is outside a list of ${items.length}`) : item;
}
