import { compile } from '../../../src/disk/expressions/index.ts';
import { type Plain, valueFrom } from '../../../src/disk/expressions/values/plain.ts';

/** The value of an expression over what JSON.parse gives as `$`: whole numbers are integers. */
export const evaluateOver = (text: string, data: Plain): Plain => compile(text).over(valueFrom(data));
