/** The command line's deep search: lanes and greedy's steps on threads, and the offer of them. */
import { MS_PER_S } from '../../../../kit/units.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { groupScope } from '../../../model/state/scope.ts';
import type { PlanAmounts } from '../../../plan/plan.ts';
import type { BalanceOptions } from '../../../planners/balance/options.ts';
import { compacted, greedySteps } from '../../../planners/search/greedy.ts';
import { type SearchProblem, searchProblem } from '../../../planners/search/lanes.ts';
import { type Offer, offerOf, replay, type Task } from '../../../planners/search/plans.ts';
import { runSearch, usefulSearchThreads } from '../../../workers/pool/search-threads.ts';
import { usualCandidates } from './search-limits.ts';

export interface DeepSearch {
  readonly seed: number;
  /** Candidates in all; undefined for as many as so many instances are worth. */
  readonly candidates: number | undefined;
  readonly caps: PlanAmounts;
  /** Seconds at most; undefined for no such limit. */
  readonly timeLimitS: number | undefined;
  readonly threads: number | undefined;
  /** In shared memory: not 0 once the search is to end. Without it one thread is this one. */
  readonly stop?: Int32Array | undefined;
  readonly onProgress: (done: number, all: number) => void;
}

export interface DeepResult {
  readonly task: Task;
  readonly problem: SearchProblem;
  readonly offer: Offer;
  /** Share of the work that was done: 1 unless time or somebody ended the search. */
  readonly workShare: number;
}

/** Searches a group. @param nodes positions */
export async function searchDeep(
  snapshot: Snapshot,
  nodes: readonly number[],
  balancing: BalanceOptions,
  search: DeepSearch,
): Promise<DeepResult> {
  const options = search.caps.copiedGib === 0 ? { ...balancing, diskMoves: false } : balancing;
  const task = { snapshot, nodes, options };
  const { instances } = groupScope(snapshot, snapshot.nodes[nodes[0]!]!.group);
  const candidates = search.candidates ?? usualCandidates(instances.length);
  const problem = searchProblem(task, { ...search, candidates });
  // Where all nodes are offline there is no way; where one has no memory, no plan is better than another.
  if (problem.layout.targets.length === 0 || Number.isNaN(problem.initialScore))
    return offerGreedy(snapshot, nodes, options, false);
  const { greedy, walks } = await runSearch(problem, {
    threads: search.threads ?? usefulSearchThreads(candidates),
    timeLimitMs: search.timeLimitS === undefined ? undefined : MS_PER_S * search.timeLimitS,
    stop: search.stop,
    onDone: search.onProgress,
  });
  const walked = [greedy, ...walks.toReversed()].flatMap((answer) => answer.plans);
  const plans = [...walked, ...problem.known.map((steps) => replay(task, steps))];
  const sum = (key: 'planned' | 'done'): number => walks.reduce((all, { work }) => all + work[key], 0);
  const workShare = sum('planned') > 0 ? sum('done') / sum('planned') : 1;
  return { task, problem, offer: offerOf(problem.initialScore, plans), workShare };
}

/** The same of greedy's steps alone. @param reorders whether instances may go straight, in another order */
export function offerGreedy(
  snapshot: Snapshot,
  nodes: readonly number[],
  options: BalanceOptions,
  reorders: boolean,
): DeepResult {
  const task = { snapshot, nodes, options };
  const problem = searchProblem(task);
  const asFound = replay(task, greedySteps(task));
  const plans = reorders ? [asFound, replay(task, compacted(problem.layout, asFound))] : [asFound];
  return { task, problem, workShare: 1, offer: offerOf(problem.initialScore, plans) };
}
