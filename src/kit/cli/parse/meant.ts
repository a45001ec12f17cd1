/** Remedies that begin with what was probably meant; loaded only where a word is not known. */
import type { UnknownWord } from '../../faults.ts';
import { meant } from '../../text/meant.ts';

/** Without their "Maybe". */
export function withMeant(remedy: string, unknown: readonly UnknownWord[]): string {
  const words = unknown.flatMap(({ word, known }) => meant(word, known) ?? []);
  return words.length === 0 ? remedy : `you meant ${words.join(', ')}; ${remedy}`;
}
