import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { fractionalBound, type Priced } from '../../../../../src/htools/planners/search/bound/fractional.ts';
import { mergeLike } from '../../../../../src/htools/planners/search/bound/merge.ts';
import {
  type Flow,
  leastDeviation,
  type Relaxation,
} from '../../../../../src/htools/planners/search/bound/relaxation.ts';
import { forSeeds } from '../../../../builders/seeds.ts';

const whole = ({ flows }: Relaxation): Priced[] => flows.map((flow) => ({ ...flow, share: 1 }));

const flowOf = (scale: readonly number[], amounts: readonly number[], more: Partial<Flow> = {}): Flow => ({
  weight: 1,
  totalWeight: 0,
  fixed: new Float64Array(scale.length),
  scale: Float64Array.from(scale),
  counts: new Uint8Array(scale.length).fill(1),
  asPrimary: Float64Array.from(amounts),
  asSecondary: new Float64Array(amounts.length),
  least: 0,
  ...more,
});

const relaxationOf = (flows: readonly Flow[], more: Partial<Relaxation> = {}): Relaxation => {
  const count = flows[0]!.asPrimary.length;
  return {
    nodeCount: flows[0]!.scale.length,
    members: new Float64Array(count).fill(1),
    flows,
    reservations: new Float64Array(count),
    isMirrored: new Uint8Array(count),
    closed: Array.from({ length: count }, () => []),
    mayRest: new Uint8Array(count),
    ...more,
  };
};

/** The score where instance i has the share `shares[i][k]` on node k. */
function scoreOf(flows: readonly Flow[], shares: readonly (readonly number[])[]): number {
  return flows.reduce((score, { weight, totalWeight, fixed, scale, asPrimary, counts }) => {
    const all = fixed.map((value, k) =>
      shares.reduce((sum, one, i) => sum + one[k]! * asPrimary[i]! * scale[k]!, value),
    );
    const values = all.filter((_, k) => counts[k] === 1);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return score + weight * Math.sqrt(squares / values.length) + totalWeight * mean * values.length;
  }, 0);
}

describe("the bound's fractional part", () => {
  it('knows that one placement must serve all flows: even numbers are uneven shares of unlike nodes', () => {
    const amounts = [1, 1];
    const both = relaxationOf([flowOf([1, 1], amounts), flowOf([1, 0.5], amounts)]);
    // Numbers cost more than shares gain: one instance each, and shares of 1 and 0.5 deviate by 0.25.
    expect(fractionalBound(both, whole, 1)).to.be.closeTo(0.25, 2e-3);
    for (const flow of both.flows) expect(fractionalBound(relaxationOf([flow]), whole, 1)).to.be.below(2e-3);
  });

  it('is never above the score of any fractions', () => {
    forSeeds(60, (seed) => {
      const random = new Random(seed, 'fractional');
      const nodes = random.between(2, 5);
      const count = random.between(1, 6);
      const numbers = (length: number, most: number): number[] =>
        Array.from({ length }, () => random.real(0, most));
      const flows = Array.from({ length: random.between(1, 3) }, () =>
        flowOf(numbers(nodes, 1), numbers(count, 3), {
          weight: random.pick([0, 0.5, 1, 3]),
          totalWeight: random.pick([0, 0, 0.25]),
          fixed: Float64Array.from(numbers(nodes, 1)),
        }),
      );
      const closed = Array.from({ length: count }, () => (random.chance(0.3) ? [random.below(nodes)] : []));
      const bound = fractionalBound(relaxationOf(flows, { closed }), whole, 1);
      for (let k = 0; k < 30; k++) {
        const shares = closed.map((shut) => {
          const raw = numbers(nodes, 1).map((x, n) => (shut.includes(n) ? 0 : x ** random.pick([1, 8])));
          const sum = raw.reduce((total, x) => total + x, 0);
          return raw.map((x) => x / sum);
        });
        expect(bound).to.be.at.most(scoreOf(flows, shares) + 1e-9);
      }
    });
  });

  it('sends instances where they may go, and lets those rest that may', () => {
    const flow = flowOf([1, 1], [2, 2]);
    const closed = [[0], [0]];
    expect(fractionalBound(relaxationOf([flow], { closed }), whole, 1)).to.be.closeTo(2, 1e-2);
    const mayRest = Uint8Array.of(1, 1);
    expect(fractionalBound(relaxationOf([flow], { closed, mayRest }), whole, 1)).to.be.below(1e-2);
  });

  it('takes from a flow its share alone, and whole units where they do not divide', () => {
    const odd = flowOf([1, 1, 1], [1, 1, 1, 1], { least: leastDeviation([0, 0, 0], 1, 4) });
    expect(fractionalBound(relaxationOf([odd]), whole, 1)).to.be.closeTo(Math.sqrt(2 / 9), 1e-2);
    const half = (of: Relaxation): Priced[] => of.flows.map((flow) => ({ ...flow, share: 0.5 }));
    expect(fractionalBound(relaxationOf([odd]), half, 1)).to.be.closeTo(Math.sqrt(2 / 9) / 2, 1e-2);
  });

  it('counts whole units: seven on three nodes deviate by what is left over', () => {
    expect(leastDeviation([0, 0, 0], 1, 7)).to.be.closeTo(Math.sqrt(2 / 9), 1e-12);
    expect(leastDeviation([3, 0, 0], 1, 6)).to.equal(0);
    expect(leastDeviation([0, 0], -2, 3)).to.equal(1);
  });

  it('merges like instances without losing any amount', () => {
    const flows = [flowOf([1, 1], [1, 1, 1, 1, 1, 1]), flowOf([1, 2], [6, 1, 2, 5, 3, 4])];
    const isMirrored = Uint8Array.of(0, 0, 0, 1, 1, 1);
    const merged = mergeLike(relaxationOf(flows, { isMirrored }), 3);
    expect([...merged.members]).to.deep.equal([2, 1, 2, 1]);
    expect([...merged.flows[1]!.asPrimary]).to.deep.equal([1.5, 6, 3.5, 5]);
    expect([...merged.isMirrored]).to.deep.equal([0, 0, 1, 1]);
  });
});
