import { expect } from 'chai';
import { makeCluster } from '../../../../../bench/generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import { clusterText } from '../../../../../bench/generate/text.ts';
import { prepareSnapshot } from '../../../../../src/htools/cluster/prepare/prepare.ts';
import { groupScope } from '../../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { RandomStream } from '../../../../../src/htools/planners/anneal/random.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { Kernel } from '../../../../../src/htools/planners/search/kernel/kernel.ts';
import { makeLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { Chains } from '../../../../../src/htools/planners/search/walk/chains.ts';
import { Estimate } from '../../../../../src/htools/planners/search/walk/estimate.ts';
import { FarNodes } from '../../../../../src/htools/planners/search/walk/far-nodes.ts';
import { Prices } from '../../../../../src/htools/planners/search/walk/prices.ts';
import { Walk } from '../../../../../src/htools/planners/search/walk/walk.ts';
import { parseText } from '../../../../../src/htools/sources/text/text.ts';
import { forSeeds } from '../../../../builders/seeds.ts';

const ROUNDING = 1e-6;
const WIDEST = 1e4;

/** Clusters without offline nodes and locations, which estimates leave out; some of their nodes fail N+1. */
function walkOf(seed: number): Walk {
  const shape = {
    ...PLAIN_SHAPE,
    seed,
    nodesPerGroup: 5 + (seed % 5),
    instancesPerNode: 6,
    carelessShare: 0.5,
  };
  const text = clusterText(makeCluster({ ...shape, memoryFill: 0.7, exclusionTagShare: 0.3 }));
  const { snapshot } = prepareSnapshot(parseText(text, 'test'), {});
  const { nodes } = groupScope(snapshot, 0);
  const layout = makeLayout(new ClusterState(snapshot), nodes, DEFAULT_BALANCE_OPTIONS);
  return new Walk(new Kernel(layout), new Prices(layout), new RandomStream(seed, 1));
}

/** The least room with which an estimate lets a trial pass. */
function leastRoom(estimate: Estimate): number {
  let low = -WIDEST;
  let high = WIDEST;
  while (high - low > ROUNDING / 10) {
    const middle = (low + high) / 2;
    if (estimate.mayPass(middle)) high = middle;
    else low = middle;
  }
  return high;
}

describe('an estimate of a change of several instances', () => {
  it('is what the change is found to cost on the books, reservations, N+1 and tags included', () => {
    let exact = 0;
    let all = 0;
    forSeeds(40, (seed) => {
      const walk = walkOf(seed);
      const { trial, kernel, layout } = walk;
      const chains = new Chains(walk);
      const estimate = new Estimate(kernel, trial);
      for (const i of layout.movable) {
        if (!chains.swap(i) || !chains.close()) continue;
        const room = leastRoom(estimate);
        const { score } = kernel;
        if (!trial.run(Number.POSITIVE_INFINITY)) continue;
        all++;
        if (Math.abs(room - (kernel.score - score)) < ROUNDING) exact++;
        for (let t = 0; t < trial.count; t++) {
          walk.residents.moved(
            trial.instances[t]!,
            trial.fromPrimary[t]!,
            trial.fromSecondary[t]!,
            trial.toPrimary[t]!,
            trial.toSecondary[t]!,
          );
        }
      }
    });
    expect(all).to.be.above(100);
    expect(exact / all, `${exact} of ${all}`).to.be.above(0.9);
  });
});

describe('nodes drawn far from the mean', () => {
  it('lie on its two sides, the farther the more often', () => {
    let drawn = 0;
    forSeeds(10, (seed) => {
      const { kernel, layout } = walkOf(seed);
      const random = new RandomStream(seed, 2);
      const far = new FarNodes(layout, kernel, 0);
      const mean = kernel.books.sums[0]! * layout.perNode[0]!;
      const distance = (n: number): number => kernel.books.x[n * layout.columnCount]! - mean;
      const counts = new Map<number, number>();
      for (let k = 0; k < 2_000; k++) {
        if (!far.draw(random)) continue;
        drawn++;
        expect(distance(far.above)).to.be.above(0);
        expect(distance(far.below)).to.be.below(0);
        counts.set(far.above, (counts.get(far.above) ?? 0) + 1);
      }
      const above = [...layout.targets].filter((n) => distance(n) > 0);
      const squares = above.reduce((sum, n) => sum + distance(n) ** 2, 0);
      const draws = [...counts.values()].reduce((sum, one) => sum + one, 0);
      if (draws === 0) return;
      for (const n of above)
        expect((counts.get(n) ?? 0) / draws).to.be.closeTo(distance(n) ** 2 / squares, 0.05);
    });
    expect(drawn).to.be.above(1_000);
  });
});
