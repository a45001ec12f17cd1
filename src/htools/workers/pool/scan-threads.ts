/** Starts the threads that help a step search, and ends them with it. */
import { InternalError } from '../../../kit/faults.ts';
import type { StepSearch } from '../../planners/balance/steps/step-search.ts';
import {
  helpersReady,
  makeParallelRound,
  ParallelScan,
} from '../../planners/balance/threads/parallel-scan.ts';
import { threadsHere, workerNamed } from './worker-file.ts';

/** Instances times targets from which on a full scan takes longer than threads take to start. */
const WORTH_THREADS = 1_000_000;
const LOOK_EVERY_MS = 5;
const MOST_START_MS = 20_000;

/** How many threads a search is given: as many as are asked for, or pay off here; one where none pays off. */
export const usefulThreads = (search: StepSearch, asked?: number): number =>
  search.fullScanSize < WORTH_THREADS ? 1 : (asked ?? threadsHere());

/** Gives a search so many threads with this one; returns what ends them. @throws InternalError if not */
export async function helpWithThreads(search: StepSearch, threads: number): Promise<() => Promise<void>> {
  const helpers = threads - 1;
  if (helpers < 1) return async () => {};
  const { Piscina } = await import('piscina');
  const pool = new Piscina({ ...workerNamed('scan'), minThreads: helpers, maxThreads: helpers });
  const { data } = search.scan;
  const bounds = search.bounds.arrays;
  const round = makeParallelRound(data.flags.length, helpers);
  let failure: unknown;
  const ends = Array.from({ length: helpers }, (_, helper) =>
    pool.run({ data, bounds, round, helper }).catch((error: unknown) => {
      failure = error;
    }),
  );
  for (let waitedMs = 0; !helpersReady(round); waitedMs += LOOK_EVERY_MS) {
    if (failure !== undefined || waitedMs > MOST_START_MS) {
      await pool.destroy();
      throw new InternalError(`scanning threads did not start: ${String(failure ?? 'no answer')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const parallel = new ParallelScan(round);
  search.parallel = parallel;
  return async () => {
    search.parallel = undefined;
    parallel.stop();
    await Promise.all(ends);
    await pool.destroy();
  };
}
