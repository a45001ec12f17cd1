import { compile, Dict, type Plain, type Value } from '../../../src/disk/expressions/index.ts';

/** Data as values: a whole number becomes an integer, any other a float. */
export function valueFrom(plain: Plain): Value {
  if (typeof plain === 'number') return Number.isSafeInteger(plain) ? BigInt(plain) : plain;
  if (plain === null || typeof plain !== 'object') return plain;
  if (Array.isArray(plain)) return plain.map(valueFrom);
  return new Dict(Object.entries(plain).map(([name, item]) => [name, valueFrom(item)]));
}

/** The value of an expression over what JSON.parse gives as `$`: whole numbers are integers. */
export const evaluateOver = (text: string, data: Plain): Plain => compile(text).over(valueFrom(data));
