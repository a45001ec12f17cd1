/** Values as text in which 2 and 2.0 differ, for tables of expected results. */
import { evaluateExpression } from '../../../src/disk/expressions/evaluate.ts';
import type { Plain } from '../../../src/disk/expressions/index.ts';
import { parseExpression } from '../../../src/disk/expressions/syntax/parser.ts';
import { floatText } from '../../../src/disk/expressions/values/arithmetic.ts';
import {
  type Dict,
  ExpressionError,
  isCollection,
  type Value,
} from '../../../src/disk/expressions/values/value.ts';
import { valueFrom } from './evaluate-over.ts';

/** A value as text; members of mappings in the order of their names. */
export function shown(value: Value): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return floatText(value);
  if (isCollection(value)) return `[${[...value].map(shown).join(', ')}]`;
  const entries = [...(value as Dict).entries()].map(([key, item]) => `${shown(key)}: ${shown(item)}`);
  return `{${entries.sort().join(', ')}}`;
}

/** What an expression gives, as text; `error` when it fails as expressions do. */
export function outcomeOf(text: string, data: Plain): string {
  try {
    return shown(evaluateExpression(parseExpression(text), valueFrom(data)));
  } catch (error) {
    if (error instanceof ExpressionError) return 'error';
    throw error;
  }
}
