/**
 * Places of the scores, lowest first; of equals the **last**, since stock collects back to front. In one
 * scope all scores are numbers or, where an online node lacks memory, cpus or spindles altogether, none is:
 * stock's sort takes what is no number for greater than all, which turns a list of them round once more.
 */
export function ascendingPlaces(scores: readonly number[]): number[] {
  const places = [...scores.keys()];
  return scores.some(Number.isNaN) ? places : places.reverse().sort((a, b) => scores[a]! - scores[b]!);
}
