/**
 * JSON as the stock hail encodes it (byte contract): no blanks, ASCII only, as Ganeti's client reads it so.
 */
import { showDouble, showInt } from '../text/numbers.ts';

export type AnswerValue =
  | string
  | number
  | boolean
  | readonly AnswerValue[]
  | { readonly [name: string]: AnswerValue };

const HEX_DIGITS = 4;

const encodeString = (text: string): string =>
  JSON.stringify(text).replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(HEX_DIGITS, '0')}`,
  );

/** One line, without a newline. Members keep their order. */
export function encodeAnswer(value: AnswerValue): string {
  if (typeof value === 'string') return encodeString(value);
  // JSON has no word for a score that is not a number.
  if (typeof value === 'number') return encodeNumber(value);
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(encodeAnswer).join(',')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${encodeString(name)}:${encodeAnswer(member)}`,
  );
  return `{${members.join(',')}}`;
}

const encodeNumber = (x: number): string =>
  Number.isFinite(x) ? (Number.isInteger(x) ? showInt(x) : showDouble(x)) : 'null';

const isList = (value: AnswerValue): value is readonly AnswerValue[] => Array.isArray(value);
