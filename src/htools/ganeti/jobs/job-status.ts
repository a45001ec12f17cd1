/** How jobs are doing, and what those that failed have to say. Pure. Source: Ganeti's job queue. */
import * as z from 'zod/mini';
import { BackendError } from '../../../kit/faults.ts';
import { MS_PER_S } from '../../../kit/units.ts';
import { errorText, quoteAnswer, quoteValue } from '../wire/answer-text.ts';

const STATUSES = ['queued', 'waiting', 'canceling', 'running', 'canceled', 'success', 'error'] as const;
export type JobStatus = (typeof STATUSES)[number];

const FINAL: ReadonlySet<string> = new Set(['canceled', 'success', 'error']);

export const isFinal = (status: JobStatus): boolean => FINAL.has(status);

const ANSWER = z.array(z.tuple([z.nullable(z.enum(STATUSES))]));

export const STATUS_FIELDS = ['status'];

/** Statuses by STATUS_FIELDS, in the ids' order; `gone` = unknown by now. @throws BackendError for none */
export function readStatuses(result: unknown, count: number): readonly (JobStatus | 'gone')[] {
  const answer = z.safeParse(ANSWER, result);
  if (answer.success && answer.data.length === count) return answer.data.map(([status]) => status ?? 'gone');
  throw new BackendError(
    `the master tells the status of ${count} job(s) in an unknown form: ${quoteValue(result)}`,
  );
}

export const LOG_FIELDS = ['opstatus', 'opresult', 'oplog'];

/** Why a job failed: the error of its opcode, and the messages of all that it did. */
export interface JobLog {
  readonly error: string;
  readonly messages: readonly string[];
}

const LOG_ENTRY = z.tuple([z.number(), z.tuple([z.number(), z.number()]), z.string(), z.unknown()]);
const LOGS = z.array(z.tuple([z.array(z.string()), z.array(z.unknown()), z.array(z.array(LOG_ENTRY))]));

const TIME_START = 11;
const TIME_END = 19;

const clock = (seconds: number): string =>
  Number.isFinite(seconds) && Math.abs(seconds) < 1e11
    ? new Date(seconds * MS_PER_S).toISOString().slice(TIME_START, TIME_END)
    : '--:--:--';

/** The answer to QueryJobs with LOG_FIELDS about one job; an unknown form makes a log without messages. */
export function readLog(result: unknown): JobLog {
  const answer = z.safeParse(LOGS, result);
  if (!answer.success || answer.data.length !== 1)
    return { error: 'the master has no log of it', messages: [] };
  const [statuses, results, logs] = answer.data[0]!;
  const failed = statuses.findIndex((status) => status !== 'success');
  const error =
    failed < 0 ? 'no opcode of it failed' : quoteAnswer(errorText(results[failed] ?? statuses[failed]));
  const messages = logs
    .flat()
    .map(([, [seconds], , message]) => `${clock(seconds)} ${quoteAnswer(errorText(message))}`);
  return { error, messages };
}
