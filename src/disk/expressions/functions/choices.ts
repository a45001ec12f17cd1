/** Functions that choose. Only what is chosen is evaluated. */
import type { FunctionTable } from '../values/call.ts';
import { isTruthy } from '../values/value.ts';

const ANY = Number.POSITIVE_INFINITY;

export const CHOICES: FunctionTable = {
  /** Value of the first pair whose key is true; null when none is. */
  switch: {
    style: 'function',
    arity: [0, 0],
    takesPairs: true,
    run: ({ pairs }) => pairs.find(({ key }) => isTruthy(key.value()))?.value.value() ?? null,
  },
  /** Place of the first true condition, or their number. */
  selectCase: {
    style: 'function',
    arity: [0, ANY],
    expressionsFrom: 0,
    run: ({ operands }) => {
      const found = operands.findIndex((condition) => isTruthy(condition.value()));
      return BigInt(found < 0 ? operands.length : found);
    },
  },
  /** The argument at that place, or the last one. */
  switchCase: {
    style: 'method',
    arity: [1, ANY],
    expressionsFrom: 1,
    run: (call) => {
      const place = call.integer(0);
      const last = call.count - 1;
      if (last === 0) return null;
      return call.value(place >= 0 && place < last ? place + 1 : last);
    },
  },
  /** The first argument that is not null. */
  coalesce: {
    style: 'function',
    arity: [0, ANY],
    expressionsFrom: 0,
    run: ({ operands }) => {
      for (const operand of operands) {
        const value = operand.value();
        if (value !== null) return value;
      }
      return null;
    },
  },
};
