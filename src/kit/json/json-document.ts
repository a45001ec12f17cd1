/**
 * JSON of the iallocator protocol: fast when right, the stock programs' words when not. Stock keeps members
 * in the document's order, and Ganeti's indices follow from it; JavaScript puts whole numbers first, so
 * documents with such names are read by the slow scanner.
 */
import { scanJson } from './json-scanner.ts';
import { isObject, type JsonValue, type ParsedDocument } from './json-value.ts';

/** No sensible document opens so many lists at once; a file full of them takes JSON.parse half a minute. */
const SENSELESS_NESTING = '['.repeat(64);

/** Whether a text is one of those that only cost time. */
export const isSenselesslyNested = (text: string): boolean => text.includes(SENSELESS_NESTING);

/** A text as JSON of whatever form; `reason` where it is none. */
export function readJson(text: string): { readonly value?: unknown; readonly reason?: string } {
  if (isSenselesslyNested(text)) return { reason: 'nested too deeply' };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { reason: (error as SyntaxError).message };
  }
}

/** @param ordered names of members of the outermost object whose own members' order matters. */
export function parseDocument(text: string, ordered: readonly string[]): ParsedDocument {
  const first = text[0];
  if (first !== '{' && first !== '[')
    return { problem: 'Invalid JSON: a JSON text a serialized object or array at the top level.' };
  if (isSenselesslyNested(text)) return { problem: 'Malformed JSON: nested too deeply' };
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return scanJson(text);
  }
  return isObject(value) && ordered.some((name) => startsWithWholeNumber(value[name]))
    ? scanJson(text)
    : { value };
}

/** Such names always come first, so one look is enough. */
const startsWithWholeNumber = (value: JsonValue | undefined): boolean =>
  isObject(value) && /^(?:0|[1-9][0-9]*)$/.test(Object.keys(value)[0] ?? '');
