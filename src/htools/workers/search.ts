/** Thread of a deep search: walks a lane, or takes greedy's steps. */
import { workerData } from 'node:worker_threads';
import { compacted, greedySteps } from '../planners/search/greedy.ts';
import type { SearchProblem } from '../planners/search/lanes.ts';
import type { TakenStep } from '../planners/search/order/realise.ts';
import { replay } from '../planners/search/plans.ts';
import { solveLane } from '../planners/search/solve-lane.ts';
import type { LaneTask, Work } from '../planners/search/walk/lane.ts';

export interface SearchJob {
  /** Undefined for the balancer's own run. */
  readonly lane: LaneTask | undefined;
  /** Milliseconds from when it starts, at most; undefined where work is the limit. */
  readonly timeMs?: number | undefined;
  /** In shared memory: not 0 once the search is to end. */
  readonly stop?: Int32Array | undefined;
}

/** Its plans, and what of its work it did. */
export interface SearchAnswer {
  readonly plans: readonly (readonly TakenStep[])[];
  readonly work: Work;
}

export function doSearchJob(
  { task, layout }: SearchProblem,
  { lane, timeMs, stop }: SearchJob,
): SearchAnswer {
  const started = performance.now();
  const clock = (): number => {
    if (stop && Atomics.load(stop, 0) !== 0) return Number.POSITIVE_INFINITY;
    return timeMs === undefined ? 0 : (performance.now() - started) / timeMs;
  };
  const work = { planned: 0, done: 0 };
  if (lane) return { plans: solveLane(layout, lane, work, clock).map((steps) => replay(task, steps)), work };
  const asFound = replay(
    task,
    greedySteps(task, () => clock() > 1),
  );
  // Greedy's own order, and the same end with each instance going there straight.
  return { plans: [asFound, replay(task, compacted(layout, asFound))], work };
}

export default (job: SearchJob): SearchAnswer => doSearchJob(workerData, job);
