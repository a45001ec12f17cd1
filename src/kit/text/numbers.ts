/**
 * Values as the stock programs write and read them: the byte contract of text files, reports and options.
 * Source: Haskell 2010 report, chapters 6, 9 and 11.4 (`Show`, `Read`), and `printf` of its standard library.
 */
import { roundDigits, shortestDigits } from './digits.ts';

/** A whole number in decimal; any double that holds one is written in full. */
export const showInt = (x: number): string => (Number.isSafeInteger(x) ? `${x}` : BigInt(x).toString());

/** `show` of a Double: `4.0`, `0.1`, `1.0e-2`, `1.0e7`, `NaN`, `-Infinity`. */
export const showDouble = (x: number): string =>
  formatSigned(x, (magnitude) =>
    magnitude !== 0 && (magnitude < 0.1 || magnitude >= 1e7)
      ? shortestExponential(magnitude)
      : shortestFixed(magnitude),
  );

/** printf `%.Nf`, or `%f`, the shortest form. Rounds the shortest decimal form, ties to even, unlike C. */
export const printfFixed = (x: number, digits?: number): string =>
  formatSigned(x, (magnitude) =>
    digits === undefined ? shortestFixed(magnitude) : roundedFixed(magnitude, digits),
  );

/** printf `%.Ng`: from 0.1 to 10^7 N decimals, else with an exponent (`1.000000e-2`), unlike C. */
export const printfGeneral = (x: number, digits: number): string =>
  formatSigned(x, (magnitude) =>
    magnitude !== 0 && (magnitude < 0.1 || magnitude >= 1e7)
      ? roundedExponential(magnitude, digits)
      : roundedFixed(magnitude, digits),
  );

function formatSigned(x: number, format: (magnitude: number) => string): string {
  if (Number.isNaN(x)) return 'NaN';
  const sign = x < 0 || Object.is(x, -0) ? '-' : '';
  const magnitude = Math.abs(x);
  return sign + (magnitude === Number.POSITIVE_INFINITY ? 'Infinity' : format(magnitude));
}

function shortestFixed(magnitude: number): string {
  const { digits, exponent } = shortestDigits(magnitude);
  if (exponent <= 0) return `0.${'0'.repeat(-exponent)}${digits.join('')}`;
  const whole = digits.slice(0, exponent).join('').padEnd(exponent, '0');
  return `${whole}.${digits.slice(exponent).join('') || '0'}`;
}

function shortestExponential(magnitude: number): string {
  const { digits, exponent } = shortestDigits(magnitude);
  return `${digits[0]}.${digits.slice(1).join('') || '0'}e${exponent - 1}`;
}

function roundedFixed(magnitude: number, decimals: number): string {
  const { digits, exponent } = shortestDigits(magnitude);
  const leading = Math.max(0, -exponent);
  const padded = leading > 0 ? [...new Array<number>(leading).fill(0), ...digits] : digits;
  const wholeCount = Math.max(0, exponent);
  const rounded = roundDigits(decimals + wholeCount, padded);
  const cut = wholeCount + rounded.carry;
  const whole = rounded.digits.slice(0, cut).join('') || '0';
  return decimals === 0 ? whole : `${whole}.${rounded.digits.slice(cut).join('')}`;
}

function roundedExponential(magnitude: number, digits: number): string {
  const shortest = shortestDigits(magnitude);
  const decimals = Math.max(digits, 1);
  const { carry, digits: rounded } = roundDigits(decimals + 1, shortest.digits);
  const kept = rounded.slice(0, decimals + 1);
  return `${kept[0]}.${kept.slice(1).join('')}e${shortest.exponent - 1 + carry}`;
}

interface Reading {
  readonly value: number;
  readonly rest: string;
}

/** White space as the stock reader knows it: no line or paragraph separators, no byte order mark. */
const SPACE = '[\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]*';
const NUMBER = '0[xX][0-9a-fA-F]+|0[oO][0-7]+|[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?';
const OPENING = new RegExp(`^${SPACE}\\(`);
const CLOSING = new RegExp(`^${SPACE}\\)`);
const SIGNED_NUMBER = new RegExp(`^${SPACE}(?:(-)${SPACE})?(${NUMBER})`);
/** Made where it is asked for: the classes of Unicode take 0.3 ms, and next to nobody writes such numbers. */
const signedName = (): RegExp =>
  new RegExp(`^${SPACE}(?:(-)${SPACE})?(NaN|Infinity)(?![\\p{L}\\p{M}\\p{N}_'])`, 'u');

const PLAIN_INT = /^[0-9]{1,15}$/;
const WHOLE = /^(?:[0-9]+|0[xX][0-9a-fA-F]+|0[oO][0-7]+)$/;
/** More parentheses than anybody writes; keeps a file full of them from costing much. */
const MAX_PARENTHESES = 64;

/**
 * `reads` of an Int: leading space, a minus, `0x1F`, `0o17`, parentheses; no fraction or exponent. Beyond
 * 2^53 the nearest double (stock wraps around at 2^63). @returns undefined when none stands at the beginning.
 */
export const readsInt = (text: string): Reading | undefined =>
  readsIn(text, 0, (inner) => {
    const match = SIGNED_NUMBER.exec(inner);
    return match && WHOLE.test(match[2]!) ? match : null;
  });

/** `reads` of a Double: what readsInt takes, fractions, exponents, `NaN`, `Infinity` (not `.5` or `5.`). */
export const readsDouble = (text: string): Reading | undefined =>
  readsIn(text, 0, (inner) => SIGNED_NUMBER.exec(inner) ?? signedName().exec(inner));

/** @param matchBare what stands in no parentheses: a minus and a number, each with a group of its own */
function readsIn(
  text: string,
  depth: number,
  matchBare: (text: string) => RegExpExecArray | null,
): Reading | undefined {
  const opening = OPENING.exec(text);
  if (!opening) {
    const match = matchBare(text);
    const value = Number(match?.[2]);
    return match ? { value: match[1] ? -value : value, rest: text.slice(match[0].length) } : undefined;
  }
  if (depth === MAX_PARENTHESES) return undefined;
  const inner = readsIn(text.slice(opening[0].length), depth + 1, matchBare);
  const closing = inner && CLOSING.exec(inner.rest);
  return closing ? { value: inner.value, rest: inner.rest.slice(closing[0].length) } : undefined;
}

/** The whole text as an Int; undefined when it is not one. See readsInt for what is taken. */
export const readInt = (text: string): number | undefined => readWhole(text, readsInt);

/** The whole text as a Double; undefined when it is not one. See readsDouble for what is taken. */
export const readDouble = (text: string): number | undefined => readWhole(text, readsDouble);

function readWhole(text: string, reads: (text: string) => Reading | undefined): number | undefined {
  if (PLAIN_INT.test(text)) return Number(text);
  const reading = reads(text);
  return reading?.rest === '' ? reading.value : undefined;
}

/**
 * Why a text was refused, in the stock programs' words (byte contract). @param reads whichever refused it.
 */
export function explainRefusedNumber(text: string, reads: (text: string) => Reading | undefined): string {
  const reading = reads(text);
  return reading
    ? `leftover characters when parsing '${text}': '${reading.rest}'`
    : `cannot parse string '${text}'`;
}

/** Names of the control characters 0 to 31. */
const CONTROL_NAMES = [
  ...'NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI'.split(' '),
  ...'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(' '),
];
const DELETE_CODE = 127;

function showCharacter(character: string, next: string | undefined): string {
  if (character === '"') return '\\"';
  if (character === '\\') return '\\\\';
  const code = character.codePointAt(0)!;
  if (code === DELETE_CODE) return '\\DEL';
  const name = CONTROL_NAMES[code];
  if (name !== undefined) {
    // `\SO` in front of an H would read as `\SOH`.
    return name === 'SO' && next === 'H' ? '\\SO\\&' : `\\${name}`;
  }
  if (code < DELETE_CODE) return character;
  return next !== undefined && /^[0-9]$/.test(next) ? `\\${code}\\&` : `\\${code}`;
}

/** `show` of a String: in double quotes, with everything outside of ASCII as a decimal code. */
export function showString(text: string): string {
  const characters = [...text];
  return `"${characters.map((character, at) => showCharacter(character, characters[at + 1])).join('')}"`;
}

/** `show` of a list whose elements are shown already. */
export const showList = (shown: readonly string[]): string => `[${shown.join(',')}]`;
