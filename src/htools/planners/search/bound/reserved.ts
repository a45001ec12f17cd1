/**
 * What the reserved memory costs at least where the numbers of secondaries are nearly even: each node
 * reserves at least the largest of its secondaries, whole instances cannot be spread, and a node that took
 * all the large ones would have too many.
 *
 * Each instance has a price, and each node takes the secondaries that it likes best: those it earns most
 * with, less what the largest of them makes it reserve and what its number of secondaries deviates. What all
 * nodes together gain is never less than in any placement, so the prices less that gain are a bound, whatever
 * the prices are. They start as what blocks of like instances would pay and follow the number of nodes that
 * take an instance.
 */

/** How a node's number of secondaries counts: `base + unit * secondaries`, at `penalty` times its square. */
interface Evenness {
  readonly base: Float64Array;
  readonly unit: number;
  readonly penalty: number;
  /** Values further from 0 than this are none of a placement that is no worse than the one reached. */
  readonly furthest: number;
}

/** Without a gain for this many rounds the steps get shorter; the first is a share of all prices. */
const PATIENCE = 20;
const FIRST_STEP = 0.05;
const LEAST_STEP = 1e-4;
const LEAST_GAIN = 5e-4;
const MOST_SIZES = 200;
const ROUNDING = 1e-9;

/** Nodes that are alike: one problem for all of them. */
interface Kind {
  readonly count: number;
  readonly perMib: number;
  readonly base: number;
  readonly fewest: number;
  readonly most: number;
}

function kindsOf(perMib: Float64Array, { base, unit, furthest }: Evenness, instances: number): Kind[] {
  const kinds = new Map<string, Kind>();
  perMib.forEach((one, k) => {
    const key = `${one} ${base[k]!}`;
    const fewest = Math.max(0, Math.ceil((-furthest - base[k]!) / unit - ROUNDING));
    const most = Math.min(instances, Math.floor((furthest - base[k]!) / unit + ROUNDING));
    const count = (kinds.get(key)?.count ?? 0) + 1;
    kinds.set(key, { count, perMib: one, base: base[k]!, fewest, most });
  });
  return [...kinds.values()];
}

/** What blocks of like instances pay, the largest where reserving costs least: sizes ascending. */
function blockPrices(sizes: Float64Array, perMib: Float64Array): Float64Array {
  const nodes = perMib.toSorted();
  const perNode = sizes.length / nodes.length;
  const prices = new Float64Array(sizes.length);
  let price = 0;
  let before = 0;
  for (let k = 0; k < sizes.length; k++) {
    const used = Math.ceil((sizes.length - k) / perNode - ROUNDING);
    price += (sizes[k]! - before) * nodes[Math.min(nodes.length, used) - 1]!;
    before = sizes[k]!;
    prices[k] = price / perNode;
  }
  return prices;
}

/** What nodes reserve with the largest secondaries together where that costs least, and so on; ascending. */
export function blockTotal(sizes: Float64Array, perMib: Float64Array): number {
  const perNode = sizes.length / perMib.length;
  return perMib
    .toSorted()
    .reduce((sum, one, k) => sum + one * sizes[Math.max(0, Math.ceil(sizes.length - k * perNode) - 1)]!, 0);
}

/** What a node of a kind likes best: the instances, in `taken`, and what it costs. */
class Taker {
  private readonly best: Float64Array;
  private readonly bestAt: Int32Array;
  private readonly order: Int32Array;

  constructor(
    private readonly sizes: Float64Array,
    private readonly evenness: Evenness,
    most: number,
  ) {
    this.best = new Float64Array(most + 1);
    this.bestAt = new Int32Array(most + 1);
    this.order = new Int32Array(most + 1);
  }

  /**
   * The most secondaries that can be best: beyond them even the highest prices do not pay for the deviation.
   * @param earned sum of so many highest prices
   */
  private mostWorth({ perMib, base, fewest, most }: Kind, earned: Float64Array): number {
    const { evenness, sizes } = this;
    const cost = (s: number): number => evenness.penalty * (base + evenness.unit * s) ** 2 - earned[s]!;
    const even = Math.min(most, Math.max(fewest, Math.round(-base / evenness.unit)));
    const found = cost(even) + perMib * sizes.at(-1)!;
    let last = most;
    while (last > even && cost(last) > found) last--;
    return last;
  }

  /** @returns the cost, less what instances pay; `taken` counts the kind's nodes for each instance taken */
  take(kind: Kind, prices: Float64Array, earned: Float64Array, taken: Float64Array): number {
    const { best, bestAt, evenness } = this;
    const { perMib, base, fewest, count } = kind;
    const most = this.mostWorth(kind, earned);
    best.fill(Number.POSITIVE_INFINITY);
    best[0] = 0;
    this.sweep(perMib, most, prices, prices.length - 1);
    let lowest = Number.POSITIVE_INFINITY;
    let number = 0;
    for (let s = fewest; s <= most; s++) {
      const cost = best[s]! + evenness.penalty * (base + evenness.unit * s) ** 2;
      if (cost < lowest) {
        lowest = cost;
        number = s;
      }
    }
    if (number > 0) {
      this.sweep(perMib, number, prices, bestAt[number]!);
      for (let k = 0; k < number; k++) taken[this.order[k]!]! += count;
    }
    return lowest * count;
  }

  /** Up to `last` by size: of each number who pay most, and whether the largest is worth its memory. */
  private sweep(perMib: number, most: number, prices: Float64Array, last: number): void {
    const { sizes, best, bestAt, order } = this;
    if (most === 0) return;
    let length = 0;
    for (let k = 0; k <= last; k++) {
      const price = prices[k]!;
      if (length < most || price > prices[order[length - 1]!]!) {
        let low = 0;
        let high = length;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (prices[order[middle]!]! < price) high = middle;
          else low = middle + 1;
        }
        if (length < most) length++;
        order.copyWithin(low + 1, low, length - 1);
        order[low] = k;
      }
      if (k < last && sizes[k + 1] === sizes[k]) continue;
      let cost = sizes[k]! * perMib;
      for (let s = 1; s <= length; s++) {
        cost -= prices[order[s - 1]!]!;
        if (cost < best[s]!) {
          best[s] = cost;
          bestAt[s] = k;
        }
      }
    }
  }
}

/** Sizes rounded down to a few, never raising a bound: a node looks at one choice a size in a round. */
function coarse(sizes: Float64Array): Float64Array {
  if (new Set(sizes).size <= MOST_SIZES) return sizes;
  const step = sizes.at(-1)! / MOST_SIZES;
  return sizes.map((size) => Math.floor(size / step) * step);
}

/** A bound, and the prices that prove it. */
export interface Proven {
  readonly bound: number;
  readonly prices: Float64Array;
}

/** Where a search for prices starts. */
export const firstPrices = (sizes: Float64Array, perMib: Float64Array): Proven => ({
  bound: 0,
  prices: blockPrices(sizes, perMib),
});

/**
 * @param reservations of all instances with a secondary, MiB, ascending; those that nothing is reserved for
 *   are 0
 * @param perMib what a MiB costs that a node reserves, one an online node
 * @param rounds how often prices are changed at most
 */
export function reservedBound(
  reservations: Float64Array,
  perMib: Float64Array,
  evenness: Evenness,
  start: Proven,
  rounds: number,
): Proven {
  const sizes = coarse(reservations);
  const kinds = kindsOf(perMib, evenness, sizes.length);
  const taker = new Taker(sizes, evenness, Math.max(0, ...kinds.map(({ most }) => most)));
  const taken = new Float64Array(sizes.length);
  const earned = new Float64Array(sizes.length + 1);
  let { prices } = start;
  let best = start;
  let step = FIRST_STEP * prices.reduce((sum, price) => sum + price, 0);
  const leastStep = step * (LEAST_STEP / FIRST_STEP);
  let since = 0;
  for (let round = 0; round < rounds && step > leastStep; round++) {
    taken.fill(0);
    const highest = prices.toSorted();
    for (let s = 1; s <= sizes.length; s++) earned[s] = earned[s - 1]! + highest[sizes.length - s]!;
    let bound = earned[sizes.length]!;
    for (const kind of kinds) bound += taker.take(kind, prices, earned, taken);
    since = bound > best.bound * (1 + LEAST_GAIN) ? 0 : since + 1;
    if (bound > best.bound) best = { bound, prices };
    if (since > PATIENCE) {
      step /= 2;
      since = 0;
      prices = best.prices;
      continue;
    }
    const squares = taken.reduce((sum, count) => sum + (1 - count) ** 2, 0);
    if (squares === 0) break;
    prices = prices.map((price, k) => price + (step / squares) * (1 - taken[k]!));
  }
  return best;
}
