/**
 * Carries work out: set by set, each looked at again before it is submitted and when its jobs have ended,
 * every event in the journal before the next is begun.
 */
import { uptime } from 'node:os';
import { BackendError, Fault } from '../../../../kit/faults.ts';
import { LOG_FIELDS, readLog } from '../../jobs/job-status.ts';
import { type OtherJob, othersJobs } from '../../jobs/others-jobs.ts';
import { LuxiRefusal } from '../../luxi/message.ts';
import { type ExecutionReport, isFailure, isReboot, isSuccess, type MutableFact } from '../job-facts.ts';
import type { JobState } from '../journal-lines.ts';
import {
  type Change,
  changesAgainst,
  distinct,
  goesDown,
  isAbsence,
  placeOf,
  strayChanges,
  unkept,
} from '../recheck.ts';
import { isNodeJob, isPower, namesOf, offlineOf, type Work, type WorkSet } from '../work.ts';
import { ClusterView, unreadable } from './cluster-view.ts';
import { type Ending, type ExecutionMeans, isEnding } from './means.ts';
import { OnRecord } from './on-record.ts';
import { Sender } from './sender.ts';
import { notNoted, shutDownByUsers } from './user-shutdowns.ts';
import { Watcher } from './watcher.ts';

type Ended = Ending & Pick<ExecutionReport, 'why'>;
const STOPPED: Ending = { outcome: 'stopped', changes: [] };

class Execution {
  private readonly view: ClusterView;
  private readonly sender: Sender;
  private readonly watcher: Watcher;
  /** Jobs of a way home that stay undone, and what stands against them. */
  private readonly undone = new Map<MutableFact, readonly Change[]>();

  constructor(
    private readonly work: Work,
    private readonly record: OnRecord,
    private readonly means: ExecutionMeans,
  ) {
    this.view = new ClusterView(means);
    this.sender = new Sender(means, record, this.view);
    this.watcher = new Watcher(means, record, this.view);
  }

  async run(): Promise<Ended> {
    try {
      return await this.runAll();
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      const broken = { outcome: 'broken', changes: [], fault } as const;
      const ending = this.isOnlyStopped(fault) ? STOPPED : broken;
      try {
        return { ...ending, why: this.record.leave(ending) };
      } catch (error) {
        // It may be the journal that cannot be written.
        if (!(error instanceof Fault)) throw error;
        return { ...broken, why: [fault.message] };
      }
    }
  }

  /** Whether it was to stop while the master was away, with nothing under way that would have to be known. */
  private isOnlyStopped(fault: Fault): boolean {
    if (!(fault instanceof BackendError) || fault instanceof LuxiRefusal) return false;
    const isLeft = ({ state }: MutableFact): boolean => state.state === 'planned';
    const { facts } = this.record;
    return (
      this.means.isStopRequested() &&
      facts.some(isLeft) &&
      facts.every((fact) => isLeft(fact) || isSuccess(fact.state))
    );
  }

  private async runAll(): Promise<Ended> {
    await this.sender.findLost();
    let ending = await this.runSets();
    if (this.hasFailed()) {
      const unread = await this.examineFailures();
      ending = { outcome: 'failed', changes: distinct([...ending.changes, ...unread]) };
    }
    return { ...ending, why: this.record.leave(ending) };
  }

  private async runSets(): Promise<Ending> {
    for (let set = 0; set < this.work.sets.length; set++) {
      if (this.ready(set).length > 0 && this.isStopped(set)) {
        await this.runSet(set - 1, true);
        return STOPPED;
      }
      const changes = await this.runSet(set, set === this.work.sets.length - 1);
      if (changes.length > 0 || this.isBlocked()) return { outcome: 'changed', changes };
      // Of jobs that may have been sent it is looked for no longer where it is to stop.
      if (this.ready(set).length > 0 || this.inSet(set, 'submitting').length > 0) return STOPPED;
    }
    const succeeded = this.record.facts.filter(({ state }) => isSuccess(state)).map(({ work }) => work);
    const jobs = [...(this.means.kept ?? []), ...succeeded];
    const found = jobs.every(isNodeJob) ? [] : await this.view.against((fresh) => unkept(fresh, jobs));
    const against = distinct([...[...this.undone.values()].flat(), ...found]);
    const gone = against.flatMap((change) => (isAbsence(change) ? [change.instance] : []));
    const changes = against.filter((change) => !isAbsence(change));
    return { outcome: changes.length > 0 ? 'changed' : 'done', changes, gone };
  }

  private hasFailed(): boolean {
    return this.record.facts.some(({ state }) => isFailure(state));
  }

  /** On the way home what fails keeps nothing else from it. */
  private isBlocked(): boolean {
    return !this.work.isHomeward && this.hasFailed();
  }

  private isStopped(set: number): boolean {
    const { isRoundStopRequested } = this.means;
    if (!this.mayBegin(this.work.sets[set]!)) return true;
    return isEnding(this.means) || (this.work.roundStarts?.includes(set) === true && isRoundStopRequested());
  }

  private mayBegin(jobs: WorkSet): boolean {
    return this.means.mayBegin?.(jobs) ?? true;
  }

  /** On the way home also those of sets before it: they may wait for a node that starts. */
  private inSet(set: number, state: JobState['state']): readonly MutableFact[] {
    const first = this.work.isHomeward ? 0 : set;
    return this.record.facts.filter(
      (fact) => fact.set >= first && fact.set <= set && fact.state.state === state && !this.undone.has(fact),
    );
  }

  /** Those that may be begun: none about a node that starts, nor ahead of an earlier one about its node. */
  private ready(set: number): readonly MutableFact[] {
    const planned = this.inSet(set, 'planned');
    if (!this.work.isHomeward) return planned;
    const submitted = this.inSet(set, 'submitted');
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

  /**
   * Brings a set to its end, or as far as it goes.
   * @param isLast nodes that start are awaited; on the way home later sets go on beside them
   * @returns what stands against the rest, or its success
   */
  private async runSet(set: number, isLast: boolean): Promise<readonly Change[]> {
    let changes: readonly Change[] = [];
    let isLate = false;
    for (;;) {
      const running = this.inSet(set, 'submitted');
      const mayGoOn = changes.length === 0 && !isLate && !isEnding(this.means);
      const batch: readonly MutableFact[] = mayGoOn ? this.nextOf(set, running) : [];
      const mayLeave = this.work.isHomeward && !isLast && mayGoOn;
      if (batch.length > 0) {
        changes = await this.recheck(batch);
        // Others may have been waited for; a node that has power is asked on all the same.
        const anew = batch.filter((fact) => !isStarting(fact)).map(({ work }) => work);
        isLate = changes.length === 0 && anew.length > 0 && !this.mayBegin(anew);
        if (changes.length === 0 && !isLate && !isEnding(this.means))
          await this.sender.submit(batch, (fact) => this.undone.has(fact));
      } else if (running.some(isInQueue) || (running.length > 0 && !mayLeave)) {
        // What runs is awaited before anything is said.
        const found = await this.watcher.poll(running);
        if (changes.length === 0) changes = found;
      } else return changes;
    }
  }

  /** Those to be sent now, as many as may run beside those that do. */
  private nextOf(set: number, running: readonly MutableFact[]): readonly MutableFact[] {
    // While a node is down the cluster cannot be looked at as a whole.
    if (running.some(({ work }) => isReboot(work))) return [];
    // Whatever has failed, nodes that have power are asked on: nobody would know of them.
    const next = this.ready(set).filter((fact) => !this.isBlocked() || isStarting(fact));
    return next.slice(0, Math.max(0, this.means.parallel - running.filter(isInQueue).length));
  }

  /** What is left to be done of a round from a set on. */
  private roundFrom(set: number): WorkSet {
    const end = this.work.roundStarts?.find((start) => start > set) ?? Number.POSITIVE_INFINITY;
    return this.record.facts
      .filter((fact) => fact.set >= set && fact.set < end && fact.state.state === 'planned')
      .map(({ work }) => work);
  }

  /** What stands against sending the jobs now, unless it is to stop; others' unfinished jobs are awaited. */
  private async recheck(batch: readonly MutableFact[]): Promise<readonly Change[]> {
    const { master, isCalm, waitSeconds, onDelay, isStopRequested } = this.means;
    const jobs = batch.map(({ work }) => work);
    const mayArrive = isCalm || jobs.some(goesDown);
    const start = uptime();
    // Nobody is to be on a node that goes down, not even since the jobs before have ended.
    if (mayArrive) this.view.forget();
    for (let isSaid = false; ; isSaid = true) {
      let others: readonly OtherJob[] = [];
      let down: readonly string[] = [];
      const changes = await this.view.against((fresh, open) => {
        down = shutDownByUsers(fresh, jobs);
        const nodes = isCalm ? fresh.nodes : jobs.flatMap((job) => job.nodes);
        const busy = new Set(nodes.map(({ name }) => name));
        const own = this.record.facts.flatMap(({ state }) => ('id' in state && state.id ? [state.id] : []));
        others = othersJobs(open, new Set(own), fresh, busy, mayArrive);
        if (!this.work.isHomeward)
          return changesAgainst(fresh, jobs, this.work, this.roundFrom(batch[0]!.set));
        for (const fact of others.length > 0 ? [] : batch) {
          const against = changesAgainst(fresh, [fact.work], this.work);
          if (against.length > 0) this.undone.set(fact, against);
        }
        return [];
      }, true);
      if (isStopRequested()) return [];
      down = await notNoted(master, changes.length > 0 ? [] : down);
      if (others.length + down.length === 0) return changes;
      const waited = uptime() - start;
      if (waited >= waitSeconds)
        return [...others.map((job) => ({ what: 'others-job' as const, ...job })), ...down.map(startedByJob)];
      if (!isSaid) onDelay(others.length > 0 ? { others } : { down });
      await this.view.rest(waited);
    }
  }

  /**
   * Why jobs failed, and how that leaves their instances and nodes. What cannot be learnt is left out.
   * @returns why the cluster cannot be read
   */
  private async examineFailures(): Promise<readonly Change[]> {
    const failed = this.record.facts.filter(({ state }) => isFailure(state));
    const changed = failed.filter(({ work }) => isPower(work) || !isNodeJob(work));
    let unread: readonly Change[] = [];
    try {
      const fresh = changed.length > 0 ? await this.means.readState() : undefined;
      for (const fact of changed)
        if (isNodeJob(fact.work)) fact.offline = offlineOf(fresh!, fact.unswitched ?? namesOf(fact.work));
        else {
          fact.now = placeOf(fresh!, fact.work);
          [fact.astray] = strayChanges(fresh!, [fact.work]);
        }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      unread = unreadable(error);
    }
    let away: BackendError | undefined;
    for (const fact of failed) {
      const { state } = fact;
      if (state.state !== 'ended' || !state.id || fact.log) continue;
      try {
        if (away) throw away;
        fact.log = readLog(await this.means.master.ask('QueryJobs', [[state.id], LOG_FIELDS]));
      } catch (error) {
        if (!(error instanceof BackendError)) throw error;
        // Each further question would wait for the master as long.
        if (!(error instanceof LuxiRefusal)) away = error;
        fact.log = { error: error.message, messages: [] };
      }
    }
    return unread;
  }
}

/** Whether it is about a node that has power, but is not there yet. */
const isStarting = ({ poweredAt, state }: MutableFact): boolean =>
  poweredAt !== undefined && state.state !== 'ended';

const isInQueue = ({ askAt }: MutableFact): boolean => askAt === undefined;

const startedByJob = (instance: string): Change => ({ what: 'would-start', instance });

/** Carries the work out. @param states how far a former run came, by set and job; empty = none */
export async function execute(
  work: Work,
  states: readonly (readonly JobState[])[],
  means: ExecutionMeans,
): Promise<ExecutionReport> {
  const record = new OnRecord(work, states, means);
  const { facts } = record;
  const leaveAt = (signal: NodeJS.Signals) => {
    record.leaveAt(signal);
    return { ...STOPPED, why: [signal], signal };
  };
  const ended = await Promise.race([
    new Execution(work, record, means).run(),
    ...(means.leaving ? [means.leaving.then(leaveAt)] : []),
  ]);
  const setsLeft = work.sets.flatMap((_, set) =>
    facts.some((fact) => fact.set === set && fact.state.state === 'planned') ? [set] : [],
  );
  return { ...ended, jobs: facts, setsLeft };
}
