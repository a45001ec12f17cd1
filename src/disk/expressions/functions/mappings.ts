/** Mappings. */
import { type Call, type FunctionTable, method, ofPairs } from '../values/call.ts';
import { Dict, isEqual, type Value, View } from '../values/value.ts';

/** The entries, each counted. */
function entries(call: Call): readonly (readonly [Value, Value])[] {
  const mapping = call.mapping(0);
  call.room(mapping.size);
  return [...mapping.entries()];
}

export const MAPPINGS: FunctionTable = {
  /** Value of a key; where there is none the default, or null. */
  get: method([2, 3], (call) => call.mapping(0).get(call.value(1)) ?? call.optional(2) ?? null),
  set: method(3, (call) => new Dict([...entries(call), [call.value(1), call.value(2)]])),
  keys: method(1, (call) => new View(entries(call).map(([key]) => key))),
  values: method(1, (call) => new View(entries(call).map(([, value]) => value))),
  /** `[key, value]` of each. */
  items: method(1, (call) => new View(entries(call))),
  containsKey: method(2, (call) => call.mapping(0).has(call.value(1))),
  containsValue: method(2, (call) => entries(call).some(([, value]) => isEqual(value, call.value(1)))),
  dict: ofPairs((call) => {
    call.room(call.pairs.length);
    return new Dict(call.pairs.map(({ key, value }) => [key.value(), value.value()]));
  }),
  /** By what the first argument makes of each item; its value by the second, or the item. */
  toDict: method([2, 3, 1], (call) => {
    const pairs: (readonly [Value, Value])[] = [];
    const [, key, value] = call.operands;
    for (const item of call.items(0)) {
      call.room(1);
      pairs.push([key!.apply(item), value ? value.apply(item) : item]);
    }
    return new Dict(pairs);
  }),
};
