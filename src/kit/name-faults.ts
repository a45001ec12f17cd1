/** What may be a name or an item of a list, as it stands in files and commands. */
import type { ValueFault } from './faults.ts';
import { unprintableIn } from './printable.ts';

const DIVIDED = 'which separates the columns of text files';

/** Why a text is damaged, or made for a terminal to obey; undefined when all of it can be shown. */
export function characterFault(text: string): ValueFault | undefined {
  const found = unprintableIn(text);
  if (found === undefined) return undefined;
  const remedy = found === '\\r' ? 'convert the line ends of the file to line feeds only' : 'remove it';
  return { problem: `contains the character ${found}, which cannot be shown`, remedy };
}

function dividerFault(text: string, divider: RegExp): ValueFault | undefined {
  if (text === '') return { problem: 'is empty', remedy: 'give it at least one character' };
  const found = divider.exec(text);
  return found ? { problem: `contains '${found[0]}', ${DIVIDED}`, remedy: 'remove it' } : undefined;
}

/**
 * Why a text cannot name a thing; undefined when it can. Names become words of commands, so none may look
 * like an option. Ganeti allows none of what is refused here.
 */
export function nameFault(text: string): ValueFault | undefined {
  const fault = characterFault(text) ?? dividerFault(text, /\|/);
  if (fault) return fault;
  const remedy = 'rename it: Ganeti allows no such names';
  if (text.startsWith('-'))
    return { problem: 'starts with a dash, which commands would take for an option', remedy };
  return text.startsWith('.')
    ? { problem: 'starts with a dot, so that it has no short form', remedy }
    : undefined;
}

/** Why a text cannot be an item of a list; undefined when it can. */
export const itemFault = (text: string): ValueFault | undefined =>
  characterFault(text) ?? dividerFault(text, /[|,]/);
