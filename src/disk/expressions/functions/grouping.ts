/** Order, groups, and what is there once. */
import {
  both,
  type Call,
  type FunctionDefinition,
  type FunctionTable,
  lazy,
  method,
  type Operand,
  over,
} from '../values/call.ts';
import { keyText, order, type Value, View } from '../values/value.ts';

interface Criterion {
  readonly by: Operand;
  readonly isDescending: boolean;
}

/** A sorted collection, which remembers what it is sorted by, so that thenBy can refine it. */
class Ordered extends View {
  constructor(
    readonly call: Call,
    readonly criteria: readonly Criterion[],
  ) {
    super(call.lazy(sorted(call, criteria)));
  }
}

function* sorted(call: Call, criteria: readonly Criterion[]): Generator<Value, void> {
  const rows = [...call.items(0)].map((item) => ({ item, keys: criteria.map(({ by }) => by.apply(item)) }));
  yield* rows
    .sort((left, right) => {
      call.step();
      for (const [at, { isDescending }] of criteria.entries()) {
        const way = order(left.keys[at]!, right.keys[at]!, call.offset);
        if (way !== 0) return isDescending ? -way : way;
      }
      return 0;
    })
    .map(({ item }) => item);
}

const orderBy = (isDescending: boolean): FunctionDefinition =>
  over((call) => {
    call.collection(0);
    return new Ordered(call, [{ by: call.operands[1]!, isDescending }]);
  });

const thenBy = (isDescending: boolean): FunctionDefinition =>
  over((call) => {
    const before = call.value(0);
    if (!(before instanceof Ordered)) return call.fail(`${call.name}() can only follow orderBy()`);
    return new Ordered(before.call, [...before.criteria, { by: call.operands[1]!, isDescending }]);
  });

export const GROUPING: FunctionTable = {
  orderBy: orderBy(false),
  orderByDescending: orderBy(true),
  thenBy: thenBy(false),
  thenByDescending: thenBy(true),
  /** Each item once, or one item for each value of the argument. */
  distinct: lazy(both, [1, 2, 1], function* (call) {
    const [, by] = call.operands;
    const seen = new Set<string>();
    for (const item of call.items(0)) {
      const key = call.made(keyText(by ? by.apply(item) : item));
      if (seen.has(key)) continue;
      seen.add(key);
      yield item;
    }
  }),
  /** `[key, items]` a key, in the order in which keys come; item and list may be changed on the way. */
  groupBy: method([2, 4, 1], (call) => {
    const [, key, value, aggregate] = call.operands;
    const groups = new Map<string, { readonly key: Value; readonly items: Value[] }>();
    for (const item of call.items(0)) {
      const own = key!.apply(item);
      const text = call.made(keyText(own));
      const group = groups.get(text) ?? { key: own, items: [] };
      groups.set(text, group);
      call.room(1);
      group.items.push(value ? value.apply(item) : item);
    }
    return call.lazy(
      (function* () {
        for (const { key: own, items } of groups.values())
          yield [own, aggregate ? aggregate.apply(items) : items];
      })(),
    );
  }),
};
