/** Lanes of a deep search on threads: the same plans for any number of these, and in any order. */
import { expect } from 'chai';
import { PLAIN_SHAPE } from '../../../bench/generate/shape.ts';
import { groupScope } from '../../../src/htools/model/state/scope.ts';
import { NO_CAPS } from '../../../src/htools/plan/plan.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../src/htools/planners/balance/options.ts';
import { greedyEnd } from '../../../src/htools/planners/search/greedy.ts';
import { searchProblem, withGreedyPrice } from '../../../src/htools/planners/search/lanes.ts';
import {
  longestFirst,
  runSearch,
  usefulSearchThreads,
} from '../../../src/htools/workers/pool/search-threads.ts';
import { threadsHere } from '../../../src/htools/workers/pool/worker-file.ts';
import { doSearchJob } from '../../../src/htools/workers/search.ts';
import { clusterOfShape } from '../../builders/random-cluster.ts';
import { inLongRun } from '../../builders/seeds.ts';

function problemOf(nodesPerGroup: number, candidates: number) {
  const snapshot = clusterOfShape({ ...PLAIN_SHAPE, seed: 3, nodesPerGroup });
  const task = { snapshot, nodes: groupScope(snapshot, 0).nodes, options: DEFAULT_BALANCE_OPTIONS };
  return searchProblem(task, { seed: 1, candidates, caps: NO_CAPS });
}

describe('the lanes of a deep search', () => {
  for (const [nodes, candidates] of [[5, 5_000], ...inLongRun([8, 50_000])] as const)
    it(`end as one after another in their own order, whatever the number of threads: ${nodes} nodes`, async () => {
      const problem = problemOf(nodes, candidates);
      const greedy = doSearchJob(problem, { lane: undefined });
      const end = greedyEnd(greedy.plans);
      const walks = problem.lanes.map((lane) => doSearchJob(problem, { lane: withGreedyPrice(lane, end) }));
      expect(end.copiedGib).to.be.above(0);
      for (const threads of [1, ...inLongRun(2), 3]) {
        const told: number[] = [];
        const found = await runSearch(problem, {
          threads,
          timeLimitMs: undefined,
          onDone: (done) => told.push(done),
        });
        expect(found, `${threads} threads`).to.deep.equal({ greedy, walks });
        expect(told).to.deep.equal([...told.keys()].map((k) => k + 1));
      }
    });

  it('are begun with those that have most to do, so that no thread is left alone with one', () => {
    for (const { lanes } of [problemOf(5, 20_000), problemOf(5, 10)]) {
      const order = longestFirst(lanes);
      expect(order.toSorted((a, b) => a.lane - b.lane)).to.deep.equal(lanes);
      expect(new Set(lanes.map(({ weight }) => weight)).size).to.be.above(1);
      for (const [k, { weight, lane }] of order.entries()) {
        const next = order[k + 1];
        if (next) expect(weight > next.weight || (weight === next.weight && lane > next.lane)).to.equal(true);
      }
    }
  });

  it('are on one thread where they have little to do', () => {
    expect(usefulSearchThreads(1_000_000)).to.equal(1);
    expect(usefulSearchThreads(4_000_000)).to.equal(threadsHere());
  });
});
