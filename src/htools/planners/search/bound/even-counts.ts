/**
 * How even the numbers of secondaries must be: where one load counts primaries and secondaries and others
 * count primaries, as without dynamic use, the numbers of secondaries deviate by no more than both together.
 */
import type { Flow, Relaxation } from './relaxation.ts';

/** Flows whose difference is the number of secondaries. */
export interface Counts {
  readonly both: Flow;
  readonly primaries: Flow;
  /** What a deviation of the secondaries' values weighs at least. */
  readonly weight: number;
  /** Value of a node's secondaries, above the mean: `base[k] + unit * secondaries`. */
  readonly base: Float64Array;
  readonly unit: number;
}

const isSame = (values: ArrayLike<number>, others: ArrayLike<number>): boolean =>
  Array.prototype.every.call(values, (value, k) => value === others[k]);
const isAlike = (values: ArrayLike<number>): boolean =>
  Array.prototype.every.call(values, (value) => value === values[0]);

/** The counts of greatest weight; undefined without any, or where instances may rest: no total then. */
export function countsOf({ flows, isMirrored, mayRest, nodeCount }: Relaxation): Counts | undefined {
  if (mayRest.includes(1)) return undefined;
  const isWhole = ({ scale, counts }: Flow): boolean =>
    isAlike(scale) && scale[0]! > 0 && !counts.includes(0);
  let found: Counts | undefined;
  for (const both of flows) {
    const amounts = both.asSecondary.filter((_, i) => isMirrored[i] === 1);
    if (amounts.length === 0 || !isAlike(amounts) || amounts[0]! <= 0 || !isWhole(both)) continue;
    for (const primaries of flows) {
      const weight = Math.min(both.weight, primaries.weight);
      if (weight <= (found?.weight ?? 0) || primaries.asSecondary.some((amount) => amount !== 0)) continue;
      if (!isSame(both.asPrimary, primaries.asPrimary) || !isSame(both.scale, primaries.scale)) continue;
      if (!isWhole(primaries)) continue;
      const unit = amounts[0]! * both.scale[0]!;
      const outside = both.fixed.map((value, k) => value - primaries.fixed[k]!);
      const mean = (outside.reduce((sum, value) => sum + value, 0) + unit * amounts.length) / nodeCount;
      found = { both, primaries, weight, unit, base: outside.map((value) => value - mean) };
    }
  }
  return found;
}
