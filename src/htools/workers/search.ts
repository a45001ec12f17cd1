/** Thread of a deep search: walks a lane, or takes greedy's steps. */
import type { Snapshot } from '../cluster/snapshot.ts';
import type { BalanceOptions } from '../planners/balance/options.ts';
import { greedySteps } from '../planners/search/greedy.ts';
import type { SearchLayout } from '../planners/search/kernel/layout.ts';

import type { OrderedStep } from '../planners/search/order/attempt.ts';
import { solveLane } from '../planners/search/solve-lane.ts';
import type { LaneTask, Work } from '../planners/search/walk/lane.ts';

/** The balancer's own run. */
export interface GreedyTask {
  readonly snapshot: Snapshot;
  readonly nodes: readonly number[];
  readonly options: BalanceOptions;
}

export interface SearchJob {
  readonly layout: SearchLayout;
  /** One of the two. */
  readonly lane?: LaneTask | undefined;
  readonly greedy?: GreedyTask | undefined;
  /** Milliseconds from when it starts, at most; undefined where work is the limit. */
  readonly timeMs?: number | undefined;
  /** In shared memory: not 0 once the search is to end. */
  readonly stop?: Int32Array | undefined;
}

/** Its plans, and what of its work it did. */
export interface SearchAnswer {
  readonly plans: readonly (readonly OrderedStep[])[];
  readonly work: Work;
}

/** Does one job, on whatever thread. */
export function doSearchJob({ layout, lane, greedy, timeMs, stop }: SearchJob): SearchAnswer {
  const started = performance.now();
  const clock = (): number => {
    if (stop && Atomics.load(stop, 0) !== 0) return Number.POSITIVE_INFINITY;
    return timeMs === undefined ? 0 : (performance.now() - started) / timeMs;
  };
  const work = { planned: 0, done: 0 };
  if (lane) return { plans: solveLane(layout, lane, work, clock), work };
  const { snapshot, nodes, options } = greedy!;
  return { plans: [greedySteps(snapshot, nodes, options, () => clock() > 1)], work };
}

export default doSearchJob;
