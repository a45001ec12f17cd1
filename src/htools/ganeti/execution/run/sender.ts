/**
 * Sends jobs, none twice. A job is written down before it is sent, with a mark that goes along in its reason
 * trail; where a run ends between the two, the next one looks for the mark in the queue until none of the
 * request can be on its way any more, and so does this one where the answer is lost.
 */
import { uptime } from 'node:os';
import { BackendError } from '../../../../kit/faults.ts';
import { count } from '../../../../kit/text/words.ts';
import { ARCHIVE_FIELDS, findMarked, MARK_FIELDS, readSubmissions, signed } from '../../jobs/submission.ts';
import { LuxiRefusal } from '../../luxi/message.ts';
import { pause } from '../../wire/limits.ts';
import { hasCommand, isReboot, type MutableFact } from '../job-facts.ts';
import { markOf } from '../journal-lines.ts';
import { bootIdsFor, isBack, nodeSettings, runRebootCommand } from '../reboots.ts';
import { seemsDone } from '../recheck.ts';
import { isNodeJob, type NodeJob } from '../work.ts';
import type { ClusterView } from './cluster-view.ts';
import { type ExecutionMeans, isEnding } from './means.ts';
import { bootIdOf, NO_JOB, type OnRecord } from './on-record.ts';

/** Seconds since the job was about to be sent, at most: by the machine's uptime; 0 where not known. */
function ageOf({ state }: MutableFact): number {
  const since = state.state === 'submitting' ? state.since : undefined;
  if (since === undefined) return 0;
  const now = uptime();
  return now >= since ? now - since : now;
}

export class Sender {
  constructor(
    private readonly means: ExecutionMeans,
    private readonly record: OnRecord,
    private readonly view: ClusterView,
  ) {}

  /** Looks for jobs that were about to be submitted when a former run ended, or an answer was lost. */
  async findLost(): Promise<void> {
    const { master, pollSeconds, queueSeconds, onDelay, isStopRequested } = this.means;
    const lost = this.record.facts.filter(({ state }) => state.state === 'submitting');
    // A command tells nobody that it was begun: what it does is waited for.
    for (const fact of lost.filter(hasCommand)) this.record.noteSubmitted(fact, NO_JOB);
    let missing = await this.missing(
      lost.filter((fact) => !hasCommand(fact)),
      MARK_FIELDS,
    );
    const end = uptime() + queueSeconds - Math.min(...missing.map(ageOf));
    for (let isSaid = false; missing.length > 0 && uptime() < end; isSaid = true) {
      if (!isSaid) onDelay({ lost: missing.length });
      await pause(pollSeconds);
      if (isStopRequested()) return;
      missing = await this.missing(missing, MARK_FIELDS);
    }
    missing = await this.missing(missing, ARCHIVE_FIELDS);
    const fresh = missing.some(({ work }) => !isNodeJob(work)) ? await this.view.read() : undefined;
    const ids = await bootIdsFor(master, missing);
    for (const fact of missing) {
      const isDone = isReboot(fact.work)
        ? isBack(ids, fact.work.nodes[0]!.name, bootIdOf(fact))
        : fresh !== undefined && seemsDone(fresh, fact.work);
      if (isDone) this.record.note(fact, { state: 'ended', status: 'success', id: undefined });
      else Object.assign(fact, { state: { state: 'planned' }, isDoubtful: true });
    }
  }

  /** @param planned jobs, but for those that a last look finds in the queue or that are to stay undone */
  async submit(planned: readonly MutableFact[], isUndone: (fact: MutableFact) => boolean): Promise<void> {
    const { master, onSubmitted } = this.means;
    // Once more, now that nothing stands between the look and the request.
    await this.missing(
      planned.filter(({ isDoubtful }) => isDoubtful),
      MARK_FIELDS,
    );
    const batch = planned.filter((fact) => fact.state.state === 'planned' && !isUndone(fact));
    if (batch.length === 0) return;
    this.view.forget();
    const ids = await bootIdsFor(master, batch);
    const before = new Map(
      batch.flatMap((fact) => {
        const id = isReboot(fact.work) ? ids.get(fact.work.nodes[0]!.name) : undefined;
        return id ? [[fact, id]] : [];
      }),
    );
    await this.runCommands(batch.filter(hasCommand), before);
    const jobs = batch.filter((fact) => !hasCommand(fact));
    if (jobs.length > 0) {
      this.record.noteSubmitting(jobs, before, this.view.newest);
      await this.sendJobs(jobs);
    }
    onSubmitted(jobs.flatMap(({ state }) => (state.state === 'submitted' ? [state.id] : [])));
  }

  /** Notes the jobs that are in the queue. @returns those that are not */
  private async missing(facts: readonly MutableFact[], fields: readonly string[]): Promise<MutableFact[]> {
    const { master, run } = this.means;
    if (facts.length === 0 || run === undefined) return [];
    const marks = new Map(facts.map((fact) => [markOf(run, fact.set, fact.job), fact]));
    // An archive may hold the jobs of years: the master reads no more of it than it has to.
    const newer = ['>', 'id', Math.min(...facts.map(({ state }) => ('after' in state && state.after) || 0))];
    const found = findMarked(await master.ask('Query', ['job', fields, newer]), new Set(marks.keys()));
    for (const [mark, id] of found) this.record.noteSubmitted(marks.get(mark)!, id);
    return [...marks].filter(([mark]) => !found.has(mark)).map(([, fact]) => fact);
  }

  /**
   * Starts nodes anew by a program of the operator's. It takes its time, and they go down one after another:
   * a node that has changed by then is left for a look once the others are back.
   */
  private async runCommands(facts: readonly MutableFact[], ids: ReadonlyMap<MutableFact, string>) {
    const { master, rebootSeconds } = this.means;
    const asLookedAt = facts.length > 1 ? await nodeSettings(master) : undefined;
    for (const [at, fact] of facts.entries()) {
      const { command, nodes } = fact.work as NodeJob;
      const { name } = nodes[0]!;
      if (at > 0 && isEnding(this.means)) return;
      if (at > 0 && (await nodeSettings(master))(name) !== asLookedAt!(name)) continue;
      // Of the next nobody may think that it was begun.
      this.record.noteSubmitting([fact], ids, this.view.newest);
      const why = await runRebootCommand(command!, name, rebootSeconds);
      if (why !== undefined) return this.record.note(fact, { state: 'refused', why });
      this.record.noteSubmitted(fact, NO_JOB);
    }
  }

  private async sendJobs(batch: readonly MutableFact[]): Promise<void> {
    const { run, signature } = this.means;
    const jobs = batch.map(({ set, job, work }) =>
      work.opcodes.map((opcode) =>
        signed(opcode, signature, run === undefined ? undefined : markOf(run, set, job)),
      ),
    );
    const answers = await this.tell(jobs, batch);
    // Their marks tell which of them are in the queue.
    if (answers === undefined) return this.findLost();
    for (const [at, fact] of batch.entries()) {
      const answer = answers[at]!;
      if ('id' in answer) this.record.noteSubmitted(fact, answer.id);
      else this.record.note(fact, { state: 'refused', why: answer.refusal });
    }
  }

  /**
   * @returns what became of each job; undefined = the answer is lost
   * @throws BackendError when the cluster says no, or it is lost once more, or nothing would tell of the jobs
   */
  private async tell(jobs: readonly (readonly object[])[], batch: readonly MutableFact[]) {
    const { master, run } = this.means;
    try {
      return readSubmissions(await master.tell('SubmitManyJobs', [jobs]), batch.length);
    } catch (error) {
      if (!(error instanceof BackendError)) throw error;
      if (error instanceof LuxiRefusal) {
        this.record.noteUnsent(batch);
        throw error;
      }
      if (run !== undefined && !batch.some(({ isDoubtful }) => isDoubtful)) return undefined;
      throw new BackendError(
        `${error.message}; it is not known whether its ${count(jobs.length, 'job was', 'jobs were')} submitted`,
        'look at the job queue (gnt-job list) before you run this again',
      );
    }
  }
}
