/**
 * A proven lower bound of the score of any legal placement.
 *
 * Two parts are added: what the deviations come to at least when instances may be split (fractional.ts), and
 * what the reserved memory does when they may not (reserved.ts). The second needs numbers of secondaries that
 * are nearly even, so a share of what uneven counts cost is taken from the first. Where that does not pay, as
 * on clusters of few nodes, reserved memory is a deviation among the others.
 *
 * All of it holds for placements whose score is at most some *level*, so that the lesser of that and of what
 * is proven is a bound, whatever the level is: the best level is the one that is proven to be the bound.
 */

import { RESERVED_MEM_RTOTAL } from '../../../model/score/metrics.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { fractionalBound, type Priced } from './fractional.ts';
import { type Flow, meanOverPeers, type Relaxation, ROUNDING, relaxationOf } from './relaxation.ts';
import { blockTotal, firstPrices, type Proven, reservedBound } from './reserved.ts';

/**
 * How even the numbers of secondaries must be: where one load counts primaries and secondaries and others
 * count primaries, as without dynamic use, the numbers of secondaries deviate by no more than both together.
 */
interface Counts {
  readonly both: Flow;
  readonly primaries: Flow;
  /** What a deviation of the secondaries' values weighs at least. */
  readonly weight: number;
  /** Value of a node's secondaries, above the mean: `base[k] + unit * secondaries`. */
  readonly base: Float64Array;
  readonly unit: number;
}

const isSame = (values: Float64Array, others: Float64Array): boolean =>
  values.every((value, k) => value === others[k]);
const isAlike = (values: Float64Array): boolean => values.every((value) => value === values[0]);

/** The counts of greatest weight; undefined without any, or where instances may rest: no total then. */
function countsOf({ flows, isMirrored, mayRest, nodeCount }: Relaxation): Counts | undefined {
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

/** Shares of what uneven counts cost that the reserved memory's part may take. */
const SHARES: readonly number[] = [0.05, 0.1, 0.2, 0.4, 0.6];
/** How often what is proven makes counts more even, which proves more. */
const REFINEMENTS = 3;
/** Rounds of following the prices: to choose a share, and each time that more is known. */
const TRIAL_ROUNDS = 40;
const ROUNDS = 150;
const LEAST_DEVIATION = 1e-6;
/** Levels that are tried: by what blocks of like instances make nodes reserve, then by what was proven. */
const LEVELS = 4;
const FIRST_LEVEL = 2;
const LOWER_LEVEL = 1.02;
const HIGHER_LEVEL = 1.3;

/** The reserved memory's part: what nodes reserve, and a share of what uneven numbers of secondaries cost. */
class Reserved {
  private readonly sizes: Float64Array;
  private readonly perMib: Float64Array;
  private readonly first: Proven;

  constructor(
    layout: SearchLayout,
    relaxation: Relaxation,
    readonly counts: Counts,
  ) {
    const totalWeight = layout.metricWeights[RESERVED_MEM_RTOTAL]!;
    this.sizes = relaxation.reservations.filter((_, i) => relaxation.isMirrored[i] === 1).toSorted();
    this.perMib = Float64Array.from(layout.targets, (node) => layout.perMem[node]! * totalWeight);
    this.first = firstPrices(this.sizes, this.perMib);
  }

  /** What nodes reserve with like instances' secondaries together: about the most to be proven. */
  get inBlocks(): number {
    return blockTotal(this.sizes, this.perMib);
  }

  /** The share that pays best at a level. */
  bestShare(level: number): number {
    const { both, primaries, weight } = this.counts;
    const worth = (share: number): number =>
      this.with(share, level / weight, this.first, TRIAL_ROUNDS).bound -
      share * weight * (both.least + primaries.least);
    const worths = SHARES.map(worth);
    return SHARES[worths.indexOf(Math.max(...worths))]!;
  }

  /**
   * The part, for placements at most at a level. The deviation weighs more than the share of it that is in
   * the part: so what is proven of the part leaves less for it, and the less it is the more is proven.
   */
  bound(share: number, level: number): number {
    let most = level / this.counts.weight;
    let part = this.first;
    for (let times = 0; times < REFINEMENTS; times++) {
      part = this.with(share, most, part, ROUNDS);
      most = Math.min(most, (level - part.bound + ROUNDING) / ((1 - share) * this.counts.weight));
      if (most < LEAST_DEVIATION) break;
    }
    return part.bound;
  }

  /** @param most the numbers' deviation is at most this, weight left out */
  private with(share: number, most: number, start: Proven, rounds: number): Proven {
    const { base, unit, weight } = this.counts;
    // A deviation of at most `most` is at least its square divided by that: a sum over nodes.
    const penalty = (share * weight) / most / base.length;
    const furthest = most * Math.sqrt(base.length - 1);
    return reservedBound(this.sizes, this.perMib, { base, unit, penalty, furthest }, start, rounds);
  }
}

/** What reserved memory that is the mean over the peers adds to the score when all nodes reserve alike. */
function evenTotal({ scale, totalWeight, asSecondary }: Flow): number {
  const reserved = asSecondary.reduce((sum, amount) => sum + amount, 0) / scale.length;
  return totalWeight * scale.reduce((sum, one) => sum + one * reserved, 0);
}

/** Both parts at the best level that is found. */
function boundOfParts(reserved: Reserved, relaxation: Relaxation, reached: number): number {
  const { both, primaries, weight } = reserved.counts;
  let level = Math.min(reached, FIRST_LEVEL * reserved.inBlocks);
  if (level <= ROUNDING) level = reached;
  const share = reserved.bestShare(level);
  const isCount = relaxation.flows.map((flow) => flow === both || flow === primaries);
  const apart = ({ flows }: Relaxation): Priced[] =>
    flows.map((flow, f) => ({ ...flow, share: isCount[f] ? 1 - (share * weight) / flow.weight : 1 }));
  const fractional = fractionalBound(relaxation, apart, level);
  let best = 0;
  for (let k = 0; k < LEVELS; k++) {
    const proven = reserved.bound(share, level) + fractional;
    best = Math.max(best, Math.min(level, proven));
    if (level <= best * LOWER_LEVEL && proven <= level) break;
    const next = proven > level ? HIGHER_LEVEL * proven : LOWER_LEVEL * proven;
    if (Math.min(reached, next) === level) break;
    level = Math.min(reached, next);
  }
  return best;
}

/**
 * The bound; undefined where instances may move that the search's arithmetic does not cover, or nothing is to
 * be scored.
 * @param reached score of a placement, such as the end of a plan: no bound is above it
 */
export function lowerBound(layout: SearchLayout, reached: number): number | undefined {
  if (layout.uncovered > 0 || layout.targets.length < 2) return undefined;
  if (reached <= ROUNDING) return 0;
  const relaxation = relaxationOf(layout, reached);
  const counts = countsOf(relaxation);
  const reserved = counts && new Reserved(layout, relaxation, counts);
  let bound = reserved ? boundOfParts(reserved, relaxation, reached) : 0;
  if (!reserved || reserved.inBlocks < evenTotal(meanOverPeers(layout, relaxation))) {
    const together = (of: Relaxation): Priced[] =>
      [...of.flows, meanOverPeers(layout, of)].map((flow) => ({ ...flow, share: 1 }));
    bound = Math.max(bound, fractionalBound(relaxation, together, reached));
  }
  return Math.max(0, Math.min(reached, bound) - ROUNDING);
}
