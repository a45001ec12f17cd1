import { expect } from 'chai';
import { PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { lowerBound } from '../../../../../src/htools/planners/search/bound/lower-bound.ts';
import { Kernel } from '../../../../../src/htools/planners/search/kernel/kernel.ts';
import { makeLayout, type SearchLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { offerGreedy } from '../../../../../src/htools/programs/shared/balance/deep-search.ts';
import { clusterOfShape, nodesByGroup, randomCluster } from '../../../../builders/random-cluster.ts';
import { roundCluster } from '../../../../builders/round-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';

const layoutOf = (snapshot: Snapshot, nodes: readonly number[]): SearchLayout =>
  makeLayout(new ClusterState(snapshot), nodes, DEFAULT_BALANCE_OPTIONS);

import { exactCurve } from './exact.ts';

describe('the lower bound', () => {
  it('is below the score at the start and at the end of greedy steps, on clusters of every kind', function () {
    this.timeout(60_000);
    let positive = 0;
    forSeeds(6, (seed) => {
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

  it('is about half of what the search reaches on twenty nodes, whatever the plan reached', function () {
    this.timeout(60_000);
    const snapshot = clusterOfShape({ ...PLAIN_SHAPE, seed: 7000 });
    const layout = layoutOf(snapshot, nodesByGroup(snapshot)[0]!);
    // What 24 million candidates reach.
    const near = lowerBound(layout, 0.513)!;
    expect(near).to.be.within(0.25, 0.4);
    expect(lowerBound(layout, 20)!).to.be.closeTo(near, 0.02);
    // No score can be this low.
    expect(lowerBound(layout, 0.1)!).to.be.closeTo(0.1, 1e-6);
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
