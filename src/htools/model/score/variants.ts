/**
 * The scores of many variants of the cluster, a few nodes other in each: every one to the last bit as if it
 * were added up alone, in order.
 *
 * Sums that have come to the same figure go on as one. Where equal values change by the same, only rounding
 * tells them apart: the sums of thousands of variants of 320 equal nodes come to a handful of figures.
 */
import { METRIC_COUNT, METRICS } from './metrics.ts';
import type { Scorer } from './scorer.ts';

/** Newest figures that a sum is compared with: where all differ, that must not cost more than to add up. */
const MOST_COMPARED = 64;

/** Multiplied as stock does: a power may be rounded otherwise. */
const square = (x: number): number => x * x;

/**
 * A list of values, what stands at some of its places instead by variant, and the sums of the variants. One
 * serves for many lists: making arrays of this size takes longer than all that is done with them.
 */
export class VariantList {
  length = 0;
  values = new Float64Array(0);
  private others = 0;
  private places = new Int32Array(0);
  private variants = new Int32Array(0);
  private otherValues = new Float64Array(0);
  /** What the sums come to, the first without variants, and which of these each variant's is. */
  private figures = new Float64Array(1);
  private known = 0;
  private figureOf = new Int32Array(0);
  private next = new Float64Array(0);
  /** The first of the others of each figure, and of each the one after it; -1: none. */
  private firstOf = new Int32Array(1);
  private follower = new Int32Array(0);

  /**
   * Makes room for another list, whose values are to be written.
   * @param most so many others at most, and numbers of variants below it
   */
  begin(length: number, most: number): void {
    this.length = length;
    this.others = 0;
    if (this.values.length < length) this.values = new Float64Array(2 * length);
    if (this.places.length >= most) return;
    this.places = new Int32Array(2 * most);
    this.variants = new Int32Array(2 * most);
    this.otherValues = new Float64Array(2 * most);
    this.figures = new Float64Array(2 * most + 1);
    this.figureOf = new Int32Array(2 * most);
    this.next = new Float64Array(2 * most);
    this.firstOf = new Int32Array(2 * most + 1);
    this.follower = new Int32Array(2 * most);
  }

  /** Places must ascend, with each variant once. */
  add(place: number, variant: number, value: number): void {
    this.places[this.others] = place;
    this.variants[this.others] = variant;
    this.otherValues[this.others++] = value;
  }

  private addUp(): void {
    const { length, values, others, places, variants, otherValues, figures, figureOf, next } = this;
    for (let k = 0; k < others; k++) figureOf[variants[k]!] = 0;
    figures[0] = 0;
    let known = 1;
    for (let j = 0, k = 0; j < length; j++) {
      const first = k;
      for (; k < others && places[k] === j; k++)
        next[k] = figures[figureOf[variants[k]!]!]! + otherValues[k]!;
      const value = values[j]!;
      for (let s = 0; s < known; s++) figures[s]! += value;
      for (let at = first; at < k; at++) {
        const sum = next[at]!;
        let s = known > MOST_COMPARED ? known - MOST_COMPARED : 0;
        while (s < known && figures[s] !== sum) s++;
        if (s === known) figures[known++] = sum;
        figureOf[variants[at]!] = s;
      }
    }
    this.known = known;
  }

  private sumOf(variant: number): number {
    return this.figures[this.figureOf[variant]!]!;
  }

  /** Writes the sums of the variants that have others, by variant. */
  sums(out: Float64Array): void {
    this.addUp();
    for (let k = 0; k < this.others; k++) {
      const variant = this.variants[k]!;
      out[variant] = this.sumOf(variant);
    }
  }

  /**
   * Writes their standard deviations: the mean first, then the squares.
   * @param squares overwritten with these
   */
  deviations(squares: VariantList, out: Float64Array): void {
    const { length, values, places, variants, otherValues, figures, firstOf, follower } = this;
    this.addUp();
    this.chainByFigure();
    for (let s = 0; s < this.known; s++) {
      if (firstOf[s]! < 0) continue;
      const mean = figures[s]! / length;
      squares.begin(length, places.length);
      for (let k = firstOf[s]!; k >= 0; k = follower[k]!)
        squares.add(places[k]!, variants[k]!, square(otherValues[k]! - mean));
      for (let j = 0; j < length; j++) squares.values[j] = square(values[j]! - mean);
      squares.addUp();
      for (let k = 0; k < squares.others; k++) {
        const variant = squares.variants[k]!;
        out[variant] = Math.sqrt(squares.sumOf(variant) / length);
      }
    }
  }

  private chainByFigure(): void {
    const { variants, figureOf, firstOf, follower } = this;
    firstOf.fill(-1, 0, this.known);
    for (let k = this.others - 1; k >= 0; k--) {
      const figure = figureOf[variants[k]!]!;
      follower[k] = firstOf[figure]!;
      firstOf[figure] = k;
    }
  }
}

const LIST = new VariantList();
const SQUARES = new VariantList();

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
  const found: { readonly m: number; readonly values: ArrayLike<number> }[] = [];
  for (let m = 0; m < METRIC_COUNT; m++) {
    const weight = weights[m]!;
    if (METRICS[m]!.combination === 'crowding') addParts(scores, weight, crowdings);
    else if (isChanged(scorer, m, others)) {
      const like = found.find((one) => areLike(scorer, one.m, m, others));
      const values = like?.values ?? valuesWith(scorer, m, others, scores.length);
      found.push({ m, values });
      addParts(scores, weight, values);
    } else {
      const part = weight * scorer.now.value(m, 0);
      for (let k = 0; k < scores.length; k++) scores[k]! += part;
    }
  }
  return scores;
}

function addParts(scores: Float64Array, weight: number, values: ArrayLike<number>): void {
  for (let k = 0; k < scores.length; k++) scores[k]! += weight * values[k]!;
}

const isChanged = ({ rows }: Scorer, m: number, others: readonly OtherRow[]): boolean =>
  others.some(({ node, figures, at }) => figures[at + m] !== rows[node * METRIC_COUNT + m]);

/** Whether two metrics have the same values, also in all variants. */
function areLike({ counted, rows }: Scorer, a: number, b: number, others: readonly OtherRow[]): boolean {
  if (METRICS[a]!.combination !== METRICS[b]!.combination || counted[a] !== counted[b]) return false;
  for (const { figures, at } of others) if (figures[at + a] !== figures[at + b]) return false;
  for (const n of counted[a]!) if (rows[n * METRIC_COUNT + a] !== rows[n * METRIC_COUNT + b]) return false;
  return true;
}

/** A metric in each variant. */
function valuesWith(scorer: Scorer, m: number, others: readonly OtherRow[], count: number): Float64Array {
  const counted = scorer.counted[m]!;
  let most = count;
  for (const { variants } of others) most += variants.length;
  LIST.begin(counted.length, most);
  for (let place = 0; place < counted.length; place++)
    LIST.values[place] = scorer.rows[counted[place]! * METRIC_COUNT + m]!;
  let place = 0;
  for (const { node, figures, at, variants } of others) {
    while (counted[place]! < node) place++;
    const other = figures[at + m]!;
    if (counted[place] !== node || LIST.values[place] === other) continue;
    for (const variant of variants) LIST.add(place, variant, other);
  }
  const values = new Float64Array(count).fill(scorer.now.value(m, 0));
  if (METRICS[m]!.combination === 'deviation') LIST.deviations(SQUARES, values);
  else LIST.sums(values);
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
/** Rows in one array: by itself each takes longer to make than to fill. */
const ROWS_TOGETHER = 64;

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
  /** Many rows together, and where the next one is written. */
  private figures = new Float64Array(0);
  private at = 0;

  constructor(private readonly scorer: Scorer) {
    this.rowsOf = Array.from(scorer.isScored, () => []);
  }

  /** Takes in what these nodes contribute now. */
  add(nodes: readonly number[], variant: number): void {
    for (let k = 0; k < nodes.length; k++)
      if (nodes.indexOf(nodes[k]!) === k) this.rowOf(nodes[k]!).variants.push(variant);
  }

  private rowOf(node: number): OtherRow {
    if (this.at === this.figures.length) {
      this.figures = new Float64Array(ROWS_TOGETHER * METRIC_COUNT);
      this.at = 0;
    }
    const { figures, at } = this;
    this.scorer.contributionsOf(node, figures, at);
    const rows = this.rowsOf[node]!;
    for (const known of rows) if (isSame(known, figures, at)) return known;
    const added = { node, figures, at, variants: [] };
    rows.push(added);
    this.at += METRIC_COUNT;
    return added;
  }

  /** Ascending by node. */
  all(): readonly OtherRow[] {
    return this.rowsOf.flat();
  }
}

function isSame(row: OtherRow, figures: Float64Array, at: number): boolean {
  for (let m = 0; m < METRIC_COUNT; m++) if (row.figures[row.at + m] !== figures[at + m]) return false;
  return true;
}
