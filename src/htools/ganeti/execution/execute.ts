/**
 * Carries work out: set by set, each looked at again before it is submitted and when its jobs have ended,
 * every event in the journal before the next is begun.
 *
 * No job is submitted twice. A job is written down before it is sent, with a mark that goes along in its
 * reason trail; where a run ends between the two, the next one looks for the mark in the queue until none of
 * the request can be on its way any more.
 */
import { uptime } from 'node:os';
import { BackendError, Fault, InputError, type InputProblem } from '../../../kit/faults.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import {
  isFinal,
  type JobStatus,
  LOG_FIELDS,
  readLog,
  readStatuses,
  STATUS_FIELDS,
} from '../jobs/job-status.ts';
import { OTHERS_FIELDS, type OtherJob, othersJobs } from '../jobs/others-jobs.ts';
import { RESULT_FIELDS, unswitched } from '../jobs/power.ts';
import {
  ARCHIVE_FIELDS,
  findMarked,
  MARK_FIELDS,
  readSubmissions,
  type Signature,
  signed,
} from '../jobs/submission.ts';
import { LuxiRefusal } from '../luxi/message.ts';
import { pause } from '../wire/limits.ts';
import {
  type ExecutionReport,
  factsOf,
  hasCommand,
  isFailure,
  isReboot,
  isSuccess,
  type JobFact,
  type MutableFact,
} from './job-facts.ts';
import type { Journal } from './journal-file.ts';
import { type JobState, type JournalLine, markOf } from './journal-lines.ts';
import type { MasterLine } from './master-line.ts';
import { bootIds, runRebootCommand } from './reboots.ts';
import { apparentEnd, type Change, changesAgainst, distinct, placeOf, unkept } from './recheck.ts';
import {
  type InstanceJob,
  isNodeJob,
  isPower,
  type NodeJob,
  namesOf,
  offlineOf,
  subjectOf,
  type Work,
  type WorkJob,
  type WorkSet,
} from './work.ts';

/** What the execution uses, and whom it tells. */
export interface ExecutionMeans {
  readonly master: MasterLine;
  readonly journal: Journal;
  /** Jobs of plans before this one whose promise counts at the end, too. */
  readonly kept?: readonly InstanceJob[];
  readonly signature: Signature;
  /** Makes the marks; undefined when there is no journal to need them. */
  readonly run: string | undefined;
  /** What the journal says of the end. */
  readonly why?: (ended: Ending, jobs: readonly JobFact[]) => readonly string[];
  /** Reads the cluster anew. */
  readonly readState: () => Promise<Snapshot>;
  /** Whether the running set is to be the last. */
  readonly isStopRequested: () => boolean;
  /** Nothing new is begun: only what is under way is brought to its end. */
  readonly isLast?: boolean | undefined;
  /** Comes when the execution is to be left at once, whatever is under way. */
  readonly leaving?: Promise<NodeJS.Signals>;
  /** Whether a set may begin now; otherwise it is the end, as if somebody had asked for it. */
  readonly mayBegin?: (set: WorkSet) => boolean;
  /** Whether no further round is to begin. */
  readonly isRoundStopRequested: () => boolean;
  /** How long a node may take to come back. */
  readonly rebootSeconds: number;
  /** Whether unfinished jobs of others count wherever they are in the cluster. */
  readonly isCalm?: boolean;
  /** How long unfinished jobs of others are waited for. */
  readonly waitSeconds: number;
  /** How long the cluster may be unreadable, as while a node's daemon starts anew. */
  readonly silenceSeconds: number;
  /** How long a request may be on its way into the queue. */
  readonly queueSeconds: number;
  /** Seconds between two looks where nothing tells of a change. */
  readonly pollSeconds: number;
  /** Most jobs at one time. */
  readonly parallel: number;
  readonly onSubmitted: (ids: readonly number[]) => void;
  readonly onEnded: (fact: JobFact) => void;
  /** Called before each wait for jobs. */
  readonly onWaiting: (facts: readonly JobFact[]) => void;
  /** Called once when something else has to be waited for. */
  readonly onDelay: (why: Delay) => void;
}

/** Jobs of others, jobs that may be on their way, or a node that starts. */
export type Delay =
  | { readonly others: readonly OtherJob[] }
  | { readonly lost: number }
  | { readonly starting: string; readonly seconds: number };

/**
 * A new job gets its number once each master candidate has been told, or has had five minutes for it (source:
 * the time limit of Ganeti's RPC for the job queue), and then stands in the queue.
 */
export const QUEUE_SECONDS = 310;

/** Looks that a node which starts is given at least between two jobs that ask whether it is there. */
const POLLS_A_START = 15;
/** What it is given later, as a share of the time that it has had: failed jobs fill the queue. */
const SHARE_OF_START = 0.25;

export type Ending = Pick<ExecutionReport, 'outcome' | 'changes' | 'fault'>;
type Ended = Ending & Pick<ExecutionReport, 'why'>;
const STOPPED: Ending = { outcome: 'stopped', changes: [] };

/** An execution that was left goes no further than to its next line in the journal. */
class Left extends Error {}

class Execution {
  readonly #work: Work;
  readonly #means: ExecutionMeans;
  readonly facts: MutableFact[];
  /** Jobs of a way home that stay undone, and what stands against them. */
  readonly #undone = new Map<MutableFact, readonly Change[]>();
  /** The cluster as it was read after the last jobs had ended; undefined once anything may have happened. */
  #fresh: Snapshot | undefined;
  #isLeft = false;

  constructor(work: Work, states: readonly (readonly JobState[])[], means: ExecutionMeans) {
    this.#work = work;
    this.#means = means;
    this.facts = factsOf(work, states);
  }

  async run(): Promise<Ended> {
    try {
      return await this.#runAll();
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      const ending = { outcome: 'broken', changes: [], fault } as const;
      try {
        return this.#leave(ending);
      } catch (error) {
        // It may be the journal that cannot be written.
        if (!(error instanceof Fault)) throw error;
        return { ...ending, why: [fault.message] };
      }
    }
  }

  /** Ends it as it stands: nothing is begun or noted any more, for that takes a line in the journal. */
  leaveAt(signal: NodeJS.Signals): Ended & Pick<ExecutionReport, 'signal'> {
    const why = [signal];
    try {
      this.#write({ event: 'left', outcome: 'stopped', why });
    } catch (error) {
      // How far it is is told all the same.
      if (!(error instanceof Fault || error instanceof Left)) throw error;
    }
    this.#isLeft = true;
    return { ...STOPPED, why, signal };
  }

  #write(...lines: readonly JournalLine[]): void {
    if (this.#isLeft) throw new Left();
    this.#means.journal.write(...lines);
  }

  async #runAll(): Promise<Ended> {
    await this.#findLost();
    const ending = await this.#runSets();
    if (!this.#hasFailed()) return this.#leave(ending);
    await this.#examineFailures();
    return this.#leave({ ...ending, outcome: 'failed' });
  }

  async #runSets(): Promise<Ending> {
    for (let set = 0; set < this.#work.sets.length; set++) {
      if (this.#ready(set).length > 0 && this.#isStopped(set)) {
        await this.#runSet(set - 1, true);
        return STOPPED;
      }
      const changes = await this.#runSet(set, set === this.#work.sets.length - 1);
      if (changes.length > 0 || this.#isBlocked()) return { outcome: 'changed', changes };
      // Of jobs that may have been sent it is looked for no longer where it is to stop.
      if (this.#ready(set).length > 0 || this.#inSet(set, 'submitting').length > 0) return STOPPED;
    }
    const succeeded = this.facts.filter(({ state }) => isSuccess(state)).map(({ work }) => work);
    const jobs = [...(this.#means.kept ?? []), ...succeeded];
    const found = jobs.every(isNodeJob) ? [] : await this.#against((fresh) => unkept(fresh, jobs));
    const changes = distinct([...[...this.#undone.values()].flat(), ...found]);
    return { outcome: changes.length > 0 ? 'changed' : 'done', changes };
  }

  #hasFailed(): boolean {
    return this.facts.some(({ state }) => isFailure(state));
  }

  /** On the way home what fails keeps nothing else from it. */
  #isBlocked(): boolean {
    return !this.#work.isHomeward && this.#hasFailed();
  }

  #isStopped(set: number): boolean {
    const { isRoundStopRequested, mayBegin } = this.#means;
    if (mayBegin && !mayBegin(this.#work.sets[set]!)) return true;
    return this.#isEnding() || (this.#work.roundStarts?.includes(set) === true && isRoundStopRequested());
  }

  #isEnding(): boolean {
    return this.#means.isLast === true || this.#means.isStopRequested();
  }

  #leave(ending: Ending): Ended {
    const why = this.#means.why?.(ending, this.facts) ?? [];
    this.#write({
      event: 'left',
      outcome: ending.outcome,
      ...(why.length > 0 && { why: [...why] }),
    });
    this.#isLeft = true;
    return { ...ending, why };
  }

  /** On the way home also those of sets before it: they may wait for a node that starts. */
  #inSet(set: number, state: MutableFact['state']['state']): MutableFact[] {
    const first = this.#work.isHomeward ? 0 : set;
    return this.facts.filter(
      (fact) => fact.set >= first && fact.set <= set && fact.state.state === state && !this.#undone.has(fact),
    );
  }

  /** Those that may be begun: none about a node that starts, nor ahead of an earlier one about its node. */
  #ready(set: number): readonly MutableFact[] {
    const planned = this.#inSet(set, 'planned');
    if (!this.#work.isHomeward) return planned;
    const submitted = this.#inSet(set, 'submitted');
    const namesIn = (facts: readonly MutableFact[]): Set<string> =>
      new Set(facts.flatMap(({ work }) => namesOf(work)));
    const starting = namesIn([...submitted, ...planned].filter(isStarting));
    const taken = namesIn(submitted.filter((fact) => !isStarting(fact)));
    return planned.filter((fact) => {
      const names = namesOf(fact.work);
      if (isStarting(fact)) return true;
      if (names.some((name) => starting.has(name))) return false;
      const isFree = !names.some((name) => taken.has(name));
      for (const name of names) taken.add(name);
      return isFree;
    });
  }

  /** Looks for jobs that a former run was about to submit when it ended. */
  async #findLost(): Promise<void> {
    const { pollSeconds, queueSeconds, onDelay, isStopRequested } = this.#means;
    const lost = this.facts.filter(({ state }) => state.state === 'submitting');
    // A command tells nobody that it was begun: what it does is waited for.
    for (const fact of lost.filter(hasCommand)) this.#note(fact, submittedAs(fact, NO_JOB));
    let missing = await this.#missing(
      lost.filter((fact) => !hasCommand(fact)),
      MARK_FIELDS,
    );
    const end = uptime() + queueSeconds - Math.min(...missing.map(ageOf));
    for (let isSaid = false; missing.length > 0 && uptime() < end; isSaid = true) {
      if (!isSaid) onDelay({ lost: missing.length });
      await pause(pollSeconds);
      if (isStopRequested()) return;
      missing = await this.#missing(missing, MARK_FIELDS);
    }
    missing = await this.#missing(missing, ARCHIVE_FIELDS);
    const fresh = missing.some(({ work }) => !isNodeJob(work)) ? await this.#means.readState() : undefined;
    for (const fact of missing) {
      const isDone = isReboot(fact.work)
        ? await this.#isBack(fact.work, bootIdOf(fact))
        : !isNodeJob(fact.work) && apparentEnd(fresh!, fact.work) === 'done';
      if (isDone) this.#note(fact, { state: 'ended', status: 'success', id: undefined });
      else Object.assign(fact, { state: { state: 'planned' }, isDoubtful: true });
    }
  }

  /** Notes the jobs that are in the queue. @returns those that are not */
  async #missing(facts: readonly MutableFact[], fields: readonly string[]): Promise<MutableFact[]> {
    const { master, run } = this.#means;
    if (facts.length === 0 || run === undefined) return [];
    const marks = new Map(facts.map((fact) => [markOf(run, fact.set, fact.job), fact]));
    const found = findMarked(await master.ask('QueryJobs', [null, fields]), new Set(marks.keys()));
    for (const [mark, id] of found) this.#note(marks.get(mark)!, submittedAs(marks.get(mark)!, id));
    return [...marks].filter(([mark]) => !found.has(mark)).map(([, fact]) => fact);
  }

  /**
   * Brings a set to its end, or as far as it goes.
   * @param isLast nodes that start are awaited; on the way home later sets go on beside them
   * @returns what stands against the rest, or its success
   */
  async #runSet(set: number, isLast: boolean): Promise<readonly Change[]> {
    const { parallel } = this.#means;
    let changes: readonly Change[] = [];
    for (;;) {
      const running = this.#inSet(set, 'submitted');
      const ready = this.#ready(set);
      const mayGoOn = changes.length === 0 && !this.#isEnding();
      // Whatever has failed, nodes that have power are asked on: nobody would know of them.
      const next = this.#isBlocked() ? ready.filter(isStarting) : ready;
      const inQueue = running.filter(({ askAt }) => askAt === undefined);
      // While a node is down the cluster cannot be looked at as a whole.
      const free = running.some(({ work }) => isReboot(work)) ? 0 : parallel - inQueue.length;
      const mayLeave = this.#work.isHomeward && !isLast && mayGoOn;
      if (next.length > 0 && free > 0 && mayGoOn) {
        const batch = next.slice(0, free);
        changes = await this.#recheck(batch);
        if (changes.length === 0 && !this.#isEnding()) await this.#submit(batch);
      } else if (inQueue.length > 0 || (running.length > 0 && !mayLeave)) {
        // What runs is awaited before anything is said.
        const found = await this.#poll(running);
        if (changes.length === 0) changes = found;
      } else return changes;
    }
  }

  /** What stands against sending the jobs now, unless it is to stop; others' unfinished jobs are awaited. */
  async #recheck(batch: readonly MutableFact[]): Promise<readonly Change[]> {
    const { master, isCalm, waitSeconds, pollSeconds, onDelay, isStopRequested } = this.#means;
    const jobs = batch.map(({ work }) => work);
    const end = uptime() + waitSeconds;
    for (let isSaid = false; ; isSaid = true) {
      let others: readonly OtherJob[] = [];
      const changes = await this.#against(async (fresh) => {
        const nodes = isCalm ? fresh.nodes : jobs.flatMap((job) => job.nodes);
        const busy = new Set(nodes.map(({ name }) => name));
        const own = new Set(this.facts.flatMap(({ state }) => ('id' in state && state.id ? [state.id] : [])));
        others = othersJobs(await master.ask('QueryJobs', [null, OTHERS_FIELDS]), own, fresh, busy);
        if (!this.#work.isHomeward) return changesAgainst(fresh, jobs, this.#work);
        for (const fact of others.length > 0 ? [] : batch) {
          const against = changesAgainst(fresh, [fact.work], this.#work);
          if (against.length > 0) this.#undone.set(fact, against);
        }
        return [];
      });
      if (isStopRequested()) return [];
      if (others.length === 0) return changes;
      if (uptime() >= end) return others.map((job) => ({ what: 'others-job', ...job }));
      if (!isSaid) onDelay({ others });
      this.#fresh = undefined;
      await pause(pollSeconds);
    }
  }

  /** Holds the cluster as it is now against something. */
  async #against(
    find: (fresh: Snapshot) => readonly Change[] | Promise<readonly Change[]>,
  ): Promise<readonly Change[]> {
    const { readState, silenceSeconds, pollSeconds, isStopRequested } = this.#means;
    const end = uptime() + silenceSeconds;
    while (this.#fresh === undefined) {
      try {
        this.#fresh = await readState();
      } catch (error) {
        // A cluster that answers, but not with what makes a cluster, has changed, if it stays so.
        if (!(error instanceof InputError)) throw error;
        if (uptime() >= end || isStopRequested()) return error.problems.map(unreadable);
        await pause(pollSeconds);
      }
    }
    return find(this.#fresh);
  }

  async #submit(planned: readonly MutableFact[]): Promise<void> {
    const { master, onSubmitted } = this.#means;
    // Once more, now that nothing stands between the look and the request.
    await this.#missing(
      planned.filter(({ isDoubtful }) => isDoubtful),
      MARK_FIELDS,
    );
    const batch = planned.filter((fact) => fact.state.state === 'planned' && !this.#undone.has(fact));
    if (batch.length === 0) return;
    this.#fresh = undefined;
    const ids = batch.some(({ work }) => isReboot(work)) ? await bootIds(master) : undefined;
    const bootOf = (work: WorkJob): { readonly bootId?: string } => {
      const bootId = isReboot(work) ? ids?.get(work.nodes[0]!.name) : undefined;
      return bootId === undefined ? {} : { bootId };
    };
    const about = (facts: readonly MutableFact[]): void => {
      const since = uptime();
      this.#write(
        ...facts.map((fact) => ({
          event: 'submitting' as const,
          ...placeIn(fact),
          since,
          ...bootOf(fact.work),
        })),
      );
      for (const fact of facts) fact.state = { state: 'submitting', since, ...bootOf(fact.work) };
    };
    for (const fact of batch.filter(hasCommand)) {
      // One command after another: of the next nobody may think that it was begun.
      about([fact]);
      await this.#runCommand(fact);
    }
    const jobs = batch.filter((fact) => !hasCommand(fact));
    if (jobs.length > 0) {
      about(jobs);
      await this.#sendJobs(jobs);
    }
    onSubmitted(
      batch.flatMap((fact) => (fact.state.state === 'submitted' && !hasCommand(fact) ? [fact.state.id] : [])),
    );
  }

  /** Starts a node anew by a program of the operator's. */
  async #runCommand(fact: MutableFact): Promise<void> {
    const { command, nodes } = fact.work as NodeJob;
    const why = await runRebootCommand(command!, nodes[0]!.name);
    this.#note(fact, why === undefined ? submittedAs(fact, NO_JOB) : { state: 'refused', why });
  }

  async #sendJobs(batch: readonly MutableFact[]): Promise<void> {
    const { run, signature } = this.#means;
    const jobs = batch.map(({ set, job, work }) =>
      work.opcodes.map((opcode) =>
        signed(opcode, signature, run === undefined ? undefined : markOf(run, set, job)),
      ),
    );
    const answers = readSubmissions(await this.#tell(jobs, batch), batch.length);
    for (const [at, fact] of batch.entries()) {
      const answer = answers[at]!;
      this.#note(
        fact,
        'id' in answer ? submittedAs(fact, answer.id) : { state: 'refused', why: answer.refusal },
      );
    }
  }

  /** @throws BackendError when nobody knows whether the jobs arrived */
  async #tell(jobs: readonly (readonly object[])[], batch: readonly MutableFact[]): Promise<unknown> {
    try {
      return await this.#means.master.tell('SubmitManyJobs', [jobs]);
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      if (error instanceof LuxiRefusal) {
        for (const fact of batch) fact.state = { state: 'planned' };
        this.#write(...batch.map((fact) => ({ event: 'unsent' as const, ...placeIn(fact) })));
        throw error;
      }
      throw new BackendError(
        `${error.message}; it is not known whether its ${jobs.length} job(s) were submitted`,
        'look at the job queue (gnt-job list) before you run this again',
      );
    }
  }

  /** Waits, and looks how the jobs are doing. @returns what those that have ended did not do */
  async #poll(running: readonly MutableFact[]): Promise<readonly Change[]> {
    const { master, onWaiting, pollSeconds } = this.#means;
    onWaiting(this.facts);
    // Of a reboot the queue tells no more once the node has been told.
    const queued = running.filter((fact) => !hasCommand(fact) && !isFinal(fact.status ?? 'queued'));
    if (queued.length === 0) await pause(pollSeconds);
    else await master.awaitChange(queued.map((fact) => ({ id: idOf(fact), status: fact.status })));
    const ids = queued.map(idOf);
    const statuses =
      ids.length === 0 ? [] : readStatuses(await master.ask('QueryJobs', [ids, STATUS_FIELDS]), ids.length);
    for (const fact of running) {
      const status = queued.includes(fact) ? statuses[queued.indexOf(fact)]! : (fact.status ?? 'success');
      if (status !== 'gone') fact.status = status;
      if (isReboot(fact.work) && (status === 'success' || status === 'gone')) await this.#awaitReturn(fact);
      else await this.#settle(fact, status);
    }
    const ended = running.filter(({ state, work }) => isSuccess(state) && !isNodeJob(work));
    if (ended.length === 0) return [];
    this.#fresh = undefined;
    return this.#against((fresh) =>
      unkept(
        fresh,
        ended.map(({ work }) => work),
      ),
    );
  }

  /** A reboot has ended when the node answers as another system than before. */
  async #awaitReturn(fact: MutableFact): Promise<void> {
    const { id } = fact.state as Extract<JobState, { state: 'submitted' }>;
    // Of a former run it is not known since when.
    fact.submittedAt ??= uptime();
    if (await this.#isBack(fact.work as NodeJob, bootIdOf(fact)))
      this.#note(fact, { state: 'ended', status: 'success', id });
    else if (uptime() - fact.submittedAt > this.#means.rebootSeconds) {
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
    } else if (isPower(fact.work) && status === (fact.work.action === 'power-off' ? 'success' : 'error'))
      await this.#settlePower(fact, fact.work, status);
    else if (isFinal(status)) {
      this.#note(fact, { state: 'ended', status: status as 'success' | 'error' | 'canceled', id });
    }
  }

  /**
   * A job that takes the power succeeds also where no hardware listened. One that gives it succeeds when the
   * node answers: until then the whole job is submitted anew.
   */
  async #settlePower(fact: MutableFact, work: NodeJob, status: 'success' | 'error'): Promise<void> {
    if (fact.askAt !== undefined && uptime() < fact.askAt && !this.#isEnding()) return;
    const id = idOf(fact);
    const { master, rebootSeconds, pollSeconds, onDelay } = this.#means;
    const result = await master.ask('QueryJobs', [[id], RESULT_FIELDS]);
    const at = work.opcodes.findIndex(({ OP_ID }) => OP_ID === 'OP_OOB_COMMAND');
    const left = unswitched(result, at, namesOf(work));
    if (left.length > 0) {
      fact.unswitched = left;
      // What the power program said is a remark of the job's.
      const log = readLog(await master.ask('QueryJobs', [[id], LOG_FIELDS]));
      const error = `the power of ${left.join(', ')} was not switched`;
      fact.log = { ...log, error: status === 'error' ? `${error}: ${log.error}` : error };
    } else if (status === 'error') {
      if (fact.poweredAt === undefined) {
        fact.poweredAt = uptime();
        if (!this.#isEnding()) onDelay({ starting: subjectOf(work), seconds: rebootSeconds });
      }
      const waited = uptime() - fact.poweredAt;
      if (waited < rebootSeconds && !this.#isEnding()) {
        if (fact.askAt === undefined)
          fact.askAt = uptime() + Math.max(POLLS_A_START * pollSeconds, SHARE_OF_START * waited);
        else Object.assign(fact, { state: { state: 'planned' }, status: undefined, askAt: undefined });
        return;
      }
      const log = readLog(await master.ask('QueryJobs', [[id], LOG_FIELDS]));
      fact.log = {
        ...log,
        error: `not there ${Math.round(waited)} s after it was given power: ${log.error}`,
      };
    }
    this.#note(fact, { state: 'ended', status: left.length > 0 ? 'error' : status, id });
  }

  /** Why jobs failed, and how that leaves their instances and nodes. What cannot be learnt is left out. */
  async #examineFailures(): Promise<void> {
    const failed = this.facts.filter(({ state }) => isFailure(state));
    const changed = failed.filter(({ work }) => isPower(work) || !isNodeJob(work));
    try {
      const fresh = changed.length > 0 ? await this.#means.readState() : undefined;
      for (const fact of changed)
        if (isNodeJob(fact.work)) fact.offline = offlineOf(fresh!, fact.unswitched ?? namesOf(fact.work));
        else fact.now = placeOf(fresh!, fact.work.instance);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
    for (const fact of failed) {
      const { state } = fact;
      if (state.state !== 'ended' || !state.id || fact.log) continue;
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
    const place = placeIn(fact);
    const { onEnded } = this.#means;
    if (state.state === 'submitted') {
      // Whatever becomes of the journal, the job is in the queue.
      fact.state = state;
      fact.submittedAt = uptime();
      this.#write({ event: 'submitted', ...place, id: state.id });
    } else if (state.state === 'refused') this.#write({ event: 'refused', ...place, why: state.why });
    else if (state.state === 'ended') {
      this.#write({ event: 'ended', ...place, status: state.status });
      if (fact.submittedAt !== undefined) fact.seconds = uptime() - fact.submittedAt;
    }
    fact.state = state;
    if (state.state === 'ended' || state.state === 'refused') onEnded(fact);
  }
}

const unreadable = ({ problem, remedy }: InputProblem): Change => ({
  what: 'unreadable',
  why: remedy === undefined ? problem : `${problem} (maybe ${remedy})`,
});

/** In place of the id of a job. */
const NO_JOB = 0;

/** Whether it is about a node that has power, but is not there yet. */
const isStarting = ({ poweredAt, state }: MutableFact): boolean =>
  poweredAt !== undefined && state.state !== 'ended';

const placeIn = ({ set, job }: JobFact) => ({ set: set + 1, job: job + 1 });

const bootIdOf = ({ state }: MutableFact): string | undefined =>
  'bootId' in state ? state.bootId : undefined;

const submittedAs = (fact: MutableFact, id: number): JobState => ({
  state: 'submitted',
  id,
  bootId: bootIdOf(fact),
});

const idOf = ({ state }: MutableFact): number => (state as Extract<JobState, { state: 'submitted' }>).id;

/** Seconds since the job was about to be sent, at most: by the machine's uptime; 0 where not known. */
function ageOf({ state }: MutableFact): number {
  const since = state.state === 'submitting' ? state.since : undefined;
  if (since === undefined) return 0;
  const now = uptime();
  return now >= since ? now - since : now;
}

/** Carries the work out. @param states how far a former run came, by set and job; empty = none */
export async function execute(
  work: Work,
  states: readonly (readonly JobState[])[],
  means: ExecutionMeans,
): Promise<ExecutionReport> {
  const execution = new Execution(work, states, means);
  const { leaving } = means;
  const ended = await Promise.race([
    execution.run(),
    ...(leaving ? [leaving.then((signal) => execution.leaveAt(signal))] : []),
  ]);
  const setsLeft = work.sets.flatMap((_, set) =>
    execution.facts.some((fact) => fact.set === set && fact.state.state === 'planned') ? [set] : [],
  );
  return { ...ended, jobs: execution.facts, setsLeft };
}
