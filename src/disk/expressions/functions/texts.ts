/** Texts. Characters are code points. */
import { ANY, both, type Call, type FunctionDefinition, type FunctionTable, method } from '../values/call.ts';
import { isCollection, isEqual } from '../values/value.ts';
import { textOf } from './conversions.ts';
import { matches } from './pattern.ts';
import { placeWhere } from './reducing.ts';

const BLANKS = ' \t\n\r\v\f\u001c\u001d\u001e\u001f\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000';
const isBlank = (character: string): boolean =>
  BLANKS.includes(character) || (character >= '\u2000' && character <= '\u200a');

function trimmed(call: Call, fromStart: boolean, fromEnd: boolean): string {
  const characters = [...call.text(0)];
  const cut = call.optionalText(1);
  const isCut = cut === undefined ? isBlank : (character: string) => cut.includes(character);
  let start = 0;
  let end = characters.length;
  call.step(characters.length * (cut?.length ?? 1));
  while (fromStart && start < end && isCut(characters[start]!)) start++;
  while (fromEnd && end > start && isCut(characters[end - 1]!)) end--;
  return characters.slice(start, end).join('');
}

function pieces(call: Call): readonly string[] {
  const text = call.made(call.text(0));
  const separator = call.optionalText(1);
  const most = call.integer(2, -1);
  if (separator === '') return call.fail('split() takes no empty separator');
  if (separator === undefined) return wordsOf(text, most);
  const parts = text.split(separator);
  return most < 0 || parts.length <= most + 1
    ? parts
    : [...parts.slice(0, most), parts.slice(most).join(separator)];
}

/** What stands between blanks; after `most` cuts the rest as it is. */
function wordsOf(text: string, most: number): readonly string[] {
  const words: string[] = [];
  const characters = [...text];
  for (let at = 0; ; ) {
    while (at < characters.length && isBlank(characters[at]!)) at++;
    if (at === characters.length) return words;
    if (words.length === most) return [...words, characters.slice(at).join('')];
    const start = at;
    while (at < characters.length && !isBlank(characters[at]!)) at++;
    words.push(characters.slice(start, at).join(''));
  }
}

/** Place of the first (or last) occurrence, in characters; -1 when there is none. */
function placeOf(call: Call, isLast: boolean): bigint {
  const whole = call.value(0);
  if (typeof whole !== 'string') {
    if (call.count > 2) return call.fail(`${call.name}() of a list takes no place to start from`);
    return placeWhere(call, isLast, (item) => isEqual(item, call.value(1)));
  }
  const characters = [...call.made(whole)];
  const start = call.integer(2, 0);
  const from = start < 0 ? Math.max(0, start + characters.length) : start;
  const wanted = call.text(1);
  // Behind the end nothing is found, not even nothing.
  if (from > characters.length) return -1n;
  const rest = characters.slice(from).join('');
  const unit = isLast ? rest.lastIndexOf(wanted) : rest.indexOf(wanted);
  return unit < 0 ? -1n : BigInt(from + [...rest.slice(0, unit)].length);
}

function substring(call: Call): string {
  const characters = [...call.made(call.text(0))];
  const given = call.integer(1);
  const length = call.integer(2, -1);
  const start = given < 0 ? given + characters.length : given;
  const end = start + (length < 0 ? characters.length : length);
  return characters.slice(start, end).join('');
}

function replaced(call: Call): string {
  const [text, from, to] = [call.text(0), call.text(1), call.text(2)];
  const most = call.integer(3, -1);
  const parts = from === '' ? ['', ...text, ''] : text.split(from);
  const count = most < 0 ? parts.length - 1 : Math.min(most, parts.length - 1);
  call.bytes(2 * (text.length + count * to.length));
  return (
    parts
      .slice(0, count)
      .map((part) => part + to)
      .join('') + parts.slice(count).join(from)
  );
}

function joined(call: Call): string {
  const isTextFirst = typeof call.value(0) === 'string';
  const separator = call.text(isTextFirst ? 0 : 1);
  const parts: string[] = [];
  for (const item of call.items(isTextFirst ? 1 : 0)) {
    parts.push(textOf(item, call));
    call.bytes(2 * (parts.at(-1)!.length + separator.length));
  }
  return parts.join(separator);
}

const some = (test: (text: string, part: string) => boolean): FunctionDefinition =>
  method([1, ANY], (call) => {
    const [text, ...parts] = call.operands.map((_, at) => call.text(at));
    return parts.some((part) => test(text!, part));
  });

export const TEXTS: FunctionTable = {
  toLower: method(1, (call) => call.made(call.text(0).toLowerCase())),
  toUpper: method(1, (call) => call.made(call.text(0).toUpperCase())),
  trim: method([1, 2], (call) => call.made(trimmed(call, true, true))),
  trimLeft: method([1, 2], (call) => call.made(trimmed(call, true, false))),
  trimRight: method([1, 2], (call) => call.made(trimmed(call, false, true))),
  split: method([1, 3], (call) => call.list(pieces(call))),
  substring: method([2, 3], substring),
  replace: method([3, 4], replaced),
  /** Of the items of a list, or of the list given to a separator. */
  join: method(2, joined),
  startsWith: some((text, part) => text.startsWith(part)),
  endsWith: some((text, part) => text.endsWith(part)),
  /** In a text or in a list. */
  indexOf: method([2, 3], (call) => placeOf(call, false)),
  lastIndexOf: method([2, 3], (call) => placeOf(call, true)),
  toCharArray: method(1, (call) => call.list(call.made(call.text(0)))),
  /** Whether a regular expression fits anywhere in a text. */
  matches: method(2, (call) => matches(call.text(0), call.text(1), call)),
  isEmpty: both(1, (call) => {
    const value = call.value(0);
    if (isCollection(value)) return call.fail('isEmpty() is about texts', 'write not list.any()');
    return value === null || trimmed(call, true, true) === '';
  }),
};
