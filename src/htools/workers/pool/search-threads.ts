/** Runs the jobs of a deep search: on threads, or one after another on this one. */
import { doSearchJob, type SearchAnswer, type SearchJob } from '../search.ts';
import { workerFile } from './worker-file.ts';

/** Share of the time that is left for walks; the rest is for putting steps in order, and for the plan. */
const WALK_SHARE = 0.9;

/** Share of the time after which greedy is cut short: a plan worse than its own is wanted least. */
const GREEDY_SHARE = 0.5;

const weightOf = ({ lane }: SearchJob): number => lane?.weight ?? 0;

export interface SearchRun {
  readonly jobs: readonly SearchJob[];
  readonly threads: number;
  /** A job that follows what the first one, greedy, has found. */
  readonly following: (job: SearchJob, greedy: SearchAnswer) => SearchJob;
  /** For the whole run, at most; undefined for no such limit. */
  readonly timeLimitMs: number | undefined;
  /** In shared memory: not 0 once the search is to end. Without it one thread is this one. */
  readonly stop?: Int32Array | undefined;
  /** Told after each job. */
  readonly onDone: (done: number, all: number) => void;
}

/** The answers, in the order of the jobs. */
export async function runSearchJobs(run: SearchRun): Promise<readonly SearchAnswer[]> {
  const { jobs, threads, following, timeLimitMs, stop, onDone } = run;
  const answers: SearchAnswer[] = [];
  const started = performance.now();
  const pool = threads > 1 || stop ? await openPool(Math.min(threads, jobs.length)) : undefined;
  let next = 0;
  let done = 0;
  let greedyDone: (answer: SearchAnswer) => void;
  const greedy = new Promise<SearchAnswer>((resolve) => {
    greedyDone = resolve;
  });
  /** Milliseconds for a job: of what is left its share by weight, on as many threads as take jobs. */
  const timeFor = (at: number): number => {
    const leftMs = timeLimitMs! + started - performance.now();
    const weights = jobs.slice(at).map(weightOf);
    const share = (threads * weights[0]!) / weights.reduce((sum, one) => sum + one, 0);
    return Math.max(1, jobs[at]!.greedy ? GREEDY_SHARE * leftMs : WALK_SHARE * leftMs * Math.min(1, share));
  };
  const work = async (): Promise<void> => {
    while (next < jobs.length) {
      const at = next++;
      const known = at > 0 && jobs[at]!.lane?.ofGreedy ? following(jobs[at]!, await greedy) : jobs[at]!;
      const job = { ...known, stop, timeMs: timeLimitMs === undefined ? undefined : timeFor(at) };
      answers[at] = pool ? await pool.run(job) : doSearchJob(job);
      if (at === 0) greedyDone(answers[at]!);
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
  return new Piscina<SearchJob, SearchAnswer>({
    filename: workerFile('search'),
    minThreads: threads,
    maxThreads: threads,
  });
}
