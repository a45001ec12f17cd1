/** Thread of a deep search: walks a lane, or takes greedy's steps, within its share of the time. */
import type { Snapshot } from '../cluster/snapshot.ts';
import type { BalanceOptions } from '../planners/balance/options.ts';
import { greedySteps } from '../planners/search/greedy.ts';
import type { SearchLayout } from '../planners/search/kernel/layout.ts';

import type { OrderedStep } from '../planners/search/order/attempt.ts';
import { solveLane } from '../planners/search/solve-lane.ts';
import type { LaneTask } from '../planners/search/walk/lane.ts';

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
  /** Milliseconds from when it starts; undefined where work is the limit. */
  readonly timeMs?: number | undefined;
}

/** Does one job, on whatever thread; its plans. */
export function doSearchJob({
  layout,
  lane,
  greedy,
  timeMs,
}: SearchJob): readonly (readonly OrderedStep[])[] {
  const started = performance.now();
  const share = (): number => (performance.now() - started) / timeMs!;
  if (lane) return solveLane(layout, lane, timeMs === undefined ? undefined : share);
  const { snapshot, nodes, options } = greedy!;
  return [greedySteps(snapshot, nodes, options, () => timeMs !== undefined && share() > 1)];
}

export default doSearchJob;
