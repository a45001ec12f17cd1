/** Runs the jobs of a deep search: on threads, or one after another on this one. */
import { availableParallelism } from 'node:os';
import type { OrderedStep } from '../../planners/search/order/attempt.ts';
import { doSearchJob, type SearchJob } from '../search.ts';
import { workerFile } from './worker-file.ts';

/** More threads than jobs that take their time find nothing to do. */
const MOST_THREADS = 8;
/** Share of the time that is left for walks; the rest is for putting steps in order, and for the plan. */
const WALK_SHARE = 0.9;

/** How many threads a deep search takes on this machine. */
export const searchThreads = (): number => Math.min(MOST_THREADS, availableParallelism());

/** The plans of a job. */
type Answer = readonly (readonly OrderedStep[])[];

export interface SearchRun {
  readonly jobs: readonly SearchJob[];
  readonly threads: number;
  /** For the whole run; undefined where the jobs' work is the limit. */
  readonly timeLimitMs: number | undefined;
  /** Told after each job. */
  readonly onDone: (done: number, all: number) => void;
}

/** The answers, in the order of the jobs. */
export async function runSearchJobs(run: SearchRun): Promise<readonly Answer[]> {
  const { jobs, threads, timeLimitMs, onDone } = run;
  const answers: Answer[] = jobs.map(() => []);
  const started = performance.now();
  const pool = threads > 1 ? await openPool(Math.min(threads, jobs.length)) : undefined;
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < jobs.length) {
      const at = next++;
      // What is left, shared evenly by the jobs that are left and the threads that take them.
      const rounds = Math.ceil((jobs.length - at) / threads);
      const leftMs =
        timeLimitMs === undefined ? undefined : WALK_SHARE * (timeLimitMs + started - performance.now());
      const job = { ...jobs[at]!, timeMs: leftMs === undefined ? undefined : Math.max(1, leftMs / rounds) };
      answers[at] = pool ? await pool.run(job) : doSearchJob(job);
      onDone(++done, jobs.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: pool ? threads : 1 }, work));
  } finally {
    await pool?.destroy();
  }
  return answers;
}

async function openPool(threads: number) {
  const { Piscina } = await import('piscina');
  return new Piscina<SearchJob, Answer>({
    filename: workerFile('search'),
    minThreads: threads,
    maxThreads: threads,
  });
}
