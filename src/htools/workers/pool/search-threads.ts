/** Runs greedy and the lanes of a deep search: on threads, or one after another on this one. */
import { greedyEnd } from '../../planners/search/greedy.ts';
import { type GreedyEnd, type SearchProblem, withGreedyPrice } from '../../planners/search/lanes.ts';
import type { LaneTask } from '../../planners/search/walk/lane.ts';
import { doSearchJob, type SearchAnswer, type SearchJob } from '../search.ts';
import { threadsHere, workerNamed } from './worker-file.ts';

/** Share of the time that is left for walks; the rest is for putting steps in order, and for the plan. */
const WALK_SHARE = 0.9;

/** Share of the time after which greedy is cut short: a plan worse than its own is wanted least. */
const GREEDY_SHARE = 0.5;

/** Candidates from which on a second thread gains more than it takes to start and to warm up. */
const WORTH_THREADS = 2_000_000;

/** How many threads pay off on this machine. */
export const usefulSearchThreads = (candidates: number): number =>
  candidates < WORTH_THREADS ? 1 : threadsHere();

export interface SearchRun {
  readonly threads: number;
  /** For the whole run, at most; undefined for no such limit. */
  readonly timeLimitMs: number | undefined;
  /** In shared memory: not 0 once the search is to end. Without it one thread is this one. */
  readonly stop?: Int32Array | undefined;
  /** Told after each job. */
  readonly onDone: (done: number, all: number) => void;
}

/** Lanes in the order in which they are begun: of equal work, those that may copy most take longest. */
export const longestFirst = (lanes: readonly LaneTask[]): LaneTask[] =>
  lanes.toReversed().sort((a, b) => b.weight - a.weight);

/** The answers: greedy's, and those of the lanes in their order. */
export async function runSearch(
  problem: SearchProblem,
  { threads, timeLimitMs, stop, onDone }: SearchRun,
): Promise<{ readonly greedy: SearchAnswer; readonly walks: readonly SearchAnswer[] }> {
  const started = performance.now();
  const waiting = longestFirst(problem.lanes);
  const jobs = 1 + waiting.length;
  const pool = threads > 1 || stop ? await openPool(problem, Math.min(threads, jobs)) : undefined;
  let done = 0;
  /** Milliseconds for a job: of what is left its share by weight, on as many threads as take jobs. */
  const timeFor = (lane: LaneTask | undefined): number | undefined => {
    if (timeLimitMs === undefined) return undefined;
    const leftMs = timeLimitMs + started - performance.now();
    if (!lane) return Math.max(1, GREEDY_SHARE * leftMs);
    const weights = waiting.reduce((sum, { weight }) => sum + weight, lane.weight);
    return Math.max(1, WALK_SHARE * leftMs * Math.min(1, (threads * lane.weight) / weights));
  };
  const run = async (lane?: LaneTask): Promise<SearchAnswer> => {
    const job = { lane, stop, timeMs: timeFor(lane) };
    const answer = pool ? await pool.run(job) : doSearchJob(problem, job);
    onDone(++done, jobs);
    return answer;
  };
  let end: GreedyEnd | undefined;
  const isReady = ({ ofGreedy }: LaneTask): boolean => !ofGreedy || end !== undefined;
  const walks: SearchAnswer[] = [];
  const walk = async (): Promise<void> => {
    while (waiting.length > 0) {
      const at = waiting.findIndex(isReady);
      if (at < 0) {
        await greedy;
        continue;
      }
      const [lane] = waiting.splice(at, 1);
      walks[lane!.lane] = await run(end ? withGreedyPrice(lane!, end) : lane);
    }
  };
  const greedy = run().then((answer) => {
    end = greedyEnd(answer.plans);
    return answer;
  });
  try {
    const others = Array.from({ length: pool ? threads - 1 : 0 }, walk);
    await Promise.all([greedy.then(walk), ...others]);
  } finally {
    await pool?.destroy();
  }
  // Lanes that are not open have no answer.
  return { greedy: await greedy, walks: walks.flat() };
}

async function openPool(problem: SearchProblem, threads: number) {
  const { Piscina } = await import('piscina');
  return new Piscina<SearchJob, SearchAnswer>({
    ...workerNamed('search'),
    minThreads: threads,
    maxThreads: threads,
    workerData: problem,
  });
}
