/**
 * Numbers and sizes as the stock programs read them from a command line.
 *
 * Source: the `Read` instances of Haskell 2010 (Int, Double): space in front but not behind, any number of parentheses, a minus
 * sign but no plus, hexadecimal and octal; digits on both sides of a decimal point; integers refuse `1e3` and wrap at 64 bits.
 */

/** A value, or the reason why there is none. */
export type Reading<T> = { readonly value: T } | { readonly fault: string };

/** A number at the start of a text, and the rest of the text. */
interface Prefix {
  readonly value: number;
  readonly rest: string;
}

const HEX_OR_OCTAL = '0[xX][0-9a-fA-F]+|0[oO][0-7]+';
const DECIMAL = '\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const NAMED = "(?:NaN|Infinity)(?![\\w'])";

const NUMBER = new RegExp(`^((?:\\s*\\()*)\\s*(-?)\\s*(${HEX_OR_OCTAL}|${DECIMAL}|${NAMED})`);
const INTEGER = new RegExp(`^(?:${HEX_OR_OCTAL}|\\d+)$`);
const CLOSING_PARENTHESIS = /^\s*\)/;
const WORD_BITS = 64;

/** Takes sign, digits and parentheses off the front; undefined when there is no number. */
function scanNumber(text: string, convert: (digits: string) => number | undefined): Prefix | undefined {
  const match = NUMBER.exec(text);
  if (!match) return undefined;
  const [whole, opening, sign, digits] = match as unknown as [string, string, string, string];
  const magnitude = convert(digits);
  if (magnitude === undefined) return undefined;
  let rest = text.slice(whole.length);
  for (let open = opening.replace(/\s/g, '').length; open > 0; open -= 1) {
    const closing = CLOSING_PARENTHESIS.exec(rest);
    if (!closing) return undefined;
    rest = rest.slice(closing[0].length);
  }
  return { value: sign === '-' ? -magnitude : magnitude, rest };
}

const integerPrefix = (text: string): Prefix | undefined =>
  scanNumber(text, (digits) =>
    INTEGER.test(digits) ? Number(BigInt.asIntN(WORD_BITS, BigInt(digits))) : undefined,
  );

const floatPrefix = (text: string): Prefix | undefined => scanNumber(text, Number);

function whole(label: string, text: string, prefix: Prefix | undefined): Reading<number> {
  if (!prefix) return { fault: `${label}: cannot parse string '${text}'` };
  if (prefix.rest !== '')
    return { fault: `${label}: leftover characters when parsing '${text}': '${prefix.rest}'` };
  return { value: prefix.value };
}

/** Reads an integer. `label` is what the fault calls it. */
export const readInteger = (label: string, text: string): Reading<number> =>
  whole(label, text, integerPrefix(text));

/** Reads a decimal number; `NaN` and `Infinity` are numbers, too. `label` is what the fault calls it. */
export const readFloat = (label: string, text: string): Reading<number> =>
  whole(label, text, floatPrefix(text));

/** Numerator and denominator of a unit in MiB: lower case letters and -iB count by 1024, the others by 1000. */
const KILO_PER_KIBI = { numerator: 1000n ** 2n, denominator: 1024n ** 2n };
const unitInMib = (unit: string): readonly [bigint, bigint] | undefined => {
  const upper = unit.toUpperCase();
  if (unit === '' || unit === 'm' || upper === 'MIB') return [1n, 1n];
  if (unit === 'g' || upper === 'GIB') return [1024n, 1n];
  if (unit === 't' || upper === 'TIB') return [1024n ** 2n, 1n];
  const { numerator, denominator } = KILO_PER_KIBI;
  if (unit === 'M' || upper === 'MB') return [numerator, denominator];
  if (unit === 'G' || upper === 'GB') return [numerator * 1000n, denominator];
  if (unit === 'T' || upper === 'TB') return [numerator * 1000n ** 2n, denominator];
  return undefined;
};

/** Reads a size, an integer with an optional unit, in MiB (cut to a whole number). */
export function readSizeMib(text: string): Reading<number> {
  const prefix = integerPrefix(text);
  if (!prefix) return { fault: `Can't parse string '${text}'` };
  const unit = prefix.rest.replace(/^ +/, '');
  const factor = unitInMib(unit);
  if (!factor) return { fault: `Unknown unit '${unit}'` };
  return { value: Number((BigInt(prefix.value) * factor[0]) / factor[1]) };
}
