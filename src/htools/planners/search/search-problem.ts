/** A group made ready for a deep search. */
import { Scorer } from '../../model/score/scorer.ts';
import { ClusterState } from '../../model/state/state.ts';
import { makeLayout, type SearchLayout } from './kernel/layout.ts';
import { laneTasks, type SearchLimits } from './lanes.ts';
import type { Task } from './plans.ts';
import type { LaneTask } from './walk/lane.ts';

export interface SearchProblem {
  readonly task: Task;
  readonly layout: SearchLayout;
  readonly initialScore: number;
  readonly lanes: readonly LaneTask[];
}

export function searchProblem(task: Task, limits: SearchLimits): SearchProblem {
  const state = new ClusterState(task.snapshot);
  const { score } = new Scorer(state, task.nodes);
  const layout = makeLayout(state, task.nodes, task.options);
  return {
    task,
    layout,
    initialScore: score,
    lanes: layout.movable.length > 0 ? laneTasks(layout, limits) : [],
  };
}
