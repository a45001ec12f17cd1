/**
 * Carries work out: set by set, each looked at again before it is submitted, every event in the journal
 * before the next is begun.
 *
 * No job is submitted twice. A job is written down before it is sent, with a mark that goes along in its
 * reason trail; where a run ends between the two, the next one looks for the mark in the queue before it
 * sends anything.
 */
import { BackendError, InputError } from '../../../kit/faults.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import {
  isFinal,
  type JobLog,
  type JobStatus,
  LOG_FIELDS,
  readLog,
  readStatuses,
  STATUS_FIELDS,
} from '../jobs/job-status.ts';
import { findMarked, MARK_FIELDS, readSubmissions, type Signature, signed } from '../jobs/submission.ts';
import { LuxiRefusal } from '../luxi/message.ts';
import { pause } from '../wire/limits.ts';
import type { Journal } from './journal-file.ts';
import { type JobState, markOf } from './journal-lines.ts';
import type { MasterLine } from './master-line.ts';
import { bootIds, runRebootCommand } from './reboots.ts';
import { apparentEnd, type Change, changesAgainst } from './recheck.ts';
import { isNodeJob, type NodeJob, type Work, type WorkJob } from './work.ts';

/** How an execution went. */
export type Outcome = 'done' | 'stopped' | 'failed' | 'changed';

/** One job and how far it came. */
export interface JobFact {
  /** From 0. */
  readonly set: number;
  readonly job: number;
  readonly work: WorkJob;
  readonly state: JobState;
  /** From its submission to the moment at which its end was seen, in this run. */
  readonly seconds?: number | undefined;
  /** Of a job that failed. */
  readonly log?: JobLog | undefined;
}

export interface ExecutionReport {
  readonly outcome: Outcome;
  readonly jobs: readonly JobFact[];
  /** What stood against the next set; empty unless the outcome is `changed`. */
  readonly changes: readonly Change[];
  /** Which sets were not submitted as a whole, from 0. */
  readonly setsLeft: readonly number[];
}

/** What the execution uses, and whom it tells. */
export interface ExecutionMeans {
  readonly master: MasterLine;
  readonly journal: Journal;
  readonly signature: Signature;
  /** Makes the marks; undefined when there is no journal to need them. */
  readonly run: string | undefined;
  /** Reads the cluster anew. */
  readonly readState: () => Promise<Snapshot>;
  /** Whether the running set is to be the last. */
  readonly isStopRequested: () => boolean;
  /** Whether no further round is to begin. */
  readonly isRoundStopRequested: () => boolean;
  /** How long a node may take to come back. */
  readonly rebootSeconds: number;
  /** Most jobs at one time. */
  readonly parallel: number;
  readonly onSubmitted: (ids: readonly number[]) => void;
  readonly onEnded: (fact: JobFact) => void;
  /** Called between two looks at the queue. */
  readonly onWaiting: (facts: readonly JobFact[]) => void;
  /** Seconds between two looks at the queue: the first wait, doubled up to the longest. */
  readonly pollSeconds: { readonly first: number; readonly longest: number };
}

/** As the stock programs wait. */
export const USUAL_POLLS = { first: 0.5, longest: 15 };

/** A request that was on its way when its sender died is in the queue by then. */
const SETTLING_SECONDS = 2;

const MS_PER_S = 1000;

interface MutableFact {
  set: number;
  job: number;
  work: WorkJob;
  state: JobState;
  seconds?: number;
  log?: JobLog;
  submittedMs?: number;
}

class Execution {
  readonly #work: Work;
  readonly #means: ExecutionMeans;
  readonly facts: MutableFact[];

  constructor(work: Work, states: readonly (readonly JobState[])[], means: ExecutionMeans) {
    this.#work = work;
    this.#means = means;
    this.facts = work.sets.flatMap((set, s) =>
      set.map((one, j) => ({
        set: s,
        job: j,
        work: one,
        state: states[s]?.[j] ?? { state: 'planned' as const },
      })),
    );
  }

  async run(): Promise<{ outcome: Outcome; changes: readonly Change[] }> {
    await this.#findLost();
    for (let set = 0; set < this.#work.sets.length; set++) {
      if (this.#inSet(set, 'planned').length > 0 && this.#isStopped(set)) return this.#ended('stopped');
      const changes = await this.#runSet(set);
      if (this.facts.some((fact) => isFailure(fact.state))) {
        await this.#fetchLogs();
        return this.#ended('failed');
      }
      if (changes.length > 0) return { ...this.#ended('changed'), changes };
      if (this.#inSet(set, 'planned').length > 0) return this.#ended('stopped');
    }
    return this.#ended('done');
  }

  #isStopped(set: number): boolean {
    const { isStopRequested, isRoundStopRequested } = this.#means;
    return isStopRequested() || (this.#work.roundStarts?.includes(set) === true && isRoundStopRequested());
  }

  #ended(outcome: Outcome): { outcome: Outcome; changes: readonly Change[] } {
    this.#means.journal.write({ event: 'left', outcome });
    return { outcome, changes: [] };
  }

  #inSet(set: number, state: JobState['state']): MutableFact[] {
    return this.facts.filter((fact) => fact.set === set && fact.state.state === state);
  }

  /** Looks for jobs that a former run was about to submit when it ended. */
  async #findLost(): Promise<void> {
    const { master, run } = this.#means;
    const lost = this.facts.filter(({ state }) => state.state === 'submitting');
    if (lost.length === 0 || run === undefined) return;
    await pause(SETTLING_SECONDS);
    const marks = new Map(lost.map((fact) => [markOf(run, fact.set, fact.job), fact]));
    const found = findMarked(await master.ask('QueryJobs', [null, MARK_FIELDS]), new Set(marks.keys()));
    const missing = [...marks].filter(([mark]) => !found.has(mark)).map(([, fact]) => fact);
    const fresh = missing.some(({ work }) => !isNodeJob(work)) ? await this.#means.readState() : undefined;
    for (const [mark, fact] of marks) {
      const id = found.get(mark);
      const bootId = fact.state.state === 'submitting' ? fact.state.bootId : undefined;
      if (id !== undefined) this.#note(fact, { state: 'submitted', id, bootId });
      else if (isReboot(fact.work) && (await this.#isBack(fact.work, bootId)))
        this.#note(fact, { state: 'ended', status: 'success', id });
      else if (isNodeJob(fact.work)) fact.state = { state: 'planned' };
      // Not in the queue: never submitted, or so long ago that it was archived.
      else if (apparentEnd(fresh!, fact.work) === 'done')
        this.#note(fact, { state: 'ended', status: 'success', id });
      else fact.state = { state: 'planned' };
    }
  }

  /**
   * Brings one set to its end, or as far as it goes.
   * @returns what stands against submitting the rest of it
   */
  async #runSet(set: number): Promise<readonly Change[]> {
    const { pollSeconds, parallel, isStopRequested } = this.#means;
    let seconds = pollSeconds.first;
    for (;;) {
      const running = this.#inSet(set, 'submitted');
      const planned = this.#inSet(set, 'planned');
      const mayGoOn = !this.facts.some((fact) => isFailure(fact.state)) && !isStopRequested();
      // While a node is down the cluster cannot be looked at as a whole.
      const free = running.some(({ work }) => isReboot(work)) ? 0 : parallel - running.length;
      if (planned.length > 0 && free > 0 && mayGoOn) {
        const batch = planned.slice(0, free);
        const changes = await this.#recheck(batch);
        // What runs already is awaited before anything is said.
        if (changes.length > 0) {
          await this.#awaitAll(set);
          return changes;
        }
        await this.#submit(batch);
        seconds = pollSeconds.first;
        continue;
      }
      if (running.length === 0) return [];
      await this.#poll(running, seconds);
      seconds = Math.min(2 * seconds, pollSeconds.longest);
    }
  }

  async #awaitAll(set: number): Promise<void> {
    let seconds = this.#means.pollSeconds.first;
    for (
      let running = this.#inSet(set, 'submitted');
      running.length > 0;
      running = this.#inSet(set, 'submitted')
    ) {
      await this.#poll(running, seconds);
      seconds = Math.min(2 * seconds, this.#means.pollSeconds.longest);
    }
  }

  async #recheck(batch: readonly MutableFact[]): Promise<readonly Change[]> {
    let fresh: Snapshot;
    try {
      fresh = await this.#means.readState();
    } catch (error) {
      // A cluster that answers, but not with what makes a cluster, has changed.
      if (error instanceof InputError)
        return [{ what: 'unreadable', why: error.problems[0]?.problem ?? error.message }];
      throw error;
    }
    return changesAgainst(
      fresh,
      batch.map(({ work }) => work),
      this.#work,
    );
  }

  async #submit(batch: readonly MutableFact[]): Promise<void> {
    const { journal, master, onSubmitted } = this.#means;
    const ids = batch.some(({ work }) => isReboot(work)) ? await bootIds(master) : undefined;
    const bootIdOf = (work: WorkJob): string | undefined =>
      isReboot(work) ? ids?.get(work.nodes[0]!.name) : undefined;
    journal.write(
      ...batch.map(({ set, job, work }) => {
        const bootId = bootIdOf(work);
        return {
          event: 'submitting' as const,
          set: set + 1,
          job: job + 1,
          ...(bootId === undefined ? {} : { bootId }),
        };
      }),
    );
    for (const fact of batch) fact.state = { state: 'submitting', bootId: bootIdOf(fact.work) };
    await this.#runCommands(batch.filter(hasCommand));
    await this.#sendJobs(batch.filter((fact) => !hasCommand(fact)));
    onSubmitted(
      batch.flatMap((fact) => (fact.state.state === 'submitted' && !hasCommand(fact) ? [fact.state.id] : [])),
    );
  }

  /** Starts nodes anew by a program of the operator's. */
  async #runCommands(batch: readonly MutableFact[]): Promise<void> {
    for (const fact of batch) {
      const { command, nodes } = fact.work as NodeJob;
      const why = await runRebootCommand(command!, nodes[0]!.name);
      this.#note(fact, why === undefined ? submittedAs(fact, NO_JOB) : { state: 'refused', why });
    }
  }

  async #sendJobs(batch: readonly MutableFact[]): Promise<void> {
    if (batch.length === 0) return;
    const { run, signature } = this.#means;
    const jobs = batch.map(({ set, job, work }) =>
      work.opcodes.map((opcode) =>
        signed(opcode, signature, run === undefined ? undefined : markOf(run, set, job)),
      ),
    );
    const answers = readSubmissions(await this.#tell(jobs), batch.length);
    for (const [at, fact] of batch.entries()) {
      const answer = answers[at]!;
      this.#note(
        fact,
        'id' in answer ? submittedAs(fact, answer.id) : { state: 'refused', why: answer.refusal },
      );
    }
  }

  /** @throws BackendError when nobody knows whether the jobs arrived */
  async #tell(jobs: readonly (readonly object[])[]): Promise<unknown> {
    try {
      return await this.#means.master.tell('SubmitManyJobs', [jobs]);
    } catch (error) {
      if (!(error instanceof BackendError) || error instanceof LuxiRefusal) throw error;
      throw new BackendError(
        `${error.message}; it is not known whether its ${jobs.length} job(s) were submitted`,
        this.#means.run === undefined
          ? 'look at the job queue (gnt-job list) before you run this again'
          : 'continue with --resume, which looks for them in the job queue',
      );
    }
  }

  /** Waits, and looks how the jobs are doing. */
  async #poll(running: readonly MutableFact[], seconds: number): Promise<void> {
    const { master, onWaiting } = this.#means;
    onWaiting(this.facts);
    await pause(seconds);
    const queued = running.filter((fact) => !hasCommand(fact));
    const ids = queued.map(idOf);
    const statuses =
      ids.length === 0 ? [] : readStatuses(await master.ask('QueryJobs', [ids, STATUS_FIELDS]), ids.length);
    for (const fact of running) {
      const status = hasCommand(fact) ? 'success' : statuses[queued.indexOf(fact)]!;
      if (isReboot(fact.work) && (status === 'success' || status === 'gone')) await this.#awaitReturn(fact);
      else await this.#settle(fact, status);
    }
  }

  /** A reboot has ended when the node answers as another system than before. */
  async #awaitReturn(fact: MutableFact): Promise<void> {
    const { id, bootId } = fact.state as Extract<JobState, { state: 'submitted' }>;
    // Of a former run it is not known since when.
    fact.submittedMs ??= Date.now();
    if (await this.#isBack(fact.work as NodeJob, bootId))
      this.#note(fact, { state: 'ended', status: 'success', id });
    else if (Date.now() - fact.submittedMs > this.#means.rebootSeconds * MS_PER_S) {
      fact.log = { error: `the node did not come back within ${this.#means.rebootSeconds} s`, messages: [] };
      this.#note(fact, { state: 'ended', status: 'error', id });
    }
  }

  async #isBack(work: NodeJob, before: string | undefined): Promise<boolean> {
    const now = (await bootIds(this.#means.master)).get(work.nodes[0]!.name);
    return before !== undefined && now !== undefined && now !== before;
  }

  async #settle(fact: MutableFact, status: JobStatus | 'gone'): Promise<void> {
    const id = idOf(fact);
    if (status === 'gone') {
      // The queue forgets what ended long ago; the cluster shows how it ended.
      const end = apparentEnd(await this.#means.readState(), fact.work);
      this.#note(fact, { state: 'ended', status: end === 'done' ? 'success' : 'error', id });
    } else if (isFinal(status)) {
      this.#note(fact, { state: 'ended', status: status as 'success' | 'error' | 'canceled', id });
    }
  }

  async #fetchLogs(): Promise<void> {
    for (const fact of this.facts) {
      const { state } = fact;
      if (state.state !== 'ended' || state.status === 'success' || state.id === undefined || fact.log)
        continue;
      try {
        fact.log = readLog(await this.#means.master.ask('QueryJobs', [[state.id], LOG_FIELDS]));
      } catch (error) {
        if (!(error instanceof BackendError)) throw error;
        fact.log = { error: error.message, messages: [] };
      }
    }
  }

  /** A job's new state: in the journal first. */
  #note(fact: MutableFact, state: JobState): void {
    const place = { set: fact.set + 1, job: fact.job + 1 };
    const { journal, onEnded } = this.#means;
    if (state.state === 'submitted') {
      journal.write({ event: 'submitted', ...place, id: state.id });
      fact.submittedMs = Date.now();
    } else if (state.state === 'refused') journal.write({ event: 'refused', ...place, why: state.why });
    else if (state.state === 'ended') {
      journal.write({ event: 'ended', ...place, status: state.status });
      if (fact.submittedMs !== undefined) fact.seconds = (Date.now() - fact.submittedMs) / MS_PER_S;
    }
    fact.state = state;
    if (state.state === 'ended' || state.state === 'refused') onEnded(fact);
  }
}

/** Whether nothing may be submitted behind such a job. */
export const isFailure = (state: JobState): boolean =>
  state.state === 'refused' || (state.state === 'ended' && state.status !== 'success');

const isReboot = (work: WorkJob): work is NodeJob => isNodeJob(work) && work.action === 'reboot';

/** Whether a program starts the node anew, and no job in the queue. */
const hasCommand = ({ work }: MutableFact): boolean => isNodeJob(work) && work.command !== undefined;

/** In place of the id of a job. */
const NO_JOB = 0;

const submittedAs = ({ state }: MutableFact, id: number): JobState => ({
  state: 'submitted',
  id,
  bootId: state.state === 'submitting' ? state.bootId : undefined,
});

const idOf = ({ state }: MutableFact): number => (state as Extract<JobState, { state: 'submitted' }>).id;

/**
 * Carries the work out.
 * @param states how far a former run came, by set and job; empty for a new execution
 * @throws BackendError when the master can no longer be asked; jobs that were submitted go on
 */
export async function execute(
  work: Work,
  states: readonly (readonly JobState[])[],
  means: ExecutionMeans,
): Promise<ExecutionReport> {
  const execution = new Execution(work, states, means);
  const { outcome, changes } = await execution.run();
  const setsLeft = work.sets.flatMap((_, set) =>
    execution.facts.some((fact) => fact.set === set && fact.state.state === 'planned') ? [set] : [],
  );
  return { outcome, jobs: execution.facts, changes, setsLeft };
}
