/** Lines `KEY=value` for shells: of a program, or all values of a document. */
import { quoted } from '../text/words.ts';

/** Whether a shell takes the value as it is: only letters, digits and dots. */
const isPlain = (value: string): boolean => /^[\p{L}\p{N}.]*$/u.test(value);

/** One line; a value with anything but letters, digits and dots is quoted. Source: stock's printKeys. */
export const keyValue = (prefix: string, key: string, value: string): string =>
  `${prefix}_${key.toUpperCase()}=${isPlain(value) ? value : quoted(value)}\n`;

/** Lines of several; flags as 1 and 0. */
export const keyValues = (
  prefix: string,
  values: Readonly<Record<string, string | number | boolean>>,
): string =>
  Object.entries(values)
    .map(([key, value]) => keyValue(prefix, key, `${typeof value === 'boolean' ? Number(value) : value}`))
    .join('');

/** `PROGRAM_OK=1`, the last line: what is cut off lacks it. */
export const finalKey = (prefix: string): string => keyValue(prefix, 'OK', '1');

type Line = readonly [key: string, value: string];

/** `copiedMib` as `COPIED_MIB`; what no name of a shell may have becomes `_`. */
const keyOf = (member: string): string =>
  member
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, '_');

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** As in JSON, a number that arithmetic has not is none. */
function plainText(value: unknown): string {
  if (typeof value === 'boolean') return String(Number(value));
  return value === null || (typeof value === 'number' && !Number.isFinite(value)) ? '' : String(value);
}

/** Of names that come to one key, the later ones have a number. @param taken the keys of a document so far */
function ownKey(key: string, taken: Set<string>): string {
  let own = key;
  for (let count = 2; taken.has(own); count++) own = `${key}_${count}`;
  taken.add(own);
  return own;
}

/** Their length under `COUNT`, entries numbered from 0; plain ones are one value with blanks. */
function linesOfList(path: string, list: readonly unknown[], taken: Set<string>): readonly Line[] {
  const length: Line = [ownKey(`${path}_COUNT`, taken), String(list.length)];
  const entries = list.some(isObject)
    ? list.flatMap((one, at) => linesOf(ownKey(`${path}_${at}`, taken), one, taken))
    : [[path, list.map(String).join(' ')] as const];
  return [length, ...entries];
}

function linesOf(path: string, value: unknown, taken: Set<string>): readonly Line[] {
  if (Array.isArray(value)) return linesOfList(path, value, taken);
  if (!isObject(value)) return [[path, plainText(value)]];
  return Object.entries(value).flatMap(([member, one]) => {
    if (one === undefined) return [];
    return linesOf(ownKey(path === '' ? keyOf(member) : `${path}_${keyOf(member)}`, taken), one, taken);
  });
}

/** All lines of a document. @param isWell whether nothing failed of what it tells */
export function flatKeys(program: string, document: object, isWell: boolean): string {
  const prefix = keyOf(program);
  const lines = linesOf('', document, new Set()).map(([key, value]) => keyValue(prefix, key, value));
  return lines.join('') + (isWell ? finalKey(prefix) : '');
}
