/** What was probably meant by a word that is not known; loaded only then. */
import { closest, distance } from 'fastest-levenshtein';

/** More slips of the pen than one in so many letters make another word. */
const LETTERS_PER_SLIP = 3;

const lettersOf = (word: string): string => [...word.toLowerCase()].sort().join('');

/** The known word that is most like it, unless none is; mixed letters and capitals are one slip. */
export function meant(word: string, known: readonly string[]): string | undefined {
  const mixed = known.find((one) => lettersOf(one) === lettersOf(word));
  if (mixed !== undefined) return mixed;
  const best = closest(word, [...known]);
  const letters = word.replace(/^-+/, '').length;
  return distance(word, best) <= Math.max(1, letters / LETTERS_PER_SLIP) ? best : undefined;
}

/** A remedy, without its "Maybe". @param unknown words, each with those that are known in its place */
export function withMeant(
  remedy: string,
  unknown: readonly { readonly word: string; readonly known: readonly string[] }[],
): string {
  const words = unknown.flatMap(({ word, known }) => meant(word, known) ?? []);
  return words.length === 0 ? remedy : `you meant ${words.join(', ')}; ${remedy}`;
}
