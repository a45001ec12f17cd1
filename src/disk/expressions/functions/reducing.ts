/** From a collection to one value. */
import {
  both,
  type Call,
  type FunctionDefinition,
  type FunctionTable,
  method,
  over,
} from '../values/call.ts';
import { Dict, isEqual, isTruthy, order, type Value } from '../values/value.ts';
import { binaryResult } from './operators.ts';

const overOrNot = (run: (call: Call) => Value): FunctionDefinition => both([1, 2, 1], run);

/** Combines the items one by one, from `start` or from the first. */
function reduced(call: Call, start: Value | undefined, combine: (total: Value, item: Value) => Value): Value {
  let total = start;
  for (const item of call.items(0)) total = total === undefined ? item : combine(total, item);
  return total === undefined
    ? call.fail(`${call.name}() of an empty list`, 'give a value to start from')
    : total;
}

/** The larger (or smaller) of two values; what has no order is an error. */
const larger = (call: Call, isMax: boolean, left: Value, right: Value): Value =>
  order(right, left, call.offset) > 0 === isMax ? right : left;

/** `max(a, b)`, and `list.max()` or `list.max(start)`: the list tells them apart. */
const extreme = (isMax: boolean): FunctionDefinition =>
  both([1, 2], (call) => {
    const choose = (left: Value, right: Value): Value => larger(call, isMax, left, right);
    if (call.isMethod) return reduced(call, call.optional(1), choose);
    return call.count === 2
      ? choose(call.value(0), call.value(1))
      : call.fail(`${call.name}() takes two arguments`);
  });

const aggregate = method([2, 3, 1], (call) =>
  reduced(call, call.optional(2), (total, item) => call.operands[1]!.apply(total, item)),
);

/** Place of the first (or last) item that is meant; -1 when none is. */
export function placeWhere(call: Call, isLast: boolean, isMeant: (item: Value) => boolean): bigint {
  let found = -1n;
  let at = -1n;
  for (const item of call.items(0)) {
    at++;
    if (!isMeant(item)) continue;
    found = at;
    if (!isLast) break;
  }
  return found;
}

const place = (isLast: boolean): FunctionDefinition =>
  over((call) => placeWhere(call, isLast, (item) => isTruthy(call.operands[1]!.apply(item))));

export const REDUCING: FunctionTable = {
  sum: method([1, 2], (call) =>
    reduced(call, call.optional(1), (total, item) => binaryResult('+', total, item, call)),
  ),
  max: extreme(true),
  min: extreme(false),
  aggregate,
  reduce: aggregate,
  len: both(1, (call) => {
    const value = call.value(0);
    if (typeof value === 'string') return BigInt([...call.made(value)].length);
    if (value instanceof Dict) return BigInt(value.size);
    return BigInt([...call.items(0)].length);
  }),
  count: method(1, (call) => BigInt([...call.items(0)].length)),
  first: method([1, 2], (call) => {
    for (const item of call.items(0)) return item;
    return call.count > 1 ? call.value(1) : call.fail('first() of an empty list', 'write first(default)');
  }),
  last: method([1, 2], (call) => {
    const items = [...call.items(0)];
    if (items.length > 0) return items.at(-1)!;
    return call.count > 1 ? call.value(1) : call.fail('last() of an empty list', 'write last(default)');
  }),
  single: method(1, (call) => {
    const items = [...call.items(0)];
    return items.length === 1 ? items[0]! : call.fail(`single() of a list of ${items.length}`);
  }),
  any: overOrNot((call) => {
    const [, test] = call.operands;
    for (const item of call.items(0)) if (!test || isTruthy(test.apply(item))) return true;
    return false;
  }),
  all: overOrNot((call) => {
    const [, test] = call.operands;
    for (const item of call.items(0)) if (!isTruthy(test ? test.apply(item) : item)) return false;
    return true;
  }),
  contains: method(2, (call) => {
    for (const item of call.items(0)) if (isEqual(item, call.value(1))) return true;
    return false;
  }),
  indexWhere: place(false),
  lastIndexWhere: place(true),
};
