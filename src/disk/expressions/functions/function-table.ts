/** All functions and methods, by name. */
import type { FunctionDefinition, FunctionTable } from '../values/call.ts';
import { ExpressionError } from '../values/expression-error.ts';
import type { Value } from '../values/value.ts';
import { CHOICES } from './choices.ts';
import { CONVERSIONS } from './conversions.ts';
import { GROUPING } from './grouping.ts';
import { MAPPINGS } from './mappings.ts';
import { PICKING } from './picking.ts';
import { REDUCING } from './reducing.ts';
import { SEQUENCES } from './sequences.ts';
import { TEXTS } from './texts.ts';

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
