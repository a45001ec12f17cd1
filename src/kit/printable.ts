/**
 * Characters that a terminal obeys and does not show, or that turn the direction of writing around: what may
 * be in no name, and what is escaped wherever else text is echoed.
 */

/** Control and format characters (ESC, NUL, byte order mark, direction), line ends, halves of characters. */
const UNPRINTABLE = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}';
/** What names are made of, as schemas write it. */
export const PRINTABLE_TEXT = `[^${UNPRINTABLE}]`;
/** No literal, for V8 spends 0.2 ms on these classes as soon as it reads one, and most programs never ask. */
const unprintables = (): RegExp => new RegExp(`[${UNPRINTABLE}]`, 'gu');
const PLAIN = /^[\n -~]*$/;
const PLAIN_LINE = /^[ -~]*$/;

const HEX = 16;
const HEX_DIGITS = 4;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\n': '\\n' };

/** One character as `\u202e`, in halves where it takes two: so the form is right inside of JSON as well. */
const escaped = (character: string): string =>
  SHORT_ESCAPES[character] ??
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(HEX).padStart(HEX_DIGITS, '0')}`)
    .join('');

/** The text in one line that can be shown as it is. Other writing (`süd`) stays. */
export const printable = (text: string): string =>
  PLAIN_LINE.test(text) ? text : text.replace(unprintables(), escaped);

/** Like `printable`, for text of many lines: line ends stay. */
export const printableLines = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(unprintables(), (character) => (character === '\n' ? '\n' : escaped(character)));

const VALUE_LENGTH = 60;

/** A value as it is shown in a message: in one line, cut to a readable length. */
export const shorten = (text: string, length = VALUE_LENGTH): string =>
  printable(text.length > length ? `${text.slice(0, length)}...` : text);

/** The first character that cannot be shown, escaped; undefined: there is none. */
export function unprintableIn(text: string): string | undefined {
  if (PLAIN_LINE.test(text)) return undefined;
  const found = unprintables().exec(text);
  return found ? escaped(found[0]) : undefined;
}

/** Whether a text is a name that terminals show as it is, of so many characters at most. */
export const isPrintable = (text: string, mostLength: number): boolean =>
  text !== '' && text.length <= mostLength && unprintableIn(text) === undefined;
