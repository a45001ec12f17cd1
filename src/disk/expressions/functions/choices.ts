/** Functions that choose. Only what is chosen is evaluated. */
import { ANY, type FunctionTable, method, ofPairs, plain } from '../values/call.ts';
import { isTruthy, type Value } from '../values/value.ts';

export const CHOICES: FunctionTable = {
  /** Value of the first pair whose key is true; null when none is. */
  switch: ofPairs(({ pairs }) => pairs.find(({ key }) => isTruthy(key.value()))?.value.value() ?? null),
  /** Place of the first true condition, or their number. */
  selectCase: plain([0, ANY, 0], ({ operands }) => {
    const found = operands.findIndex((condition) => isTruthy(condition.value()));
    return BigInt(found < 0 ? operands.length : found);
  }),
  /** The argument at that place, or the last one. */
  switchCase: method([1, ANY, 1], (call) => {
    const place = call.integer(0);
    const last = call.count - 1;
    if (last === 0) return null;
    return call.value(place >= 0 && place < last ? place + 1 : last);
  }),
  /** The first argument that is not null. */
  coalesce: plain([0, ANY, 0], ({ operands }) =>
    operands.reduce<Value>((found, operand) => found ?? operand.value(), null),
  ),
};
