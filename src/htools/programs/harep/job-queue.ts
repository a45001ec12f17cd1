/** The master's job queue as repairs use it: one job at a time, awaited where its effect is needed. */
import { ExecutionError } from '../../../kit/faults.ts';
import { awaitJob, type MasterLine, submitJob } from '../../ganeti/execution/master-line.ts';
import {
  type JobStatus,
  LOG_FIELDS,
  readLog,
  readStatuses,
  STATUS_FIELDS,
} from '../../ganeti/jobs/job-status.ts';
import type { Signature } from '../../ganeti/jobs/submission.ts';
import type { Opcode } from '../../plan/opcodes.ts';

export class JobQueue {
  constructor(
    private readonly master: MasterLine,
    private readonly signature: Omit<Signature, 'startedMs'>,
    /** Whether nothing is to be waited for any more. */
    private readonly isOutOfTime: () => boolean,
  ) {}

  /** Submits one job, as submitJob does. @returns its id */
  submit(opcodes: readonly Opcode[]): Promise<number> {
    return submitJob(this.master, opcodes, { ...this.signature, startedMs: Date.now() });
  }

  /** How jobs are doing, in the order of the ids; `gone` = the queue no longer knows the job. */
  async statuses(ids: readonly number[]): Promise<readonly (JobStatus | 'gone')[]> {
    // Asked about no jobs, the master tells of all that it has.
    if (ids.length === 0) return [];
    return readStatuses(await this.master.ask('QueryJobs', [ids, STATUS_FIELDS]), ids.length);
  }

  /** Submits a job and waits for it, within the time limit. @throws ExecutionError unless it succeeds */
  async run(opcodes: readonly Opcode[]): Promise<void> {
    const id = await this.submit(opcodes);
    const status = await awaitJob(this.master, id, this.isOutOfTime);
    if (status === undefined || status === 'success') return;
    const { error, messages } = readLog(await this.master.ask('QueryJobs', [[id], LOG_FIELDS]));
    const lines = messages.map((message) => `\n  ${message}`).join('');
    throw new ExecutionError(`job ${id} ended with the status ${status}: ${error}${lines}`);
  }
}
