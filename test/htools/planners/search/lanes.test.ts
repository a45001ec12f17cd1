import { expect } from 'chai';
import { makeCluster } from '../../../../bench/generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../../bench/generate/shape.ts';
import { clusterText } from '../../../../bench/generate/text.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { NO_CAPS } from '../../../../src/htools/plan/plan.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { makeLayout } from '../../../../src/htools/planners/search/kernel/layout.ts';
import {
  laneTasks,
  type SearchLimits,
  withGreedyPrice,
} from '../../../../src/htools/planners/search/lanes.ts';
import { Prices } from '../../../../src/htools/planners/search/walk/prices.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';

describe('the lanes of a deep search', () => {
  const text = clusterText(makeCluster({ ...PLAIN_SHAPE, seed: 5, nodesPerGroup: 8 }));
  const { snapshot } = prepareSnapshot(parseText(text, 'test'), {});
  const { nodes } = groupScope(snapshot, 0);
  const layout = makeLayout(new ClusterState(snapshot), nodes, DEFAULT_BALANCE_OPTIONS);
  const limits = (candidates: number): SearchLimits => ({ seed: 1, candidates, caps: NO_CAPS });
  const { whole } = new Prices(layout);
  const enough = 1_000 * layout.movable.length ** 2;

  it('are fewer where work is little for so many instances, and share all of it by weight', () => {
    const many = laneTasks(layout, limits(enough));
    const few = laneTasks(layout, limits(enough / 100));
    expect(few.length).to.be.below(many.length);
    for (const [lanes, work] of [
      [many, enough],
      [few, enough / 100],
    ] as const) {
      const sum = lanes.reduce((all, { candidates }) => all + candidates, 0);
      expect(sum).to.be.within(work, work + lanes.length);
      const perWeight = lanes.map(({ candidates, weight }) => candidates / weight);
      expect(Math.max(...perWeight) / Math.min(...perWeight)).to.be.closeTo(1, 0.01);
      const cheapest = Math.min(...lanes.flatMap(({ prices }) => prices));
      expect(cheapest).to.be.within(whole / 1000, whole / 100);
      expect(lanes.some(({ prices }) => prices[0] === Number.POSITIVE_INFINITY)).to.equal(true);
    }
  });

  it('are the same whatever is limited, but for some more that keep the limits', () => {
    const free = laneTasks(layout, limits(enough));
    const caps = { ...NO_CAPS, steps: 20 };
    const limited = laneTasks(layout, { ...limits(enough), caps });
    expect(limited.slice(0, free.length)).to.deep.equal(free);
    const added = limited.slice(free.length);
    expect(added).to.have.length.above(1);
    for (const lane of added) expect(lane.caps).to.deep.equal(caps);
  });

  it('have some that copy and migrate no more than greedy', () => {
    const of = (what: 'price' | 'score') =>
      laneTasks(layout, limits(enough)).find(({ ofGreedy }) => ofGreedy === what)!;
    const end = { copiedGib: 400, memoryGib: 50, score: 7 };
    const asGood = withGreedyPrice(of('score'), end);
    expect(asGood.target).to.be.within(6.8, 7);
    const known = withGreedyPrice(of('price'), end);
    expect(known.target).to.equal(undefined);
    for (const { caps, prices } of [asGood, known]) {
      expect(caps).to.deep.equal({ ...NO_CAPS, copiedGib: 400, memoryGib: 50 });
      expect(prices).to.deep.equal([Number.POSITIVE_INFINITY]);
    }
    const none = withGreedyPrice(of('price'), { ...end, copiedGib: 0, memoryGib: 0 });
    expect(none.prices[0]).to.be.within(0.1 * whole, whole);
  });

  it('end nowhere where nothing costs anything', () => {
    const none = new Float64Array(layout.instanceCount);
    const free = { ...layout, copySeconds: none, changeSeconds: none, jobSeconds: none };
    expect(laneTasks(free, limits(1)).flatMap(({ prices }) => prices)).to.satisfy((prices: number[]) =>
      prices.every((price) => price === Number.POSITIVE_INFINITY),
    );
  });
});
