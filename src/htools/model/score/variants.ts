/**
 * The scores of many variants of the cluster, a few nodes other in each: every one to the last bit as if it
 * were added up alone, in order.
 *
 * Sums that have come to the same figure go on as one. Where equal values change by the same, only rounding
 * tells them apart: the sums of thousands of variants of 320 equal nodes come to a handful of figures.
 */
import { groupedBy } from '../../../kit/grouped.ts';
import { METRIC_COUNT, METRICS } from './metrics.ts';
import type { Scorer } from './scorer.ts';

/** What stands at some places of a list instead, by variant; ascending by place, and each once a variant. */
export class Others {
  readonly places: number[] = [];
  readonly variants: number[] = [];
  readonly values: number[] = [];

  add(place: number, variant: number, value: number): void {
    this.places.push(place);
    this.variants.push(variant);
    this.values.push(value);
  }
}

/** Newest figures that a sum is compared with: where all differ, that must not cost more than to add up. */
const MOST_COMPARED = 64;

/** The sum of the values in each of `count` variants. */
export function sumsWith(values: Float64Array, others: Others, count: number): Float64Array {
  const { places, variants } = others;
  const sumOf = new Int32Array(count);
  /** The first is that of the values themselves. */
  const sums = new Float64Array(places.length + 1);
  const next = new Float64Array(places.length);
  let figures = 1;
  for (let j = 0, k = 0; j < values.length; j++) {
    const first = k;
    while (k < places.length && places[k] === j) {
      next[k] = sums[sumOf[variants[k]!]!]! + others.values[k]!;
      k++;
    }
    const value = values[j]!;
    for (let s = 0; s < figures; s++) sums[s]! += value;
    for (let at = first; at < k; at++) {
      const sum = next[at]!;
      let s = figures > MOST_COMPARED ? figures - MOST_COMPARED : 0;
      while (s < figures && sums[s] !== sum) s++;
      if (s === figures) sums[figures++] = sum;
      sumOf[variants[at]!] = s;
    }
  }
  const found = new Float64Array(count);
  for (let variant = 0; variant < count; variant++) found[variant] = sums[sumOf[variant]!]!;
  return found;
}

/** Multiplied as stock does: a power may be rounded otherwise. */
const square = (x: number): number => x * x;

/** The standard deviation of the values in each variant that has others: the mean first, then the squares. */
export function deviationsWith(values: Float64Array, others: Others, count: number): Float64Array {
  const { places, variants } = others;
  const sums = sumsWith(values, others, count);
  const deviations = new Float64Array(count);
  const squares = new Float64Array(values.length);
  for (const [sum, same] of groupedBy(places.keys(), (k) => sums[variants[k]!]!)) {
    const mean = sum / values.length;
    for (let j = 0; j < values.length; j++) squares[j] = square(values[j]! - mean);
    const squared = new Others();
    for (const k of same) squared.add(places[k]!, variants[k]!, square(others.values[k]! - mean));
    const found = sumsWith(squares, squared, count);
    for (const variant of squared.variants) deviations[variant] = Math.sqrt(found[variant]! / values.length);
  }
  return deviations;
}

/** What a node contributes instead, METRIC_COUNT figures from `at` on, and in which variants. */
export interface OtherRow {
  readonly node: number;
  readonly figures: Float64Array;
  readonly at: number;
  readonly variants: number[];
}

/**
 * The score of each variant; 0 where no node is online, as `Scorer.score`.
 * @param others ascending by node; those of nodes that are not scored change nothing
 * @param crowdings by variant
 */
export function scoresWith(
  scorer: Scorer,
  others: readonly OtherRow[],
  crowdings: ArrayLike<number>,
): Float64Array {
  const { weights } = scorer.state;
  const scores = new Float64Array(crowdings.length);
  if (scorer.isEmpty) return scores;
  const found: ArrayLike<number>[] = [];
  for (let m = 0; m < METRIC_COUNT; m++) {
    let twin = 0;
    while (twin < m && !areLike(scorer, twin, m, others)) twin++;
    const values = twin < m ? found[twin]! : valuesWith(scorer, m, others, crowdings);
    found.push(values);
    for (let k = 0; k < scores.length; k++) scores[k]! += weights[m]! * values[k]!;
  }
  return scores;
}

/** Whether two metrics have the same values, also in all variants. */
function areLike({ counted, rows }: Scorer, a: number, b: number, others: readonly OtherRow[]): boolean {
  if (METRICS[a]!.combination !== METRICS[b]!.combination || counted[a] !== counted[b]) return false;
  for (const { figures, at } of others) if (figures[at + a] !== figures[at + b]) return false;
  for (const n of counted[a]!) if (rows[n * METRIC_COUNT + a] !== rows[n * METRIC_COUNT + b]) return false;
  return true;
}

/** A metric in each variant. */
function valuesWith(
  scorer: Scorer,
  m: number,
  rows: readonly OtherRow[],
  crowdings: ArrayLike<number>,
): ArrayLike<number> {
  const { combination } = METRICS[m]!;
  if (combination === 'crowding') return crowdings;
  const counted = scorer.counted[m]!;
  const column = new Float64Array(counted.length);
  for (let place = 0; place < counted.length; place++)
    column[place] = scorer.rows[counted[place]! * METRIC_COUNT + m]!;
  const others = new Others();
  let place = 0;
  for (const { node, figures, at, variants } of rows) {
    while (counted[place]! < node) place++;
    const other = figures[at + m]!;
    if (counted[place] !== node || column[place] === other) continue;
    for (const variant of variants) others.add(place, variant, other);
  }
  const values = new Float64Array(crowdings.length).fill(scorer.now.value(m, 0));
  if (others.places.length === 0) return values;
  const found = (combination === 'deviation' ? deviationsWith : sumsWith)(column, others, values.length);
  for (const variant of others.variants) values[variant] = found[variant]!;
  return values;
}

/** A change to the cluster. */
export interface Change {
  /** The nodes whose figures it changes. */
  readonly touched: readonly number[];
  /** Makes it, and says whether the rules allow it. */
  readonly make: () => boolean;
}

/** From so many on it is quicker to score changes together; so many at a time take little memory. */
const MANY = 12;
const MOST_TOGETHER = 4096;

/** Score after each of some changes, or NaN where it is refused. The state is as before afterwards. */
export function scoresAfter<T>(scorer: Scorer, ones: readonly T[], changeOf: (one: T) => Change): number[] {
  if (ones.length < MANY)
    return ones.map((one) => {
      const { touched, make } = changeOf(one);
      return scorer.scoreAfter(touched, make);
    });
  const scores: number[] = [];
  for (let first = 0; first < ones.length; first += MOST_TOGETHER)
    scores.push(...scoresTogether(scorer, ones.slice(first, first + MOST_TOGETHER).map(changeOf)));
  return scores;
}

function scoresTogether(scorer: Scorer, changes: readonly Change[]): number[] {
  const { journal } = scorer.state;
  const rows = new VariantRows(scorer);
  const crowdings: number[] = [];
  const isAllowed = changes.map(({ touched, make }) => {
    const mark = journal.mark();
    const isMade = make();
    if (isMade) rows.add(touched, crowdings.push(scorer.crowding()) - 1);
    journal.rollback(mark);
    return isMade;
  });
  const scores = scoresWith(scorer, rows.all(), crowdings).values();
  return isAllowed.map((is) => (is ? scores.next().value! : Number.NaN));
}

/** What nodes contribute in variants; among equal nodes it is a few rows for thousands of variants. */
class VariantRows {
  private readonly rowsOf: OtherRow[][];
  private readonly row = new Float64Array(METRIC_COUNT);

  constructor(private readonly scorer: Scorer) {
    this.rowsOf = Array.from(scorer.isScored, () => []);
  }

  /** Takes in what these nodes contribute now. */
  add(nodes: readonly number[], variant: number): void {
    for (const node of new Set(nodes)) this.rowOf(node).variants.push(variant);
  }

  private rowOf(node: number): OtherRow {
    const { scorer, row, rowsOf } = this;
    scorer.contributionsOf(node, row, 0);
    const rows = rowsOf[node]!;
    for (const known of rows) if (isSame(known.figures, row)) return known;
    const added = { node, figures: row.slice(), at: 0, variants: [] };
    rows.push(added);
    return added;
  }

  /** Ascending by node. */
  all(): readonly OtherRow[] {
    return this.rowsOf.flat();
  }
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
