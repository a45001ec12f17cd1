/**
 * Expressions over plain data: a subset of the query language YAQL, on its own. Reads no files, knows no
 * time, cannot loop without end; docs/how-to/disk-layout.md has the table of what it understands.
 */
import { evaluateExpression } from './evaluate.ts';
import { parseExpression } from './syntax/parser.ts';
import { type Plain, plainFrom } from './values/plain.ts';
import type { Value } from './values/value.ts';

export { ExpressionError } from './values/expression-error.ts';
export type { Plain } from './values/plain.ts';
export { Dict, type Value } from './values/value.ts';

/** An expression that can be evaluated any number of times. */
export interface CompiledExpression {
  /** @throws ExpressionError with the offset of what went wrong. */
  over(data: Value): Plain;
}

/** @throws ExpressionError with the offset of what cannot be read. */
export function compile(text: string): CompiledExpression {
  const expression = parseExpression(text);
  return { over: (data) => plainFrom(evaluateExpression(expression, data)) };
}
