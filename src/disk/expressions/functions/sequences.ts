/** Collections from nothing. Endless ones give a hundred items, as in the reference system, then an error. */
import { ANY, both, type Call, type FunctionTable, lazy, method, plain } from '../values/call.ts';
import { isCollection, Lazy, type Value, View } from '../values/value.ts';

const MOST_OF_AN_ENDLESS = 100;

/** @param next makes the items, without end. */
function* bounded(call: Call, next: (at: number) => Value): Generator<Value, void> {
  for (let at = 0; at < MOST_OF_AN_ENDLESS; at++) yield next(at);
  call.fail(`${call.name}() gives at most ${MOST_OF_AN_ENDLESS} items`, 'end it with take(n)');
}

function* counted(start: number, stop: number, step: number): Generator<Value, void> {
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) yield BigInt(at);
}

function* repeated(value: Value, times: number): Generator<Value, void> {
  for (let at = 0; at < times; at++) yield value;
}

function* opened({ operands }: Call): Generator<Value, void> {
  for (const operand of operands) {
    const value = operand.value();
    if (value instanceof Lazy && !(value instanceof View)) yield* value;
    else yield value;
  }
}

export const SEQUENCES: FunctionTable = {
  /** A list of its arguments; what comes by and by, as from `where`, gives its items. */
  list: plain([0, ANY], (call) => call.list(opened(call))),
  toList: method(1, (call) => call.list(call.items(0))),
  /** `range(stop)`, or `range(start, stop)` with a step. */
  range: plain([1, 3], (call) => {
    const step = call.integer(2, 1);
    if (step === 0) return call.fail('range() takes no step of 0');
    const first = call.integer(0);
    return call.lazy(call.count === 1 ? counted(0, first, 1) : counted(first, call.integer(1), step));
  }),
  sequence: plain([0, 2], (call) => {
    const [start, step] = [BigInt(call.integer(0, 0)), BigInt(call.integer(1, 1))];
    return call.lazy(bounded(call, (at) => start + step * BigInt(at)));
  }),
  repeat: method([1, 2], (call) => {
    const times = call.integer(1, -1);
    const value = call.value(0);
    return call.lazy(times < 0 ? bounded(call, () => value) : repeated(value, times));
  }),
  cycle: lazy(method, 1, function* (call) {
    const items = [...call.items(0)];
    if (items.length > 0) yield* bounded(call, (at) => items[at % items.length]!);
  }),
  /** Lists one behind the other; texts, too, but not as a method. */
  concat: both([1, ANY], (call) => {
    if (!call.isMethod && !isCollection(call.value(0)))
      return call.made(call.operands.map((_, at) => call.made(call.text(at))).join(''));
    for (const at of call.operands.keys()) call.collection(at);
    return call.lazy(
      (function* () {
        for (const at of call.operands.keys()) yield* call.items(at);
      })(),
    );
  }),
};
