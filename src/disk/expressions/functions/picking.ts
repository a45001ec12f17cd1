/** From a collection to one with fewer, other or more items. Items are made when somebody asks for them. */
import type { Call, FunctionDefinition, FunctionTable, Operand } from '../values/call.ts';
import { ANY, both, lazy, method } from '../values/call.ts';
import { type Collection, isCollection, isTruthy, type Value } from '../values/value.ts';

/** Of each item, by an expression. */
const over = (run: (call: Call, by: Operand) => Generator<Value, void>): FunctionDefinition =>
  lazy(method, [2, 2, 1], (call) => run(call, call.operands[1]!));

const where = over(function* (call, by) {
  for (const item of call.items(0)) if (isTruthy(by.apply(item))) yield item;
});

const select = over(function* (call, by) {
  for (const item of call.items(0)) yield by.apply(item);
});

function* firstOf(items: Iterable<Value>, count: number): Generator<Value, void> {
  let left = count;
  if (left === 0) return;
  for (const item of items) {
    yield item;
    if (--left === 0) return;
  }
}

const limit = lazy(method, 2, (call) => firstOf(call.items(0), call.size(1)));

function* behind(items: Iterable<Value>, count: number): Generator<Value, void> {
  let left = count;
  for (const item of items) if (left-- <= 0) yield item;
}

function* flat(items: Iterable<Value>): Generator<Value, void> {
  for (const item of items) {
    if (isCollection(item)) yield* flat(item);
    else yield item;
  }
}

function* numbered(items: Iterable<Value>, start: number): Generator<Value, void> {
  let place = BigInt(start);
  for (const item of items) yield [place++, item];
}

function* side(call: Call, collections: readonly Collection[]): Generator<Value, void> {
  const iterators = collections.map((one) => one[Symbol.iterator]());
  for (;;) {
    const items: Value[] = [];
    for (const iterator of iterators) {
      const { done, value } = iterator.next();
      if (done) return;
      items.push(value);
    }
    yield call.list(items);
  }
}

export const PICKING: FunctionTable = {
  where,
  filter: where,
  select,
  map: select,
  limit,
  take: limit,
  skip: lazy(method, 2, (call) => behind(call.items(0), call.size(1))),
  takeWhile: over(function* (call, by) {
    for (const item of call.items(0)) {
      if (!isTruthy(by.apply(item))) return;
      yield item;
    }
  }),
  skipWhile: over(function* (call, by) {
    let isSkipping = true;
    for (const item of call.items(0)) {
      isSkipping &&= isTruthy(by.apply(item));
      if (!isSkipping) yield item;
    }
  }),
  /** What each item gives; where that is a list, its items. */
  selectMany: over(function* (call, by) {
    for (const item of call.items(0)) {
      const inner = by.apply(item);
      if (isCollection(inner)) yield* inner;
      else yield inner;
    }
  }),
  flatten: lazy(method, 1, (call) => flat(call.collection(0))),
  append: lazy(both, [1, ANY], function* (call) {
    yield* call.items(0);
    for (const operand of call.operands.slice(1)) yield operand.value();
  }),
  /** `[place, item]` for each. */
  enumerate: lazy(both, [1, 2], (call) => numbered(call.items(0), call.integer(1, 0))),
  zip: lazy(method, [1, ANY], (call) =>
    side(
      call,
      call.operands.map((_, at) => call.collection(at)),
    ),
  ),
  reverse: lazy(method, 1, function* (call) {
    yield* [...call.items(0)].reverse();
  }),
  defaultIfEmpty: method(2, (call) => {
    const [given, otherwise] = [call.collection(0), call.collection(1)];
    return isTruthy(given) ? given : otherwise;
  }),
};
