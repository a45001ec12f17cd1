/** Amounts as reports for people have them, and sentences on lines that fit a terminal. */

import { MIB_PER_GIB, S_PER_HOUR, S_PER_MINUTE } from '../units.ts';
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

const S_PER_DAY = 24 * S_PER_HOUR;

/** GiB with one digit after the point; the unit is for the heading or the sentence to say. */
export const gib = (mib: number): string => (mib / MIB_PER_GIB).toFixed(1);

/** A duration to two units, such as `2 h 40 min`. */
export function duration(seconds: number): string {
  if (seconds < S_PER_MINUTE) return `${Math.ceil(seconds)} s`;
  const whole = Math.round(seconds / S_PER_MINUTE) * S_PER_MINUTE;
  const hours = Math.floor((whole % S_PER_DAY) / S_PER_HOUR);
  const minutes = (whole % S_PER_HOUR) / S_PER_MINUTE;
  if (whole < S_PER_HOUR) return `${minutes} min`;
  if (whole < S_PER_DAY) return `${hours} h ${minutes} min`;
  return `${Math.floor(whole / S_PER_DAY)} d ${hours} h`;
}
