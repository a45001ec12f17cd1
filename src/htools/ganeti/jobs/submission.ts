/** Jobs on their way into the queue: what is added to their opcodes, and what the master answers. Pure. */
import * as z from 'zod/mini';
import { BackendError } from '../../../kit/faults.ts';
import type { Opcode } from '../../plan/opcodes.ts';
import { quoteValue } from '../wire/answer-text.ts';

type JobPriority = 'low' | 'normal' | 'high';

/** Source: Ganeti's constants of priorities. */
const PRIORITIES: Readonly<Record<JobPriority, number>> = { low: 10, normal: 0, high: -10 };

export interface Signature {
  readonly program: string;
  /** `hbal (Evenkeel) version 0.1.0`. */
  readonly version: string;
  /** What the program does to the cluster, for the jobs' comment. */
  readonly doing?: string | undefined;
  /** As the user gave it. */
  readonly reason?: string | undefined;
  readonly priority?: JobPriority | undefined;
  /** When the execution began, in ms since 1970. */
  readonly startedMs: number;
}

const NS_PER_MS = 1e6;
/** Source of the entries that an execution writes to find its jobs again. */
const MARK_SOURCE = 'evenkeel';

/** An opcode as the queue takes it. @param mark by which the job can be found later, if it need be */
export function signed(opcode: Opcode, signature: Signature, mark?: string): object {
  const { program, version, doing, reason, priority, startedMs } = signature;
  const timestamp = startedMs * NS_PER_MS;
  return {
    priority: PRIORITIES[priority ?? 'normal'],
    depends: null,
    comment: `${doing ?? 'rebalancing via'} ${version}`,
    reason: [
      [program, reason ?? `${version} called`, timestamp],
      ...(mark === undefined ? [] : [[MARK_SOURCE, mark, timestamp]]),
    ],
    ...opcode,
  };
}

type Submission = { readonly id: number } | { readonly refusal: string };

const JOB_ID = z.number().check(z.int(), z.positive());
const ANSWER = z.array(
  z.union([z.tuple([z.literal(true), JOB_ID]), z.tuple([z.literal(false), z.unknown()])]),
);

/** The answer to SubmitManyJobs, one entry a job. @throws BackendError when it is none: all is open then */
export function readSubmissions(result: unknown, count: number): readonly Submission[] {
  const answer = z.safeParse(ANSWER, result);
  if (!answer.success || answer.data.length !== count) {
    throw new BackendError(
      `the master's answer to the submission of ${count} job(s) is not understood: ${quoteValue(result)}`,
      'look at the job queue (gnt-job list) before anything is submitted again',
    );
  }
  return answer.data.map(([isTaken, what]) => (isTaken ? { id: what } : { refusal: quoteValue(what) }));
}

const CELL = z.tuple([z.int(), z.unknown()]);
const QUEUED = z.object({ data: z.array(z.tuple([z.tuple([z.literal(0), JOB_ID]), CELL], CELL)) });
/** As much of an opcode as tells the mark. */
const MARKED = z.object({ reason: z.array(z.array(z.unknown())) });

/** What is asked of the queue to find marked jobs. */
export const MARK_FIELDS = ['id', 'ops'];
/** The same of the archive, too: the master reads it for whoever asks for this field. */
export const ARCHIVE_FIELDS = [...MARK_FIELDS, 'archived'];

/**
 * Ids of the jobs in the queue that carry one of the marks.
 * @param result the answer to a Query about jobs, with MARK_FIELDS or ARCHIVE_FIELDS
 * @throws BackendError when it is none
 */
export function findMarked(result: unknown, marks: ReadonlySet<string>): ReadonlyMap<string, number> {
  const queue = z.safeParse(QUEUED, result);
  if (!queue.success) throw new BackendError('the master lists its jobs in an unknown form');
  const found = new Map<string, number>();
  for (const [[, id], [, ops]] of queue.data.data) {
    const first = z.safeParse(MARKED, Array.isArray(ops) ? ops[0] : undefined);
    for (const [source, text] of first.success ? first.data.reason : []) {
      if (source === MARK_SOURCE && typeof text === 'string' && marks.has(text)) found.set(text, id);
    }
  }
  return found;
}
