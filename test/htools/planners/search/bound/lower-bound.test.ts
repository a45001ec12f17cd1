import { expect } from 'chai';
import { PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { lowerBound } from '../../../../../src/htools/planners/search/bound/lower-bound.ts';
import { pricedBound } from '../../../../../src/htools/planners/search/bound/priced-bound.ts';
import { Kernel } from '../../../../../src/htools/planners/search/kernel/kernel.ts';
import { makeLayout, type SearchLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { offerGreedy, searchDeep } from '../../../../../src/htools/programs/shared/balance/deep-search.ts';
import { clusterOfShape, nodesByGroup, randomCluster } from '../../../../builders/random-cluster.ts';
import { roundCluster } from '../../../../builders/round-cluster.ts';
import { forSeeds, inLongRun, itInLongRun } from '../../../../builders/seeds.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';
import { limitedByWork } from '../../../../builders/work-limit.ts';
import { exactCurve } from './exact.ts';

const layoutOf = (snapshot: Snapshot, nodes: readonly number[]): SearchLayout =>
  makeLayout(new ClusterState(snapshot), nodes, DEFAULT_BALANCE_OPTIONS);

describe('the lower bound', () => {
  it('is below the score at the start and at the end of greedy steps, on clusters of every kind', () => {
    let positive = 0;
    forSeeds(8, (seed) => {
      const snapshot = seed % 2 === 0 ? roundCluster(seed) : randomCluster(seed);
      for (const nodes of nodesByGroup(snapshot)) {
        const layout = layoutOf(snapshot, nodes);
        const bound = lowerBound(layout, 1e3);
        if (bound === undefined || layout.movable.length === 0) continue;
        if (bound > 0) positive++;
        expect(bound).to.be.at.most(new Kernel(layout).score + 1e-9);
        const { offer } = offerGreedy(snapshot, nodes, DEFAULT_BALANCE_OPTIONS, false);
        for (const step of offer.plans[0]!) expect(bound).to.be.at.most(step.score + 1e-9);
      }
    });
    expect(positive).to.be.above(3);
  });

  itInLongRun('is about half of what the search reaches on twenty nodes, whatever the plan reached', () => {
    const snapshot = clusterOfShape({ ...PLAIN_SHAPE, seed: 7000 });
    const layout = layoutOf(snapshot, nodesByGroup(snapshot)[0]!);
    // What 24 million candidates reach.
    const near = lowerBound(layout, 0.513)!;
    expect(near).to.be.within(0.25, 0.4);
    expect(lowerBound(layout, 20)!).to.be.closeTo(near, 0.02);
    // No score can be this low.
    expect(lowerBound(layout, 0.1)!).to.be.closeTo(0.1, 1e-6);
  });

  for (const [nodesPerGroup, candidates] of [[6, 100_000], ...inLongRun([8, 500_000])] as const)
    it(`knows what a price buys at most, and at what price a score is had at least, on ${nodesPerGroup} nodes`, async () => {
      const snapshot = clusterOfShape({ ...PLAIN_SHAPE, seed: 7000, nodesPerGroup });
      const [nodes] = nodesByGroup(snapshot);
      const layout = layoutOf(snapshot, nodes!);
      const search = limitedByWork(1, candidates);
      const { offer } = await searchDeep(snapshot, nodes!, DEFAULT_BALANCE_OPTIONS, search);
      const pointOf = (share: number) => offer.curve.find(({ gainShare }) => gainShare >= share)!;
      const { score, total: enough } = pointOf(0.95);
      const { score: bought, total } = pointOf(0.99);
      const gained = offer.initialScore - score;
      // A point that is dearer than its score need be: what is proven is not only that it is reached.
      const proven = pricedBound(layout, { price: total.price, score }, gained);
      expect(proven.price).to.be.within(0.25 * enough.price, enough.price);
      expect(proven.score).to.be.at.most(bought);
      expect(pricedBound(layout, { price: enough.price, score }, gained).score).to.be.within(0.05, score);
      // Nothing is had for nothing.
      expect(pricedBound(layout, { price: 1, score }, gained).score).to.be.closeTo(score, 1e-6);
    });

  it('is nearly the optimum where all nodes and instances are alike: no part of a weight counts twice', () => {
    for (const [nodeCount, count] of [
      [2, 3],
      [3, 2],
      [3, 4],
      [3, 5],
    ] as const) {
      const snapshot = smallCluster({
        nodes: times(nodeCount, () => ({ totalMemMib: 1 << 20, totalDiskMib: 1 << 24, totalCpus: 64 })),
        instances: times(count, () => ({ memMib: 64, primary: 0, secondary: 1 })),
      });
      const layout = layoutOf(snapshot, nodesByGroup(snapshot)[0]!);
      const lowest = exactCurve(snapshot, layout, false, 2_000)!.at(-1)!.score;
      for (const reached of [1.001, 1.05, 1.5]) {
        const bound = lowerBound(layout, reached * lowest)!;
        expect(bound).to.be.within(0.9 * lowest, lowest);
      }
    }
  });

  it('is 0 where everything is even already', () => {
    const snapshot = clusterOfShape({ ...PLAIN_SHAPE, seed: 1 });
    expect(lowerBound(layoutOf(snapshot, nodesByGroup(snapshot)[0]!), 0)).to.equal(0);
  });
});
