/**
 * Collections made from nothing. Those without an end give a hundred items, as in the reference system, and
 * then an error.
 */
import type { Call, FunctionDefinition, FunctionTable } from '../values/call.ts';
import { isCollection, type Value } from '../values/value.ts';

const ANY = Number.POSITIVE_INFINITY;
const MOST_OF_AN_ENDLESS = 100;

/** @param next makes the items, without end. */
function* bounded(call: Call, next: (at: number) => Value): Generator<Value, void> {
  for (let at = 0; at < MOST_OF_AN_ENDLESS; at++) yield next(at);
  call.fail(`${call.name}() gives at most ${MOST_OF_AN_ENDLESS} items`, 'end it with take(n)');
}

function* counted(start: number, stop: number, step: number): Generator<Value, void> {
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) yield BigInt(at);
}

const made = (
  run: (call: Call) => Generator<Value, void>,
  min: number,
  max: number,
  style: FunctionDefinition['style'],
): FunctionDefinition => ({
  style,
  arity: [min, max],
  run: (call) => call.lazy(run(call)),
});

export const SEQUENCES: FunctionTable = {
  list: {
    style: 'function',
    arity: [0, ANY],
    run: (call) => call.list(call.operands.map((operand) => operand.value())),
  },
  toList: { style: 'method', arity: [1, 1], run: (call) => call.list(call.items(0)) },
  /** `range(stop)`, or `range(start, stop)` with a step. */
  range: {
    style: 'function',
    arity: [1, 3],
    run: (call) => {
      const step = call.integer(2, 1);
      if (step === 0) return call.fail('range() takes no step of 0');
      const first = call.integer(0);
      return call.lazy(call.count === 1 ? counted(0, first, 1) : counted(first, call.integer(1), step));
    },
  },
  sequence: made(
    (call) => {
      const [start, step] = [BigInt(call.integer(0, 0)), BigInt(call.integer(1, 1))];
      return bounded(call, (at) => start + step * BigInt(at));
    },
    0,
    2,
    'function',
  ),
  repeat: {
    style: 'method',
    arity: [1, 2],
    run: (call) => {
      const times = call.integer(1, -1);
      const value = call.value(0);
      if (times < 0) return call.lazy(bounded(call, () => value));
      return call.lazy(
        (function* () {
          for (let at = 0; at < times; at++) yield value;
        })(),
      );
    },
  },
  cycle: made(
    function* (call) {
      const items = [...call.items(0)];
      if (items.length > 0) yield* bounded(call, (at) => items[at % items.length]!);
    },
    1,
    1,
    'method',
  ),
  /** Lists one behind the other; texts, too. */
  concat: {
    style: 'both',
    arity: [1, ANY],
    run: (call) => {
      if (!isCollection(call.value(0)))
        return call.made(call.operands.map((_, at) => call.made(call.text(at))).join(''));
      for (const at of call.operands.keys()) call.collection(at);
      return call.lazy(
        (function* () {
          for (const at of call.operands.keys()) yield* call.items(at);
        })(),
      );
    },
  },
};
