import { expect } from 'chai';
import { makeCluster } from '../../../../bench/generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../../bench/generate/shape.ts';
import { clusterText } from '../../../../bench/generate/text.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { makeLayout } from '../../../../src/htools/planners/search/kernel/layout.ts';
import {
  laneTasks,
  type SearchLimits,
  withGreedyPrice,
} from '../../../../src/htools/planners/search/lanes.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';

describe('the lanes of a deep search', () => {
  const text = clusterText(makeCluster({ ...PLAIN_SHAPE, seed: 5, nodesPerGroup: 8 }));
  const { snapshot } = prepareSnapshot(parseText(text, 'test'), {});
  const { nodes } = groupScope(snapshot, 0);
  const layout = makeLayout(new ClusterState(snapshot), nodes, DEFAULT_BALANCE_OPTIONS);
  const limits = (candidates: number | undefined, more: Partial<SearchLimits> = {}): SearchLimits => ({
    seed: 1,
    candidates,
    mostGib: Number.POSITIVE_INFINITY,
    mostSteps: Number.POSITIVE_INFINITY,
    ...more,
  });
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
      expect(lanes.some(({ capsGib }) => capsGib[0] === 0)).to.equal(true);
      expect(lanes.some(({ capsGib }) => capsGib[0] === Number.POSITIVE_INFINITY)).to.equal(true);
    }
  });

  it('follow the expected work where time is the limit, and never where work is', () => {
    const counts = [1, enough].map(
      (expectedCandidates) => laneTasks(layout, limits(undefined, { expectedCandidates })).length,
    );
    expect(counts[0]).to.be.below(counts[1]!);
    const [one, other] = [1, enough].map((expectedCandidates) =>
      laneTasks(layout, limits(enough, { expectedCandidates })),
    );
    expect(one).to.deep.equal(other);
  });

  it('keep caps below a cap, and one follows what greedy copies', () => {
    const [following, ...others] = laneTasks(layout, limits(1)).filter((one) => one.sharesOfGreedy);
    expect(others).to.deep.equal([]);
    const [cap] = withGreedyPrice(following!, layout, 400).capsGib;
    expect(cap).to.be.within(380, 400);
    const whole = layout.movable.reduce((sum, i) => sum + layout.disk[i]! / 1024, 0);
    expect(withGreedyPrice(following!, layout, 0).capsGib[0]).to.be.within(0.1 * whole, whole);
    const capped = laneTasks(layout, limits(1, { mostGib: 100 }));
    expect(capped.every(({ capsGib, sharesOfGreedy }) => capsGib.at(-1)! <= 100 && !sharesOfGreedy)).to.equal(
      true,
    );
    const free = laneTasks(layout, limits(1, { mostGib: 0 }));
    expect(free.every(({ capsGib }) => capsGib.every((gib) => gib === 0))).to.equal(true);
  });
});
