/** Sentences on lines that fit a terminal. */
import { textWidth } from './text-table.ts';

export const LINE_WIDTH = 80;

/** A blank where a line may end: not between a figure and its unit. */
const GAP = / (?!(?:MiB|GiB|TiB|vcpus|days?|h|min|s)(?![a-z]))/;

/**
 * The text on lines; a word longer than one has it to itself. @param indent of the first line; further ones
 * have two blanks more
 */
export function wrapped(indent: string, text: string): string {
  const further = `${' '.repeat(textWidth(indent))}  `;
  const lines: string[] = [];
  let line = indent;
  let isEmpty = true;
  for (const word of text.split(GAP)) {
    if (!isEmpty && textWidth(line) + 1 + textWidth(word) > LINE_WIDTH) {
      lines.push(line);
      line = further;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].map((one) => `${one}\n`).join('');
}
