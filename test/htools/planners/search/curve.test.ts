import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { curveOf } from '../../../../src/htools/planners/search/curve.ts';
import { NOTHING, type TakenStep } from '../../../../src/htools/planners/search/order/realise.ts';
import { kneeOf, pick } from '../../../../src/htools/planners/search/pick.ts';
import { forSeeds } from '../../../builders/seeds.ts';

/** A plan as pairs of price in all and score after each step. */
const planOf = (...pairs: readonly (readonly [number, number])[]): TakenStep[] =>
  pairs.map(([price, score], k) => ({
    instance: 0,
    kind: 0,
    target: -1,
    fromPrimary: 0,
    fromSecondary: 1,
    toPrimary: 1,
    toSecondary: 0,
    isDetour: false,
    total: { ...NOTHING, price, steps: k + 1 },
    score,
  }));

const pairsOf = (curve: ReturnType<typeof curveOf>) => curve.map(({ total, score }) => [total.price, score]);

describe('the curve of plans', () => {
  it('has the beginnings of all plans that nothing cheaper or equal beats, from the start on', () => {
    const curve = curveOf(10, [planOf([0, 9], [5, 11], [8, 4]), planOf([2, 9.5], [4, 6], [9, 5])]);
    expect(pairsOf(curve)).to.deep.equal([
      [0, 10],
      [0, 9],
      [4, 6],
      [8, 4],
    ]);
    expect(curve.map(({ plan, steps }) => [plan, steps])).to.deep.equal([
      [-1, 0],
      [0, 1],
      [1, 2],
      [0, 3],
    ]);
    expect(curve.map(({ gainShare }) => gainShare)).to.deep.equal([0, 1 / 6, 4 / 6, 1]);
  });

  it('keeps of points at one price the lowest, and with it the shortest plan', () => {
    const curve = curveOf(10, [planOf([3, 8], [3, 7], [3, 7]), planOf([3, 7])]);
    expect(pairsOf(curve)).to.deep.equal([
      [0, 10],
      [3, 7],
    ]);
    expect([curve[1]!.plan, curve[1]!.steps]).to.deep.equal([1, 1]);
  });

  it('is the start alone where no plan gains anything', () => {
    expect(curveOf(1, [planOf([1, 1], [2, 1.5]), []])).to.deep.equal([
      { total: NOTHING, score: 1, steps: 0, plan: -1, gainShare: 0 },
    ]);
  });
});

describe('the choice of a plan', () => {
  const curve = curveOf(10, [planOf([1, 9], [2, 5], [10, 4.8], [12, 3], [40, 2])]);
  const always = () => true;

  it('takes the cheapest point with the share of the gain', () => {
    expect(pick(curve, { gainShare: 1, minGainPerSecond: 0 }, always).total.price).to.equal(40);
    expect(pick(curve, { gainShare: 0.6, minGainPerSecond: 0 }, always).total.price).to.equal(2);
    expect(pick(curve, { gainShare: 0.7, minGainPerSecond: 0 }, always).total.price).to.equal(12);
    expect(pick(curve, { gainShare: 0, minGainPerSecond: 0 }, always).total.price).to.equal(0);
  });

  it('measures the share by the best of all, and takes the lowest that may be picked where none has it', () => {
    expect(
      pick(curve, { gainShare: 1, minGainPerSecond: 0 }, ({ total }) => total.price <= 11).score,
    ).to.equal(4.8);
    expect(pick(curve, { gainShare: 0.9, minGainPerSecond: 0 }, ({ steps }) => steps <= 2).score).to.equal(5);
    expect(
      pick(curve, { gainShare: 0.5, minGainPerSecond: 0 }, ({ total }) => total.price !== 2).total.price,
    ).to.equal(10);
    expect(pick(curve, { gainShare: 1, minGainPerSecond: 0 }, ({ plan }) => plan < 0).total.price).to.equal(
      0,
    );
  });

  it('ends where the last second gains too little, a block of steps taken as one', () => {
    // Slopes of the hull: 2.5 up to 2 GiB, 0.2 up to 12, 0.036 up to 40. The step from 2 to 10 alone gains
    // 0.025 a GiB.
    expect(pick(curve, { gainShare: 1, minGainPerSecond: 3 }, always).total.price).to.equal(0);
    expect(pick(curve, { gainShare: 1, minGainPerSecond: 1 }, always).total.price).to.equal(2);
    expect(pick(curve, { gainShare: 1, minGainPerSecond: 0.15 }, always).total.price).to.equal(12);
    expect(pick(curve, { gainShare: 1, minGainPerSecond: 0.03 }, always).total.price).to.equal(40);
  });

  it('agrees with looking at every point', () => {
    forSeeds(60, (seed) => {
      const random = new Random(seed, 'pick');
      const plans = Array.from({ length: random.between(1, 4) }, () => {
        let gib = 0;
        return planOf(
          ...Array.from({ length: random.between(0, 8) }, () => {
            gib += random.between(0, 3);
            return [gib, random.between(1, 12)] as const;
          }),
        );
      });
      const made = curveOf(8, plans);
      const all = [
        { gib: 0, score: 8 },
        ...plans.flat().map(({ total, score }) => ({ gib: total.price, score })),
      ];
      const most = random.between(0, 12);
      const gainShare = random.real(0, 1);
      const allowed = all.filter(({ gib }) => gib <= most);
      const lowest = Math.min(...allowed.map(({ score }) => score));
      const best = Math.min(...all.map(({ score }) => score));
      const wanted = Math.max(lowest, 8 - gainShare * (8 - best));
      const cheapest = Math.min(...allowed.filter(({ score }) => score <= wanted).map(({ gib }) => gib));
      const picked = pick(made, { gainShare, minGainPerSecond: 0 }, ({ total }) => total.price <= most);
      expect(picked.total.price).to.equal(cheapest);
      expect(picked.score).to.be.at.most(wanted);
    });
  });
  it('has a knee that depends on the price of all there is, and is none where nothing is worth it', () => {
    // Slopes 2.5, 0.2 and 0.036 a second: the knee is where moving all of it once would gain 10 points, if
    // all up to there gains four times that.
    for (const [whole, price] of [
      [3, 0],
      [15, 0],
      [17, 2],
      [100, 12],
      [300, 40],
    ] as const)
      expect(pick(curve, kneeOf(whole)).total.price, `${whole}`).to.equal(price);
  });
});
