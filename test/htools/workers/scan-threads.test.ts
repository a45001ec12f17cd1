/** Threads that share the scan: the same answer for any number, a clear end when one is lost. */
import { expect } from 'chai';
import { Piscina } from 'piscina';
import { PLAIN_SHAPE } from '../../../bench/generate/shape.ts';
import { groupScope } from '../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../src/htools/planners/balance/options.ts';
import { balanceSteps } from '../../../src/htools/planners/balance/steps/balance.ts';
import { StepSearch } from '../../../src/htools/planners/balance/steps/step-search.ts';
import {
  helpersReady,
  makeParallelRound,
  type ParallelRound,
  ParallelScan,
} from '../../../src/htools/planners/balance/threads/parallel-scan.ts';
import { helpWithThreads, usefulThreads } from '../../../src/htools/workers/pool/scan-threads.ts';
import { workerFile } from '../../../src/htools/workers/pool/worker-file.ts';
import { InternalError } from '../../../src/kit/faults.ts';
import { clusterOfShape } from '../../builders/random-cluster.ts';

const options = { ...DEFAULT_BALANCE_OPTIONS, maxSteps: 4 };
/** Enough instances that looks at them are shared. */
const snapshot = clusterOfShape({ ...PLAIN_SHAPE, seed: 11, nodesPerGroup: 60, instancesPerNode: 20 });

const searchOn = (): StepSearch =>
  new StepSearch(new ClusterState(snapshot), groupScope(snapshot, 0).nodes, options);

async function stepsWith(threads: number) {
  const search = searchOn();
  const stop = await helpWithThreads(search, threads);
  try {
    return [...balanceSteps(search.state, groupScope(snapshot, 0).nodes, options, search)];
  } finally {
    await stop();
  }
}

/** A search with one thread beside it that waits for rounds. @param helper whose place that takes */
async function withHelper(
  helper: number,
  work: (search: StepSearch, round: ParallelRound, end: Promise<string>) => Promise<void>,
): Promise<void> {
  const search = searchOn();
  search.best();
  const round = makeParallelRound(search.state.instanceCount, 1);
  const { bounds, scan } = search;
  const pool = new Piscina({ filename: workerFile('scan'), minThreads: 1, maxThreads: 1 });
  const end = pool.run({ data: scan.data, bounds: bounds.arrays, round, helper }).then(
    () => 'ended',
    () => 'threw',
  );
  try {
    while (!helpersReady(round)) await new Promise((resolve) => setTimeout(resolve, 5));
    await work(search, round, end);
  } finally {
    await pool.destroy();
  }
}

describe('threads that share the scan', () => {
  it('take the same steps, whatever their number', async () => {
    const alone = await stepsWith(1);
    expect(alone).to.have.lengthOf(4);
    expect(searchOn().bounds.arrays.lowest.length).to.be.above(1000);
    expect(await stepsWith(2)).to.deep.equal(alone);
    expect(await stepsWith(3)).to.deep.equal(alone);
  });

  it('are not started for a small cluster', () => {
    expect(usefulThreads(searchOn())).to.equal(1);
    expect(usefulThreads(searchOn(), 2), 'asked for').to.equal(1);
  });

  it('do nothing on a call that arrives when its round is done', () =>
    withHelper(0, async (_, round, end) => {
      const [ROUND, DONE] = [0, 3];
      // Asleep, called for nothing, and asleep again: else it has gone through a round that there is not.
      for (let woken = 0; woken < 2 && Atomics.load(round.control, DONE) === 0; ) {
        woken += Atomics.notify(round.control, ROUND);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect(Atomics.load(round.control, DONE)).to.equal(0);
      new ParallelScan(round).stop();
      expect(await end).to.equal('ended');
    }));

  // The round has no place for a second helper's candidates: it throws whether or not instances are left for
  // it.
  it('end the run when one throws', () =>
    withHelper(1, async ({ bounds, scan, state }, round, end) => {
      const scanAll = () => new ParallelScan(round).scan(bounds, scan.found, state.instanceCount, 0);
      expect(scanAll).to.throw(InternalError, 'a scanning thread failed');
      expect(await end).to.equal('threw');
    }));

  it('end the run when one is gone', () => {
    const search = searchOn();
    const lost = new ParallelScan(makeParallelRound(search.state.instanceCount, 1), 300);
    search.best();
    expect(() => lost.look(search.bounds, 3)).to.throw(InternalError, 'thread is gone');
  });
});
