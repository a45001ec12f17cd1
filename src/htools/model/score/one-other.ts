/**
 * Sums and deviations of the same values with one of them another, for many such others: each to the last bit
 * as if it were added up alone, in order.
 *
 * Sums that have come to the same figure go on as one. Where equal values change by the same, where that
 * happens is only told by rounding: the sums of 320 equal nodes come to a handful of figures.
 */
import { groupedBy } from '../../../kit/grouped.ts';

/** @param places ascending, of the values that are replaced, one at a time @param others what stands there */
export function sumsWith(
  values: Float64Array,
  places: readonly number[],
  others: ArrayLike<number>,
): Float64Array {
  const sums = new Float64Array(places.length);
  const sumOf = new Int32Array(places.length);
  let count = 0;
  let before = 0;
  for (let j = 0, k = 0; j < values.length; j++) {
    const value = values[j]!;
    for (let s = 0; s < count; s++) sums[s]! += value;
    if (places[k] === j) {
      const sum = before + others[k]!;
      let s = 0;
      while (s < count && sums[s] !== sum) s++;
      if (s === count) sums[count++] = sum;
      sumOf[k++] = s;
    }
    before += value;
  }
  return Float64Array.from(sumOf, (s) => sums[s]!);
}

/** Multiplied as stock does: a power may be rounded otherwise. */
const square = (x: number): number => x * x;

/** The same for standard deviations: the mean first, then the squares. */
export function deviationsWith(
  values: Float64Array,
  places: readonly number[],
  others: ArrayLike<number>,
): Float64Array {
  const sums = sumsWith(values, places, others);
  const deviations = new Float64Array(places.length);
  const squares = new Float64Array(values.length);
  for (const [sum, same] of groupedBy(sums.keys(), (k) => sums[k]!)) {
    const mean = sum / values.length;
    for (let j = 0; j < values.length; j++) squares[j] = square(values[j]! - mean);
    const found = sumsWith(
      squares,
      same.map((k) => places[k]!),
      same.map((k) => square(others[k]! - mean)),
    );
    for (let at = 0; at < same.length; at++) deviations[same[at]!] = Math.sqrt(found[at]! / values.length);
  }
  return deviations;
}
