/**
 * Why the first of two instances that leave a failed node does not take the one place that the second needs:
 * another one scores better. While the nodes that this is about stay as they are, the scores of both places
 * follow the sums and variances of all nodes alone, so these are asked again, and not every target.
 */
import { FURTHER_ADDITIONS, IS_DEVIATION, type Statistics } from '../../score/incremental.ts';
import { METRIC_COUNT } from '../../score/metrics.ts';
import type { Fates } from './residents.ts';

/** Figures that are rounded on the way to a variance, stock's own among them; generous. */
const ROUNDED = 16;

export interface Duel {
  /** The node's, of which two do not fail over. */
  readonly fates: Fates;
  /** The better place, and the one that the second needs. */
  readonly places: readonly number[];
  /** The failed node, those that its instances fail over to, both places, and what others' proofs rest on. */
  readonly grounds: readonly number[];
  /** When these nodes were as they are meant. */
  readonly moment: number;
  /** Statistics before anything left the node, and while the first one is nowhere. */
  readonly before: Statistics;
  readonly between: Statistics;
  /** With the first one on the better place. */
  readonly won: Statistics;
  /** With it on the other one; undefined where that does not take it. */
  readonly lost: Statistics | undefined;
}

const areSame = (m: number, a: Statistics, b: Statistics): boolean =>
  a.sums[m] === b.sums[m] && a.variances[m] === b.variances[m];

/** What became a variance, or a sum, becomes now that other nodes have changed the statistics. */
function valueNow(m: number, { sums, variances }: Statistics, before: Statistics, now: Statistics): number {
  const change = sums[m]! - before.sums[m]!;
  if (!IS_DEVIATION[m]) return now.sums[m]! + change;
  const drift = (2 * (now.sums[m]! - before.sums[m]!) * change) / now.counts[m]! ** 2;
  return Math.max(0, now.variances[m]! + (variances[m]! - before.variances[m]!) - drift);
}

/** How far that may be off: no value is larger than the root of all squares' sum. */
function errorOf(m: number, all: readonly Statistics[]): number {
  const count = all[0]!.counts[m]!;
  const sizes = all.map(({ sums, variances }) =>
    IS_DEVIATION[m] ? count * variances[m]! + sums[m]! ** 2 / count : Math.abs(sums[m]!),
  );
  return ROUNDED * (count + FURTHER_ADDITIONS) * Number.EPSILON * Math.max(...sizes);
}

/** Whether the first one surely goes elsewhere; no is no proof. */
export function isWon({ before, between, won, lost }: Duel, now: Statistics): boolean {
  if (!lost) return true;
  let lead = 0;
  let error = 0;
  for (let m = 0; m < METRIC_COUNT; m++) {
    const weight = now.weights[m]!;
    const values = [won, lost].map((after) => valueNow(m, after, before, now));
    const [better, worse] = IS_DEVIATION[m] ? values.map(Math.sqrt) : values;
    error += METRIC_COUNT * Number.EPSILON * weight * (better! + worse!);
    // What it changes nowhere adds the very same to both scores.
    if (areSame(m, between, won) && areSame(m, between, lost)) continue;
    const off = errorOf(m, [before, won, lost, now]);
    const least = Math.min(...values);
    lead += weight * (worse! - better!);
    error +=
      2 * weight * (!IS_DEVIATION[m] ? off : least > 2 * off ? off / Math.sqrt(least - off) : Math.sqrt(off));
  }
  return lead > error;
}
