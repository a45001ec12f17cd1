/** The line to the master: a connection a call; questions are asked again when it breaks, orders never. */
import { BackendError, ExecutionError } from '../../../kit/faults.ts';
import { MS_PER_S } from '../../../kit/units.ts';
import type { Opcode } from '../../plan/opcodes.ts';
import { isFinal, type JobStatus, readStatuses, STATUS_FIELDS } from '../jobs/job-status.ts';
import { readSubmissions, type Signature, signed } from '../jobs/submission.ts';
import { LuxiClient } from '../luxi/client.ts';
import { type LuxiMethod, LuxiRefusal } from '../luxi/message.ts';
import { pause, type WireLimits } from '../wire/limits.ts';

export interface MasterLine {
  /** Asks something that can be asked again. */
  ask(method: LuxiMethod, args: readonly unknown[]): Promise<unknown>;
  /** Has something done that must not be done twice. */
  tell(method: LuxiMethod, args: readonly unknown[]): Promise<unknown>;
  /** Returns when one of the jobs has another status than is known, or after a while. */
  awaitChange(jobs: readonly KnownJob[]): Promise<void>;
}

interface KnownJob {
  readonly id: number;
  /** As it was told last. */
  readonly status: JobStatus | undefined;
}

/** Submits a job. @returns its id @throws ExecutionError if refused @throws BackendError if nobody knows */
export async function submitJob(
  master: MasterLine,
  opcodes: readonly Opcode[],
  signature: Signature,
): Promise<number> {
  const job = opcodes.map((opcode) => signed(opcode, signature));
  const [answer] = readSubmissions(await master.tell('SubmitManyJobs', [[job]]), 1);
  if ('id' in answer!) return answer.id;
  throw new ExecutionError(`the master refused a job: ${answer!.refusal}`);
}

/**
 * Waits for a job.
 * @param isOver whether it is to be waited for no longer
 * @returns how it ended; `gone` = the queue no longer knows it; undefined = it goes on
 */
export async function awaitJob(
  master: MasterLine,
  id: number,
  isOver: () => boolean,
): Promise<JobStatus | 'gone' | undefined> {
  for (;;) {
    const [status = 'gone'] = readStatuses(await master.ask('QueryJobs', [[id], STATUS_FIELDS]), 1);
    if (status === 'gone' || isFinal(status)) return status;
    if (isOver()) return undefined;
    await master.awaitChange([{ id, status }]);
  }
}

/** Seconds between two attempts while the master is away. */
const RETRY_SECONDS = 2;
/** What a master has left for its answer once nobody wants to wait: one that is busy takes so long. */
const LAST_SECONDS = 5;
/** Longest wait in one call; the master's own limit is 29 s. */
const WAIT_SECONDS = 10;
/** Jobs that are waited for at a time; of the others it is seen when one of these has changed. */
const MOST_WATCHED = 8;
/** Jobs that the usual time for an answer suffices for: a candidate that hangs costs Ganeti 5 s for each. */
const JOBS_PER_ANSWER = 10;
/** Number of a message in a job's log that none comes behind: what jobs say is no change. */
const NO_LOG = 1e9;

/** The first of some calls that is answered; the others are called off. */
async function firstOf(path: string, limits: WireLimits, calls: readonly (readonly unknown[])[]) {
  const clients: LuxiClient[] = [];
  let isOver = false;
  try {
    await Promise.race(
      calls.map(async (args) => {
        const client = await LuxiClient.connect(path, limits);
        clients.push(client);
        if (isOver) client.close();
        else await client.call('WaitForJobChange', args);
      }),
    );
  } finally {
    isOver = true;
    for (const client of clients) client.close();
  }
}

async function callOnce(
  path: string,
  limits: WireLimits,
  method: LuxiMethod,
  args: readonly unknown[],
): Promise<unknown> {
  const client = await LuxiClient.connect(path, limits);
  try {
    return await client.call(method, args);
  } finally {
    client.close();
  }
}

/** Waits for a master that is away, as when its daemon is restarted, until somebody has no patience left. */
export class Patience {
  private isAway = false;
  /** What ends the wait for each answer that is not there yet. */
  private readonly hurries = new Set<() => void>();
  private isGivenUp = false;
  private wake = (): void => {};

  /**
   * @param seconds how long the master may be away
   * @param lastSeconds how long for an answer once that is given up
   */
  constructor(
    private readonly seconds: number,
    private readonly lastSeconds = LAST_SECONDS,
  ) {}

  /** Ends the waiting, if there is any: an absence that comes later is waited for again. */
  giveUp(): void {
    this.isGivenUp = this.isAway || this.hurries.size > 0;
    this.wake();
    for (const hurry of this.hurries) hurry();
  }

  /** Asks until there is an answer. @throws the last fault */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    const end = performance.now() + this.seconds * MS_PER_S;
    for (;;) {
      try {
        return await this.once(question, 0);
      } catch (error) {
        const isHopeless = !(error instanceof BackendError) || error instanceof LuxiRefusal;
        if (isHopeless || performance.now() + RETRY_SECONDS * MS_PER_S > end) throw error;
        await this.rest();
        if (this.isGivenUp) throw error;
      }
    }
  }

  /**
   * Asks once.
   * @param seconds that a master which is there takes for its answer at most, beside those for any
   * @throws BackendError also when the master hangs and is given up
   */
  async once<T>(question: () => Promise<T>, seconds: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    let hurry = (): void => {};
    const late = new Promise<never>((_, reject) => {
      const hung = (): void => reject(new BackendError('the master does not answer'));
      hurry = () => {
        timer ??= setTimeout(hung, (seconds + this.lastSeconds) * MS_PER_S);
      };
    });
    this.hurries.add(hurry);
    if (this.isGivenUp) hurry();
    try {
      const answer = await Promise.race([question(), late]);
      this.isAway = false;
      this.isGivenUp = false;
      return answer;
    } finally {
      this.hurries.delete(hurry);
      clearTimeout(timer);
    }
  }

  /** Waits a little for a master that has just not answered. */
  async rest(): Promise<void> {
    this.isAway = true;
    if (this.isGivenUp) return;
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    await Promise.race([pause(RETRY_SECONDS), woken]);
  }
}

export const masterLine = (
  path: string,
  limits: WireLimits,
  patience = new Patience(limits.answerSeconds),
): MasterLine => ({
  ask: (method, args) => patience.ask(() => callOnce(path, limits, method, args)),
  tell(method, args) {
    const [jobs] = args;
    const times = Array.isArray(jobs) ? Math.ceil(jobs.length / JOBS_PER_ANSWER) : 1;
    return callOnce(path, { ...limits, answerSeconds: limits.answerSeconds * times }, method, args);
  },
  async awaitChange(jobs) {
    const seconds = Math.min(WAIT_SECONDS, Math.floor(limits.answerSeconds / 2));
    if (seconds < 1) return pause(RETRY_SECONDS);
    const calls = jobs
      .slice(0, MOST_WATCHED)
      .map(({ id, status }) => [id, STATUS_FIELDS, [status ?? null], NO_LOG, seconds]);
    try {
      await patience.once(() => firstOf(path, limits, calls), seconds);
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      // Whether the master is away, or only knows a job no more, is seen by what is asked next.
      await patience.rest();
    }
  },
});
