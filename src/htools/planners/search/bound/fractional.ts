/**
 * The least score of a relaxation whose instances may be split over nodes at will, as a maximum over
 * directions.
 *
 * A deviation is the largest slope of its values in any direction that is no longer than it may be. With the
 * directions of all flows fixed the score is a sum over instances, each of which goes, in each of its roles,
 * where it costs least: any directions give a bound, and by duality the best ones give what a linear
 * programme over all fractions with the norms' epigraphs would. They are found by accelerated ascent. Where
 * an instance costs least jumps from node to node, so it is smoothed (the soft minimum, at a temperature that
 * falls); what is reported is taken with the true minimum, so that no more than rounding can be wrong with
 * it.
 */
import { mergeLike } from './merge.ts';
import { type Homes, PairCosts } from './pair-costs.ts';
import type { Flow, Relaxation } from './relaxation.ts';

/** Temperatures of the ascent, as shares of the score for each instance. */
const FIRST_TEMPERATURE = 0.1;
const COOLING = 5;
const TEMPERATURES = 4;
const ROUNDS = 200;
/** First step at a temperature, as a share of it, and by what it gets shorter where it led down. */
const STEP = 0.2;
const SHORTER = 0.8;
/** So many pairs of instance and node the ascent looks at in a round: else like instances are merged. */
const WORK = 60_000;
const FEWEST_MERGED = 100;
/** Where they cannot be merged there are fewer rounds: so many pairs in all at a temperature. */
const PRICED_WORK = 3_200_000;
const FEWEST_ROUNDS = 20;
/** Beyond this many temperatures a node counts for nothing. */
const NEGLIGIBLE = 40;

/** A flow and how much of its weight is bounded here: the rest is bounded elsewhere. */
export interface Priced extends Flow {
  /** 0 to 1. */
  readonly share: number;
}

/** Takes directions back to sum 0 over the nodes that count, of length 1 / sqrt(nodes) times the share. */
function project({ counts, share, weight, totalWeight }: Priced, direction: Float64Array): void {
  let size = 0;
  let sum = 0;
  for (let k = 0; k < direction.length; k++) {
    if (counts[k] === 0) continue;
    size++;
    sum += direction[k]!;
  }
  let squares = 0;
  let lowest = 0;
  for (let k = 0; k < direction.length; k++) {
    direction[k] = counts[k] === 0 ? 0 : direction[k]! - sum / size;
    squares += direction[k]! ** 2;
    lowest = Math.min(lowest, direction[k]!);
  }
  let factor = Math.min(1, share / Math.sqrt(squares * size || 1));
  // Values that are only known from below must not be worth more the higher they are.
  if (totalWeight > 0 && weight * lowest * factor < -totalWeight) factor = -totalWeight / weight / lowest;
  if (factor < 1) for (let k = 0; k < direction.length; k++) direction[k]! *= factor;
}

const lengthOf = ({ counts }: Flow, direction: Float64Array): number => {
  const size = counts.reduce((sum, one) => sum + one, 0);
  return Math.sqrt(size * direction.reduce((sum, value) => sum + value ** 2, 0));
};

/** The relaxation with directions: what they prove, and which way is up. */
class Prices {
  private readonly unitCosts: readonly Float64Array[];
  private readonly costs: Float64Array;
  private readonly pairs: PairCosts | undefined;
  /** Values of each flow when all instances go where they cost least. */
  readonly values: readonly Float64Array[];

  constructor(
    private readonly relaxation: Relaxation,
    private readonly flows: readonly Priced[],
    homes: Homes | undefined,
  ) {
    this.unitCosts = flows.map(() => new Float64Array(relaxation.nodeCount));
    this.values = flows.map(() => new Float64Array(relaxation.nodeCount));
    this.costs = new Float64Array(relaxation.nodeCount);
    this.pairs = homes && new PairCosts(homes, relaxation.nodeCount);
  }

  /**
   * @param temperature 0 for the true minimum, which is a bound; the soft one is no more than that, but for a
   *   constant, and sets `values`
   */
  evaluate(directions: readonly Float64Array[], temperature: number): number {
    const { relaxation, flows, unitCosts, values } = this;
    let bound = 0;
    flows.forEach(({ weight, totalWeight, fixed, scale, share, least, counts }, f) => {
      const direction = directions[f]!;
      values[f]!.set(fixed);
      for (let k = 0; k < fixed.length; k++) {
        const worth = counts[k] === 0 ? 0 : weight * direction[k]! + totalWeight;
        bound += worth * fixed[k]!;
        unitCosts[f]![k] = worth * scale[k]!;
      }
      // A deviation that does not need its whole length for its slope is at least the least one by the rest.
      if (least > 0) bound += weight * least * Math.max(0, share - lengthOf(flows[f]!, direction));
    });
    for (let i = 0; i < relaxation.members.length; i++)
      bound += relaxation.members[i]! * this.placeInstance(i, temperature);
    return bound;
  }

  private placeInstance(i: number, temperature: number): number {
    const { relaxation, pairs } = this;
    const isMirrored = relaxation.isMirrored[i] === 1;
    if (!pairs) {
      const cost = this.place(i, false, temperature);
      return isMirrored ? cost + this.place(i, true, temperature) : cost;
    }
    this.roleCosts(i, false, pairs.primary.costs);
    if (isMirrored) this.roleCosts(i, true, pairs.secondary.costs);
    const rest = relaxation.mayRest[i] ? 0 : Number.POSITIVE_INFINITY;
    const cost = pairs.place(i, isMirrored, rest, temperature);
    if (temperature > 0) {
      this.spread(i, false, pairs.primary.shares, 1);
      if (isMirrored) this.spread(i, true, pairs.secondary.shares, 1);
    }
    return cost;
  }

  /** What a role of an instance costs on each node; whether it costs nothing anywhere. */
  private roleCosts(i: number, isSecondary: boolean, costs: Float64Array): boolean {
    const { relaxation, flows, unitCosts } = this;
    costs.fill(0);
    let isFree = true;
    for (let f = 0; f < flows.length; f++) {
      const amount = (isSecondary ? flows[f]!.asSecondary : flows[f]!.asPrimary)[i]!;
      if (amount === 0) continue;
      isFree = false;
      const unit = unitCosts[f]!;
      for (let k = 0; k < costs.length; k++) costs[k]! += amount * unit[k]!;
    }
    for (const k of relaxation.closed[i]!) costs[k] = Number.POSITIVE_INFINITY;
    return isFree;
  }

  /** Adds a role of an instance to the values. @param shares what of it each node has, as a factor says */
  private spread(i: number, isSecondary: boolean, shares: Float64Array, factor: number): void {
    const { flows, values } = this;
    for (let f = 0; f < flows.length; f++) {
      const flow = flows[f]!;
      const amount = (isSecondary ? flow.asSecondary : flow.asPrimary)[i]! * factor;
      if (amount === 0) continue;
      const value = values[f]!;
      for (let k = 0; k < shares.length; k++) value[k]! += amount * flow.scale[k]! * shares[k]!;
    }
  }

  /** What one role of an instance costs where it costs least. */
  private place(i: number, isSecondary: boolean, temperature: number): number {
    const { relaxation, costs } = this;
    if (this.roleCosts(i, isSecondary, costs)) return 0;
    let lowest = relaxation.mayRest[i] ? 0 : Number.POSITIVE_INFINITY;
    for (let k = 0; k < costs.length; k++) if (costs[k]! < lowest) lowest = costs[k]!;
    if (temperature === 0 || lowest === Number.POSITIVE_INFINITY) return lowest;
    let total = relaxation.mayRest[i] ? Math.exp(lowest / temperature) : 0;
    for (let k = 0; k < costs.length; k++) {
      const above = (costs[k]! - lowest) / temperature;
      costs[k] = above > NEGLIGIBLE ? 0 : Math.exp(-above);
      total += costs[k]!;
    }
    this.spread(i, isSecondary, costs, relaxation.members[i]! / total);
    return lowest - temperature * Math.log(total);
  }
}

/** How steeply the bound may bend along each flow's directions: sets the length of steps. */
function bends({ members }: Relaxation, flows: readonly Priced[]): readonly number[] {
  return flows.map(({ weight, scale, asPrimary, asSecondary }) => {
    const amounts = members.reduce(
      (sum, one, i) => sum + one * (asPrimary[i]! ** 2 + asSecondary[i]! ** 2),
      0,
    );
    const scales = scale.reduce((sum, one) => sum + one * one, 0) / scale.length ** 2;
    return weight * weight * amounts * scales;
  });
}

/** Goes up at one temperature, from directions that it changes. */
function ascend(
  prices: Prices,
  flows: readonly Priced[],
  bend: readonly number[],
  directions: readonly Float64Array[],
  temperature: number,
  rounds: number,
): void {
  const ahead = directions.map((direction) => direction.slice());
  let momentum = 1;
  let step = STEP * temperature;
  let before = Number.NEGATIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const value = prices.evaluate(ahead, temperature);
    const isTooFar = value < before;
    before = isTooFar ? Number.NEGATIVE_INFINITY : value;
    if (isTooFar) {
      // From the last point again, without the momentum.
      directions.forEach((direction, f) => {
        ahead[f]!.set(direction);
      });
      momentum = 1;
      step *= SHORTER;
      continue;
    }
    const next = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    const carried = (momentum - 1) / next;
    momentum = next;
    flows.forEach((flow, f) => {
      const direction = directions[f]!;
      const point = ahead[f]!;
      const length = bend[f]! > 0 ? (step / bend[f]!) * flow.weight : 0;
      const values = prices.values[f]!;
      for (let k = 0; k < point.length; k++) point[k]! += length * values[k]!;
      project(flow, point);
      for (let k = 0; k < point.length; k++) {
        const moved = point[k]!;
        point[k] = moved + carried * (moved - direction[k]!);
        direction[k] = moved;
      }
    });
  }
}

/**
 * The bound: at most the least score, parts of flows that are bounded elsewhere left out.
 * @param flowsOf the flows of a relaxation with their shares: of the whole one, and of one with like
 *   instances merged
 * @param magnitude about what the bound may come to, for the temperatures; any value above 0 gives a bound
 * @param homes where leaving them costs something
 * @param directions to begin with, which are changed
 */
export function fractionalBound(
  relaxation: Relaxation,
  flowsOf: (relaxation: Relaxation) => readonly Priced[],
  magnitude: number,
  homes?: Homes,
  directions: readonly Float64Array[] = flowsOf(relaxation).map(() => new Float64Array(relaxation.nodeCount)),
): number {
  const flows = flowsOf(relaxation);
  const exact = new Prices(relaxation, flows, homes);
  const most = Math.max(FEWEST_MERGED, Math.floor(WORK / relaxation.nodeCount));
  // Like instances on different nodes are not alike once it costs something to leave these.
  const merged = homes ? relaxation : mergeLike(relaxation, most);
  const pairs = relaxation.members.length * relaxation.nodeCount;
  const rounds = homes ? Math.max(FEWEST_ROUNDS, Math.min(ROUNDS, PRICED_WORK / pairs)) : ROUNDS;
  const mergedFlows = flowsOf(merged);
  const prices = new Prices(merged, mergedFlows, homes);
  const bend = bends(merged, mergedFlows);
  let best = exact.evaluate(directions, 0);
  let temperature = (FIRST_TEMPERATURE * magnitude) / Math.max(1, relaxation.members.length);
  for (let k = 0; k < TEMPERATURES; k++, temperature /= COOLING) {
    ascend(prices, mergedFlows, bend, directions, temperature, rounds);
    best = Math.max(best, exact.evaluate(directions, 0));
  }
  return best;
}
