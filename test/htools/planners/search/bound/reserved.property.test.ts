import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { firstPrices, reservedBound } from '../../../../../src/htools/planners/search/bound/reserved.ts';
import { forSeeds } from '../../../../builders/seeds.ts';

const ROUNDS = 200;

interface Case {
  readonly sizes: Float64Array;
  readonly perMib: Float64Array;
  readonly base: Float64Array;
  readonly penalty: number;
}

function randomCase(seed: number): Case {
  const random = new Random(seed, 'reserved');
  const nodes = random.between(2, 4);
  const instances = random.between(1, 7);
  const sizes = Float64Array.from({ length: instances }, () => random.pick([0, 1, 2, 4, 7, 8])).toSorted();
  const perMib = Float64Array.from({ length: nodes }, () => random.pick([0.25, 0.5, 1]));
  const outside = Float64Array.from({ length: nodes }, () => random.pick([0, 0, 0, 1, 2]));
  const mean = (outside.reduce((sum, one) => sum + one, 0) + instances) / nodes;
  return { sizes, perMib, base: outside.map((one) => one - mean), penalty: random.pick([0.05, 0.3, 2]) };
}

/** The least cost of all placements whose values are within a distance of the mean. */
function leastCost({ sizes, perMib, base, penalty }: Case, furthest: number): number {
  let least = Number.POSITIVE_INFINITY;
  const numbers = new Float64Array(perMib.length);
  const largest = new Float64Array(perMib.length);
  const place = (i: number): void => {
    if (i === sizes.length) {
      const values = base.map((one, k) => one + numbers[k]!);
      if (values.some((value) => Math.abs(value) > furthest + 1e-9)) return;
      const cost = values.reduce((sum, one, k) => sum + penalty * one * one + perMib[k]! * largest[k]!, 0);
      least = Math.min(least, cost);
      return;
    }
    for (let k = 0; k < perMib.length; k++) {
      const before = largest[k]!;
      numbers[k]!++;
      largest[k] = Math.max(before, sizes[i]!);
      place(i + 1);
      numbers[k]!--;
      largest[k] = before;
    }
  };
  place(0);
  return least;
}

describe("the reserved memory's part of the bound", () => {
  it('is never above what the best of all placements costs, and comes near it', () => {
    let least = 0;
    let proven = 0;
    forSeeds(150, (seed) => {
      const one = randomCase(seed);
      const furthest = new Random(seed, 'furthest').pick([1, 2, 20]);
      const cost = leastCost(one, furthest);
      const { sizes, perMib, base, penalty } = one;
      const evenness = { base, unit: 1, penalty, furthest };
      const { bound } = reservedBound(sizes, perMib, evenness, firstPrices(sizes, perMib), ROUNDS);
      if (cost === Number.POSITIVE_INFINITY) return;
      expect(bound).to.be.at.most(cost + 1e-9);
      least += cost;
      proven += bound;
    });
    expect(proven).to.be.above(0.85 * least);
  });

  it('is the whole cost where like instances fill like nodes: the large ones together', () => {
    const sizes = Float64Array.of(1, 1, 1, 5, 5, 5);
    const perMib = Float64Array.of(1, 1);
    const evenness = { base: Float64Array.of(-3, -3), unit: 1, penalty: 10, furthest: 3 };
    const { bound } = reservedBound(sizes, perMib, evenness, firstPrices(sizes, perMib), ROUNDS);
    expect(bound).to.be.closeTo(6, 0.01);
  });
});
