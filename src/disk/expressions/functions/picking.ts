/** From a collection to one with fewer, other or more items. Items are made when somebody asks for them. */
import type { Call, FunctionDefinition, FunctionTable } from '../values/call.ts';
import { isCollection, isTruthy, type Value } from '../values/value.ts';

const ANY = Number.POSITIVE_INFINITY;

const lazy = (
  run: (call: Call) => Generator<Value, void>,
  min = 1,
  max = min,
  style: FunctionDefinition['style'] = 'method',
): FunctionDefinition => ({
  style,
  arity: [min, max],
  run: (call) => {
    // Said now, not when the first item is asked for.
    call.collection(0);
    return call.lazy(run(call));
  },
});

const where = lazy(function* (call) {
  for (const item of call.items(0)) if (isTruthy(call.operands[1]!.apply(item))) yield item;
}, 2);

const select = lazy(function* (call) {
  for (const item of call.items(0)) yield call.operands[1]!.apply(item);
}, 2);

const limit = lazy(function* (call) {
  let left = call.size(1);
  if (left === 0) return;
  for (const item of call.items(0)) {
    yield item;
    if (--left === 0) return;
  }
}, 2);

function* flat(items: Iterable<Value>): Generator<Value, void> {
  for (const item of items) {
    if (isCollection(item)) yield* flat(item);
    else yield item;
  }
}

export const PICKING: FunctionTable = {
  where,
  filter: where,
  select,
  map: select,
  limit,
  take: limit,
  skip: lazy(function* (call) {
    let left = call.size(1);
    for (const item of call.items(0)) if (left-- <= 0) yield item;
  }, 2),
  takeWhile: lazy(function* (call) {
    for (const item of call.items(0)) {
      if (!isTruthy(call.operands[1]!.apply(item))) return;
      yield item;
    }
  }, 2),
  skipWhile: lazy(function* (call) {
    let isSkipping = true;
    for (const item of call.items(0)) {
      isSkipping &&= isTruthy(call.operands[1]!.apply(item));
      if (!isSkipping) yield item;
    }
  }, 2),
  /** What each item gives; where that is a list, its items. */
  selectMany: lazy(function* (call) {
    for (const item of call.items(0)) {
      const inner = call.operands[1]!.apply(item);
      if (isCollection(inner)) yield* inner;
      else yield inner;
    }
  }, 2),
  flatten: lazy(function* (call) {
    yield* flat(call.collection(0));
  }),
  append: lazy(
    function* (call) {
      yield* call.items(0);
      for (const operand of call.operands.slice(1)) yield operand.value();
    },
    1,
    ANY,
    'both',
  ),
  /** `[place, item]` for each. */
  enumerate: lazy(
    function* (call) {
      let place = BigInt(call.integer(1, 0));
      for (const item of call.items(0)) yield [place++, item];
    },
    1,
    2,
    'both',
  ),
  zip: lazy(
    function* (call) {
      const iterators = call.operands.map((_, at) => call.collection(at)[Symbol.iterator]());
      for (;;) {
        const items: Value[] = [];
        for (const iterator of iterators) {
          const { done, value } = iterator.next();
          if (done) return;
          items.push(value);
        }
        yield call.list(items);
      }
    },
    1,
    ANY,
  ),
  reverse: lazy(function* (call) {
    yield* [...call.items(0)].reverse();
  }),
  defaultIfEmpty: {
    style: 'method',
    arity: [2, 2],
    run: (call) => {
      const given = call.collection(0);
      return given[Symbol.iterator]().next().done ? call.collection(1) : given;
    },
  },
};
