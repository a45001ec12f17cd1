/**
 * Sorting by score as the stock programs do it, scores that are not numbers included.
 *
 * A merge sort over natural runs. For numbers any stable sort gives the same order; a score that is not a
 * number compares as greater with everything, so that a list of them is one falling run and comes out
 * reversed.
 */

const isGreater = (a: number, b: number): boolean => !(a <= b);

/** Rising runs of the list; falling ones are turned round. */
function runsOf(scores: readonly number[], items: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (let k = 0; k < items.length; ) {
    const run = [items[k]!];
    const score = (at: number): number => scores[items[at]!]!;
    let next = k + 1;
    const isFalling = next < items.length && isGreater(score(k), score(next));
    while (next < items.length && isGreater(score(next - 1), score(next)) === isFalling)
      run.push(items[next++]!);
    runs.push(isFalling ? run.reverse() : run);
    k = next;
  }
  return runs;
}

function merge(scores: readonly number[], a: readonly number[], b: readonly number[]): number[] {
  const merged: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (isGreater(scores[a[i]!]!, scores[b[j]!]!)) merged.push(b[j++]!);
    else merged.push(a[i++]!);
  }
  return [...merged, ...a.slice(i), ...b.slice(j)];
}

/** Place of the lowest score, of equals the last; one that is no number counts as equal to any. */
export function lastLowest(scores: readonly number[]): number {
  let lowest = 0;
  for (let k = 1; k < scores.length; k++) if (!(scores[lowest]! < scores[k]!)) lowest = k;
  return lowest;
}

/** Places of the scores, lowest first; of equals the **last**, since stock collects back to front. */
export function ascendingPlaces(scores: readonly number[]): number[] {
  const backToFront = [...scores.keys()].reverse();
  if (!scores.some(Number.isNaN)) return backToFront.sort((a, b) => scores[a]! - scores[b]!);
  let runs = runsOf(scores, backToFront);
  while (runs.length > 1) {
    const merged: number[][] = [];
    for (let k = 0; k < runs.length; k += 2) {
      const right = runs[k + 1];
      merged.push(right === undefined ? runs[k]! : merge(scores, runs[k]!, right));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}
