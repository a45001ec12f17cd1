/**
 * JSON as the stock hail encodes it (byte contract): no blanks, everything outside of printable ASCII
 * escaped.
 *
 * Ganeti's client reads the answer as ASCII, so an unescaped name would break it.
 */
import { showDouble, showInt } from '../text/numbers.ts';

export type AnswerValue =
  | string
  | number
  | boolean
  | readonly AnswerValue[]
  | { readonly [name: string]: AnswerValue };

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};
const HEX_DIGITS = 4;

function encodeString(text: string): string {
  const escaped = text.replace(/["\\\x00-\x1f\x7f-\uffff]/g, (unit) => {
    return SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(HEX_DIGITS, '0')}`;
  });
  return `"${escaped}"`;
}

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
