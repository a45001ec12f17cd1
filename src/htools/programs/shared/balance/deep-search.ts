/**
 * A deep search as the command line asks for it: its lanes and greedy's steps on threads, and the offer made
 * of them.
 */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { BalanceOptions } from '../../../planners/balance/options.ts';
import { compacted, greedySteps, netGib } from '../../../planners/search/greedy.ts';
import {
  type SearchLimits,
  type SearchProblem,
  searchProblem,
  withGreedyPrice,
} from '../../../planners/search/lanes.ts';
import { type Offer, offerOf, type Task } from '../../../planners/search/plans.ts';
import { runSearchJobs, searchThreads } from '../../../workers/pool/search-threads.ts';
import type { SearchJob } from '../../../workers/search.ts';
import { defaultTimeS, expectedCandidates } from './search-limits.ts';

/** Gain of the usual plan of a deep search: the last few percent cost more copying than all the rest. */
export const USUAL_DEEP_SHARE = 0.95;

export interface DeepSearch extends Omit<SearchLimits, 'expectedCandidates'> {
  /** Seconds; undefined for the default, and without meaning where candidates are limited. */
  readonly timeLimitS: number | undefined;
  readonly threads: number | undefined;
  readonly onProgress: (done: number, all: number) => void;
}

/** What was found, and from where it started. */
export interface DeepResult {
  readonly task: Task;
  readonly problem: SearchProblem;
  readonly offer: Offer;
}

/** What a search has to do, in an order that threads take it in: greedy's own steps, and its lanes. */
export const searchJobs = ({ task, layout, lanes }: SearchProblem): readonly SearchJob[] => [
  { layout, greedy: task },
  // Lanes that may copy most take longest: they go first, so that no thread waits for one at the end.
  ...lanes.toReversed().map((lane) => ({ layout, lane })),
];

const instancesOn = ({ instances }: Snapshot, nodes: readonly number[]): number => {
  const group = new Set(nodes);
  return instances.filter(({ primary }) => group.has(primary)).length;
};

/** Searches a group. @param nodes positions */
export async function searchDeep(
  snapshot: Snapshot,
  nodes: readonly number[],
  options: BalanceOptions,
  search: DeepSearch,
): Promise<DeepResult> {
  const task = { snapshot, nodes, options };
  const isTimed = search.candidates === undefined;
  const timeLimitS = search.timeLimitS ?? defaultTimeS(instancesOn(snapshot, nodes));
  const threads = search.threads ?? searchThreads();
  const problem = searchProblem(task, {
    ...search,
    expectedCandidates: expectedCandidates(timeLimitS, threads),
  });
  const { layout, initialScore } = problem;
  const [greedy, ...found] = await runSearchJobs({
    jobs: searchJobs(problem),
    threads,
    following: (job, [steps]) =>
      job.lane ? { ...job, lane: withGreedyPrice(job.lane, layout, netGib(layout, steps!)) } : job,
    timeLimitMs: isTimed ? 1000 * timeLimitS : undefined,
    onDone: search.onProgress,
  });
  // Greedy's own order, and the same end with each instance going there straight.
  const [asFound] = offerOf(task, initialScore, greedy!).plans;
  const candidates = [...greedy!, compacted(layout, asFound!), ...found.flat()];
  return { task, problem, offer: offerOf(task, initialScore, candidates) };
}

/**
 * The same offer of greedy's steps alone.
 * @param reorders whether each instance may go straight to its place, in another order than greedy's
 */
export function offerGreedy(
  snapshot: Snapshot,
  nodes: readonly number[],
  options: BalanceOptions,
  reorders: boolean,
): DeepResult {
  const task = { snapshot, nodes, options };
  const problem = searchProblem(task, { seed: 0, candidates: 0, mostGib: 0, mostSteps: 0 });
  const greedy = greedySteps(snapshot, nodes, options);
  const asFound = offerOf(task, problem.initialScore, [greedy]);
  if (!reorders) return { task, problem, offer: asFound };
  const candidates = [greedy, compacted(problem.layout, asFound.plans[0]!)];
  return { task, problem, offer: offerOf(task, problem.initialScore, candidates) };
}
