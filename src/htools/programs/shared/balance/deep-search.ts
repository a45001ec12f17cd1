/** The command line's deep search: lanes and greedy's steps on threads, and the offer of them. */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { groupScope } from '../../../model/state/scope.ts';
import type { BalanceOptions } from '../../../planners/balance/options.ts';
import { compacted, greedySteps, netAmounts } from '../../../planners/search/greedy.ts';
import { type SearchProblem, searchProblem, withGreedyPrice } from '../../../planners/search/lanes.ts';
import { type Offer, offerOf, type Task } from '../../../planners/search/plans.ts';
import { NO_CAPS, type PlanAmounts } from '../../../planners/search/walk/prices.ts';
import { runSearchJobs } from '../../../workers/pool/search-threads.ts';
import { threadsHere } from '../../../workers/pool/worker-file.ts';
import type { SearchJob } from '../../../workers/search.ts';
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

/** What was found, and from where it started. */
export interface DeepResult {
  readonly task: Task;
  readonly problem: SearchProblem;
  readonly offer: Offer;
  /** Share of the work that was done: 1 unless time or somebody ended the search. */
  readonly workShare: number;
}

/** What a search has to do, in an order that threads take it in: greedy's own steps, and its lanes. */
export const searchJobs = ({ task, layout, lanes }: SearchProblem): readonly SearchJob[] => [
  { layout, greedy: task },
  // Lanes that may copy most take longest: they go first, so that no thread waits for one at the end.
  ...lanes.toReversed().map((lane) => ({ layout, lane })),
];

/** Searches a group. @param nodes positions */
export async function searchDeep(
  snapshot: Snapshot,
  nodes: readonly number[],
  balancing: BalanceOptions,
  search: DeepSearch,
): Promise<DeepResult> {
  const options = search.caps.copiedGib === 0 ? { ...balancing, diskMoves: false } : balancing;
  const task = { snapshot, nodes, options };
  const candidates =
    search.candidates ??
    usualCandidates(groupScope(snapshot, snapshot.nodes[nodes[0]!]!.group).instances.length);
  const problem = searchProblem(task, { ...search, candidates });
  const { layout, initialScore } = problem;
  const [greedy, ...found] = await runSearchJobs({
    jobs: searchJobs(problem),
    threads: search.threads ?? threadsHere(),
    following: (job, { plans: [steps] }) =>
      job.lane ? { ...job, lane: withGreedyPrice(job.lane, netAmounts(layout, steps!)) } : job,
    timeLimitMs: search.timeLimitS === undefined ? undefined : 1000 * search.timeLimitS,
    stop: search.stop,
    onDone: search.onProgress,
  });
  // Greedy's own order, and the same end with each instance going there straight.
  const [asFound] = offerOf(task, initialScore, greedy!.plans).plans;
  const plans = [...greedy!.plans, compacted(layout, asFound!), ...found.flatMap((one) => one.plans)];
  const sum = (key: 'planned' | 'done'): number => found.reduce((all, { work }) => all + work[key], 0);
  const workShare = sum('planned') > 0 ? sum('done') / sum('planned') : 1;
  return { task, problem, offer: offerOf(task, initialScore, plans), workShare };
}

/** The same of greedy's steps alone. @param reorders whether instances may go straight, in another order */
export function offerGreedy(
  snapshot: Snapshot,
  nodes: readonly number[],
  options: BalanceOptions,
  reorders: boolean,
): DeepResult {
  const task = { snapshot, nodes, options };
  const problem = searchProblem(task, { seed: 0, candidates: 0, caps: NO_CAPS });
  const greedy = greedySteps(snapshot, nodes, options);
  const asFound = offerOf(task, problem.initialScore, [greedy]);
  const found = { task, problem, workShare: 1 };
  if (!reorders) return { ...found, offer: asFound };
  const candidates = [greedy, compacted(problem.layout, asFound.plans[0]!)];
  return { ...found, offer: offerOf(task, problem.initialScore, candidates) };
}
