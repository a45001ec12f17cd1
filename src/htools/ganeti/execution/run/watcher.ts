/** Waits for jobs that were sent, and says how each ended; those about nodes end when the node shows it. */
import { uptime } from 'node:os';
import {
  isFinal,
  type JobStatus,
  LOG_FIELDS,
  readLog,
  readStatuses,
  STATUS_FIELDS,
} from '../../jobs/job-status.ts';
import { RESULT_FIELDS, unswitched } from '../../jobs/power.ts';
import { pause } from '../../wire/limits.ts';
import { hasCommand, isReboot, isSuccess, type MutableFact } from '../job-facts.ts';
import { bootIdsFor, isBack } from '../reboots.ts';
import { type Change, seemsDone, unkept } from '../recheck.ts';
import { isNodeJob, isPower, type NodeJob, namesOf, subjectOf } from '../work.ts';
import type { ClusterView } from './cluster-view.ts';
import { type ExecutionMeans, isEnding } from './means.ts';
import { bootIdOf, idOf, type OnRecord } from './on-record.ts';

/** Looks that a node which starts is given at least between two jobs that ask whether it is there. */
const POLLS_A_START = 15;
/** What it is given later, as a share of the time that it has had: failed jobs fill the queue. */
const SHARE_OF_START = 0.25;

export class Watcher {
  constructor(
    private readonly means: ExecutionMeans,
    private readonly record: OnRecord,
    private readonly view: ClusterView,
  ) {}

  /** Waits, and looks how the jobs are doing. @returns what those that have ended did not do */
  async poll(running: readonly MutableFact[]): Promise<readonly Change[]> {
    const { master, onWaiting, pollSeconds } = this.means;
    onWaiting(this.record.facts);
    // Of a reboot the queue tells no more once the node has been told.
    const queued = running.filter((fact) => !hasCommand(fact) && !isFinal(fact.status ?? 'queued'));
    if (queued.length === 0) await pause(pollSeconds);
    else await master.awaitChange(queued.map((fact) => ({ id: idOf(fact), status: fact.status })));
    const ids = queued.map(idOf);
    const statuses =
      ids.length === 0 ? [] : readStatuses(await master.ask('QueryJobs', [ids, STATUS_FIELDS]), ids.length);
    const known = running.map((fact) => {
      const at = queued.indexOf(fact);
      return { fact, status: at < 0 ? (fact.status ?? 'success') : statuses[at]! };
    });
    const returning = known.flatMap(({ fact, status }) =>
      isReboot(fact.work) && (status === 'success' || status === 'gone') ? [fact] : [],
    );
    const bootIds = await bootIdsFor(master, returning);
    for (const { fact, status } of known) {
      if (status !== 'gone') fact.status = status;
      if (returning.includes(fact)) this.noteReturn(fact, bootIds);
      else await this.settle(fact, status);
    }
    const ended = running.filter(({ state, work }) => isSuccess(state) && !isNodeJob(work));
    if (ended.length === 0) return [];
    this.view.forget();
    return this.view.against((fresh) =>
      unkept(
        fresh,
        ended.map(({ work }) => work),
      ),
    );
  }

  /** A reboot has ended when the node answers as another system than before. */
  private noteReturn(fact: MutableFact, bootIds: ReadonlyMap<string, string>): void {
    const { rebootSeconds } = this.means;
    const id = idOf(fact);
    // Of a former run it is not known since when.
    fact.submittedAt ??= uptime();
    const { name } = fact.work.nodes[0]!;
    const isGone = bootIds.size > 0 && !bootIds.has(name);
    if (isBack(bootIds, name, bootIdOf(fact)))
      this.record.note(fact, { state: 'ended', status: 'success', id });
    else if (isGone || uptime() - fact.submittedAt > rebootSeconds) {
      const error = isGone ? 'the node is gone' : `the node did not come back within ${rebootSeconds} s`;
      fact.log = { error, messages: [] };
      this.record.note(fact, { state: 'ended', status: 'error', id });
    }
  }

  private async settle(fact: MutableFact, status: JobStatus | 'gone'): Promise<void> {
    const id = idOf(fact);
    if (status === 'gone') {
      // The queue forgets what ended long ago; the cluster shows how it ended.
      const isDone = seemsDone(await this.view.read(), fact.work);
      this.record.note(fact, { state: 'ended', status: isDone ? 'success' : 'error', id });
    } else if (isPower(fact.work) && status === (fact.work.action === 'power-off' ? 'success' : 'error'))
      await this.settlePower(fact, fact.work, status);
    else if (isFinal(status)) {
      this.record.note(fact, { state: 'ended', status: status as 'success' | 'error' | 'canceled', id });
    }
  }

  /**
   * A job that takes the power succeeds also where no hardware listened. One that gives it succeeds when the
   * node answers: until then the whole job is submitted anew.
   */
  private async settlePower(fact: MutableFact, work: NodeJob, status: 'success' | 'error'): Promise<void> {
    if (fact.askAt !== undefined && uptime() < fact.askAt && !isEnding(this.means)) return;
    const id = idOf(fact);
    const { master, rebootSeconds, pollSeconds, onDelay } = this.means;
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
        if (!isEnding(this.means)) onDelay({ starting: subjectOf(work), seconds: rebootSeconds });
      }
      const waited = uptime() - fact.poweredAt;
      if (waited < rebootSeconds && !isEnding(this.means)) {
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
    this.record.note(fact, { state: 'ended', status: left.length > 0 ? 'error' : status, id });
  }
}
