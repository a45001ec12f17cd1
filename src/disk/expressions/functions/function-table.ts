/** All functions and methods, by name. */
import { ANY, type FunctionDefinition, type FunctionTable, method, ofPairs, plain } from '../values/call.ts';
import { ExpressionError, isTruthy, type Value } from '../values/value.ts';
import { CONVERSIONS } from './conversions.ts';
import { GROUPING } from './grouping.ts';
import { MAPPINGS } from './mappings.ts';
import { PICKING } from './picking.ts';
import { REDUCING } from './reducing.ts';
import { SEQUENCES } from './sequences.ts';
import { TEXTS } from './texts.ts';

/** Functions that choose. Only what is chosen is evaluated. */
const CHOICES: FunctionTable = {
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

export const FUNCTIONS: FunctionTable = {
  ...CHOICES,
  ...CONVERSIONS,
  ...GROUPING,
  ...MAPPINGS,
  ...PICKING,
  ...REDUCING,
  ...SEQUENCES,
  ...TEXTS,
};

/** @throws ExpressionError when there is no such function, or it is called the other way. */
export function definitionOf(name: string, receiver: Value | undefined, offset: number): FunctionDefinition {
  const definition = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!definition) {
    const like = Object.keys(FUNCTIONS).find((known) => known.toLowerCase() === name.toLowerCase());
    throw new ExpressionError(`there is no function '${name}'`, offset, like && `'${like}' is meant`);
  }
  const style = receiver === undefined ? 'function' : 'method';
  if (definition.style === 'both' || definition.style === style) return definition;
  throw style === 'function'
    ? new ExpressionError(`${name}() is called on a value`, offset, `write value.${name}(...)`)
    : new ExpressionError(`${name}() is not called on a value`, offset, `write ${name}(value)`);
}
