import { expect } from 'chai';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { NO_CAPS } from '../../../../../src/htools/plan/plan.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { makeLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { searchProblem } from '../../../../../src/htools/planners/search/lanes.ts';
import { cheapestWays } from '../../../../../src/htools/planners/search/order/cheapest-ways.ts';
import { replay } from '../../../../../src/htools/planners/search/plans.ts';
import { nodesByGroup, randomCluster } from '../../../../builders/random-cluster.ts';
import { roundCluster } from '../../../../builders/round-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { exactCurve } from '../bound/exact.ts';

/** The judge and the ways know the rules of moves, not the guard. */
const OPTIONS = { ...DEFAULT_BALANCE_OPTIONS, n1Guard: false };
const MOST_STATES = 8_000;
/** A cluster of four instances, of which some are alike: to the judge it is smaller than to the ways. */
const KNOWN_IN_PART = 999_999_996;
const ROUNDING = 1e-6;

interface Point {
  readonly price: number;
  readonly score: number;
}

/** The lowest score at each price below that one: prices differ by rounding, and so do those that tie. */
const lowestUpTo = (points: readonly Point[], upTo: number): Point[] =>
  points.filter(({ price }, k) => {
    const isLast = k + 1 === points.length || points[k + 1]!.price > price + ROUNDING;
    return isLast && price < upTo - ROUNDING;
  });

function expectSame(found: readonly Point[], wanted: readonly Point[]): void {
  expect(found.map(({ price }) => price)).to.have.length(wanted.length);
  for (const [k, { price, score }] of found.entries()) {
    expect(price).to.be.closeTo(wanted[k]!.price, ROUNDING);
    expect(score).to.be.closeTo(wanted[k]!.score, ROUNDING);
  }
}

describe('the cheapest ways on a small cluster', () => {
  const seen = { whole: 0, parts: 0, ways: 0, dropped: 0, kept: 0 };

  it('are those of the exact judge, up to the price that they are known to', () => {
    const judge = (seed: number): void => {
      const snapshot =
        seed % 2 === 0
          ? roundCluster(seed, { instancesPerNode: 1 + (seed % 3) / 2 })
          : randomCluster(seed, { fewestNodes: 3, mostNodes: 4, mostInstancesPerNode: 2 });
      for (const nodes of nodesByGroup(snapshot)) {
        const layout = makeLayout(new ClusterState(snapshot), nodes, OPTIONS);
        const exact = exactCurve(snapshot, layout, false, MOST_STATES);
        if (!Number.isFinite(exact?.[0]?.score) || layout.uncovered > 0) continue;
        const { ways, upTo } = cheapestWays(layout);
        if (upTo === Number.POSITIVE_INFINITY) seen.whole++;
        else seen.parts++;
        seen.ways += ways.length;
        const task = { snapshot, nodes, options: OPTIONS };
        const ends = ways.map((steps) => replay(task, steps).at(-1)!);
        const found = ends.map(({ total, score }) => ({ price: total.price, score }));
        expectSame(lowestUpTo(found, upTo), lowestUpTo(exact!.slice(1), upTo));
      }
    };
    forSeeds(10, judge, [KNOWN_IN_PART]);
    expect(seen.whole).to.be.above(3);
    expect(seen.parts).to.be.above(0);
    expect(seen.ways).to.be.above(5);
  });

  it('take the place of the lanes whose prices they know, where nothing is limited', () => {
    forSeeds(6, (seed) => {
      const snapshot = roundCluster(seed, { instancesPerNode: 1 + (seed % 3) / 2 });
      const nodes = nodesByGroup(snapshot)[0]!;
      const task = { snapshot, nodes, options: OPTIONS };
      const limits = { seed: 1, candidates: 1e9, caps: NO_CAPS };
      const { layout, lanes, known } = searchProblem(task, limits);
      const { ways, upTo } = cheapestWays(layout);
      expect(known).to.deep.equal(ways);
      const free = lanes.filter(({ ofGreedy }) => ofGreedy === undefined);
      expect(lanes.length - free.length).to.equal(5);
      expect(free).to.have.length(free.filter(({ prices }) => prices[0]! >= upTo).length);
      if (upTo === Number.POSITIVE_INFINITY) expect(free).to.have.length(0);
      seen.dropped += 12 - free.length;
      seen.kept += free.length;
      const limited = searchProblem(task, { ...limits, caps: { ...NO_CAPS, steps: 1 } }).lanes;
      expect(limited).to.have.length(lanes.length + 3);
    });
    expect(seen.dropped).to.be.above(6);
    expect(seen.kept).to.be.above(6);
  });
});
