/** Names of groups, nodes and instances: what may be one, short names, and finding one by a part of its name. */

import { unprintableIn } from './printable.ts';

/** Why a text is no name or tag (the words that follow "the name" or the field), and what to do about it. */
export interface NameFault {
  readonly problem: string;
  /** Without its "Maybe". */
  readonly remedy: string;
}

const DIVIDED = 'which separates the columns of text files';

/** Why a text is damaged, or made for a terminal to obey; undefined when all of it can be shown. */
export function characterFault(text: string): NameFault | undefined {
  const found = unprintableIn(text);
  return (
    found && {
      problem: `contains the character ${found.shown}, which cannot be shown`,
      remedy: found.shown === '\\r' ? 'convert the line ends of the file to line feeds only' : 'remove it',
    }
  );
}

function dividerFault(text: string, divider: RegExp): NameFault | undefined {
  if (text === '') return { problem: 'is empty', remedy: 'give it at least one character' };
  const found = divider.exec(text);
  return found ? { problem: `contains '${found[0]}', ${DIVIDED}`, remedy: 'remove it' } : undefined;
}

/**
 * Why a text cannot name a group, a node or an instance; undefined when it can. Names become words of commands, so none may look
 * like an option. Ganeti allows none of what is refused here.
 */
export function nameFault(text: string): NameFault | undefined {
  const fault = characterFault(text) ?? dividerFault(text, /\|/);
  if (fault) return fault;
  const remedy = 'rename it: Ganeti allows no such names';
  if (text.startsWith('-'))
    return { problem: 'starts with a dash, which commands would take for an option', remedy };
  return text.startsWith('.')
    ? { problem: 'starts with a dot, so that it has no short form', remedy }
    : undefined;
}

/** Why a text cannot be a tag, a network or another item of a list; undefined when it can. */
export const itemFault = (text: string): NameFault | undefined =>
  characterFault(text) ?? dividerFault(text, /[|,]/);

/** What a lookup found; `none` and `several` are no answer. */
export type NameMatch =
  | { readonly kind: 'exact' | 'partial'; readonly name: string }
  | { readonly kind: 'none' | 'several'; readonly name: string };

/**
 * Finds the full name that a user means: the name itself, or the only one that begins with the text and a dot
 * (`web1` for `web1.example.com`).
 * @returns the full name, or the text as it was given when it means no name or several.
 */
export function lookupName(names: Iterable<string>, text: string): NameMatch {
  const prefix = `${text}.`;
  let found: string | undefined;
  let isAmbiguous = false;
  for (const name of names) {
    if (name === text) return { kind: 'exact', name };
    if (!name.startsWith(prefix)) continue;
    if (found !== undefined) isAmbiguous = true;
    found = name;
  }
  if (found === undefined) return { kind: 'none', name: text };
  return isAmbiguous ? { kind: 'several', name: text } : { kind: 'partial', name: found };
}

/** Whether a lookup gave a name. */
export const isFound = (match: NameMatch): boolean => match.kind === 'exact' || match.kind === 'partial';

/**
 * The longest ending that begins with a dot and that all names share; empty when there is none.
 * Tables and steps show names without it.
 */
export function commonDomain(names: readonly string[]): string {
  let ending = names[0] ?? '';
  for (const name of names) {
    if (!name.endsWith(ending)) ending = ending.slice(ending.length - sharedLength(name, ending));
  }
  const dot = ending.indexOf('.');
  return dot < 0 ? '' : ending.slice(dot);
}

/** How many characters two texts have in common at their ends. */
function sharedLength(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let count = 0;
  while (count < limit && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++;
  return count;
}

/** The name without the shared ending. */
export const aliasOf = (name: string, domain: string): string => name.slice(0, name.length - domain.length);
