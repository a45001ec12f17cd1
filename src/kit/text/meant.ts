/** What was probably meant by a word that nobody knows. */
import { closest, distance } from 'fastest-levenshtein';

/** More slips of the pen than one in so many letters make another word. */
const LETTERS_PER_SLIP = 3;

/** The known word that is most like it, unless none is. */
export function meant(word: string, known: readonly string[]): string | undefined {
  const best = closest(word, [...known]);
  return distance(word, best) <= Math.max(1, word.length / LETTERS_PER_SLIP) ? best : undefined;
}
