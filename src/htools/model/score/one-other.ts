/**
 * Sums and deviations of the same values with one of them another, for many such others: each to the last bit
 * as if it were added up alone, in order.
 *
 * Sums that have come to the same figure go on as one. Where equal values change by the same, where that
 * happens is only told by rounding: the sums of 320 equal nodes come to a handful of figures.
 */
import { groupedBy } from '../../../kit/grouped.ts';
import { METRIC_COUNT, METRICS } from './metrics.ts';
import type { Scorer } from './scorer.ts';
import { IS_DEVIATION } from './statistics.ts';

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
  const found = new Float64Array(places.length);
  for (let k = 0; k < found.length; k++) found[k] = sums[sumOf[k]!]!;
  return found;
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

/**
 * The scores with other contributions of one node, for each of some nodes by itself.
 * @param nodes online ones that are scored, ascending
 * @param rows their other contributions: `rows[node * METRIC_COUNT + metric]`
 */
export function scoresWith(scorer: Scorer, nodes: readonly number[], rows: Float64Array): Float64Array {
  const { weights } = scorer.state;
  const crowding = scorer.crowding();
  const scores = new Float64Array(nodes.length);
  const found: Float64Array[] = [];
  for (let m = 0; m < METRIC_COUNT; m++) {
    let twin = 0;
    while (twin < m && !areLike(scorer, twin, m, nodes, rows)) twin++;
    const values = twin < m ? found[twin]! : valuesWith(scorer, m, crowding, nodes, rows);
    found.push(values);
    for (let k = 0; k < nodes.length; k++) scores[k]! += weights[m]! * values[k]!;
  }
  return scores;
}

/** Whether two metrics have the same values, also with those contributions. */
function areLike(
  { counted, rows: now }: Scorer,
  a: number,
  b: number,
  nodes: readonly number[],
  rows: Float64Array,
): boolean {
  if (METRICS[a]!.combination !== METRICS[b]!.combination || counted[a] !== counted[b]) return false;
  for (const n of nodes) if (rows[n * METRIC_COUNT + a] !== rows[n * METRIC_COUNT + b]) return false;
  for (const n of counted[a]!) if (now[n * METRIC_COUNT + a] !== now[n * METRIC_COUNT + b]) return false;
  return true;
}

/** A metric with each of those contributions. */
function valuesWith(
  scorer: Scorer,
  m: number,
  crowding: number,
  nodes: readonly number[],
  rows: Float64Array,
): Float64Array {
  const counted = scorer.counted[m]!;
  const values = new Float64Array(nodes.length).fill(scorer.now.value(m, crowding));
  const changed: number[] = [];
  const places: number[] = [];
  const others: number[] = [];
  for (let k = 0, place = 0; k < nodes.length && place < counted.length; place++) {
    while (nodes[k]! < counted[place]!) k++;
    const at = counted[place]! * METRIC_COUNT + m;
    if (nodes[k] !== counted[place] || scorer.rows[at] === rows[at]) continue;
    changed.push(k);
    places.push(place);
    others.push(rows[at]!);
  }
  if (changed.length === 0) return values;
  const column = new Float64Array(counted.length);
  for (let j = 0; j < counted.length; j++) column[j] = scorer.rows[counted[j]! * METRIC_COUNT + m]!;
  const found = (IS_DEVIATION[m] ? deviationsWith : sumsWith)(column, places, others);
  for (let at = 0; at < changed.length; at++) values[changed[at]!] = found[at]!;
  return values;
}
