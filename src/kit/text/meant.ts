/** What was probably meant by a word that is not known; loaded only then. */
import { closest, distance } from 'fastest-levenshtein';
import type { UnknownWord } from '../faults.ts';

/** More slips of the pen than one in so many letters make another word. */
const LETTERS_PER_SLIP = 3;

/** The known word that is most like it, unless none is. */
export function meant(word: string, known: readonly string[]): string | undefined {
  const best = closest(word, [...known]);
  return distance(word, best) <= Math.max(1, word.length / LETTERS_PER_SLIP) ? best : undefined;
}

/** Without their "Maybe". */
export function withMeant(remedy: string, unknown: readonly UnknownWord[]): string {
  const words = unknown.flatMap(({ word, known }) => meant(word, known) ?? []);
  return words.length === 0 ? remedy : `you meant ${words.join(', ')}; ${remedy}`;
}
