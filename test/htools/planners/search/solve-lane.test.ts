import { expect } from 'chai';
import { makeCluster } from '../../../../bench/generate/cluster.ts';
import { type ClusterShape, PLAIN_SHAPE } from '../../../../bench/generate/shape.ts';
import { clusterText } from '../../../../bench/generate/text.ts';
import { prepareSnapshot } from '../../../../src/htools/cluster/prepare/prepare.ts';
import { groupScope } from '../../../../src/htools/model/state/scope.ts';
import { NO_CAPS } from '../../../../src/htools/plan/plan.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { searchProblem } from '../../../../src/htools/planners/search/lanes.ts';
import type { TakenStep } from '../../../../src/htools/planners/search/order/realise.ts';
import { replay } from '../../../../src/htools/planners/search/plans.ts';
import { solveLane } from '../../../../src/htools/planners/search/solve-lane.ts';
import { parseText } from '../../../../src/htools/sources/text/text.ts';

/** The end of a lane that migrates at most so much memory. */
function endOf(shape: Partial<ClusterShape>, memoryGib: number, target?: number): TakenStep {
  const text = clusterText(makeCluster({ ...PLAIN_SHAPE, nodesPerGroup: 6, ...shape }));
  const { snapshot } = prepareSnapshot(parseText(text, 'test'), {});
  const { nodes } = groupScope(snapshot, 0);
  const task = { snapshot, nodes, options: DEFAULT_BALANCE_OPTIONS };
  const caps = { ...NO_CAPS, memoryGib };
  const { layout } = searchProblem(task, { seed: 1, candidates: 0, caps });
  const lane = { lane: 1, seed: 1, prices: [Number.POSITIVE_INFINITY], caps, weight: 1, candidates: 20_000 };
  const aimed = target === undefined ? lane : { ...lane, target };
  const [steps] = solveLane(layout, aimed, { planned: 0, done: 0 }, () => 0);
  return replay(task, steps!).at(-1)!;
}

describe('a lane of a deep search', () => {
  it('keeps its caps where steps wait for each other, whether it walks on from there or anew', () => {
    for (const seed of [4, 13, 22, 31]) {
      const { total } = endOf({ seed, memoryFill: 0.7, exclusionTagShare: 0.6 }, 25, 6);
      expect(total.memoryGib, `seed ${seed}`).to.be.within(10, 25);
    }
  });

  it('does as well with nothing of something as with next to nothing', () => {
    let nothing = 0;
    let little = 0;
    for (const seed of [1, 2, 3]) {
      const none = endOf({ seed }, 0);
      expect(none.total.memoryGib).to.equal(0);
      nothing += none.score;
      little += endOf({ seed }, 0.001).score;
    }
    expect(nothing).to.be.below(1.25 * little);
  });
});
