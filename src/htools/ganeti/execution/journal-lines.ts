/** Lines of a journal, a JSON object each: what was planned, was about to happen, happened. Pure. */
import * as z from 'zod/mini';
import { InputError } from '../../../kit/faults.ts';
import type { DeepReadonly } from '../../../kit/results/members.ts';
import { homesOf, isNodeJob, subjectOf, type Work, work } from './work.ts';

/** Raised when older programs could not go on from a journal. */
const JOURNAL_FORMAT = 1;

/** Numbers of a set and of a job in it, from 1. */
const PLACE = { set: z.int().check(z.positive()), job: z.int().check(z.positive()) };

/** When a line was written (ISO 8601). */
const STAMP = z.object({
  time: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'it is no moment')),
});

const LINE = z.discriminatedUnion('event', [
  z
    .object({
      event: z.literal('plan'),
      format: z.literal(JOURNAL_FORMAT),
      /** Makes the marks of this execution's jobs different from all others'. */
      run: z.string().check(z.minLength(1)),
      program: z.string(),
      cluster: z.string(),
      work,
      /** The cluster's score before the plan and after each set of it, where the program goes by that. */
      scores: z.optional(z.array(z.number())),
    })
    .check(
      z.refine(({ work, scores }) => (scores?.length ?? work.sets.length + 1) === work.sets.length + 1, {
        message: 'there is not one for each set, and one before them',
        path: ['scores'],
      }),
    ),
  /** Written before the job is sent: from here on it may be in the queue. */
  z.object({
    event: z.literal('submitting'),
    ...PLACE,
    /** Seconds since the machine was started. */
    since: z.optional(z.number()),
    /** Id of a job that was in the queue before: this one's is greater. */
    after: z.optional(z.int()),
    /** Of a reboot: what the node's system called itself before. */
    bootId: z.optional(z.string()),
  }),
  /** The master took none of the request. */
  z.object({ event: z.literal('unsent'), ...PLACE }),
  z.object({ event: z.literal('submitted'), ...PLACE, id: z.int() }),
  z.object({ event: z.literal('refused'), ...PLACE, why: z.string() }),
  z.object({ event: z.literal('ended'), ...PLACE, status: z.enum(['success', 'error', 'canceled']) }),
  /** How a run of the program left the execution, and why; another run may take it up again. */
  z.object({
    event: z.literal('left'),
    outcome: z.enum(['done', 'stopped', 'failed', 'changed', 'broken', 'held']),
    why: z.optional(z.array(z.string())),
  }),
]);

export type JournalLine = DeepReadonly<z.output<typeof LINE>>;
export type LeftLine = Extract<JournalLine, { event: 'left' }>;
type PlanLine = Extract<JournalLine, { event: 'plan' }>;

/** A line with its end, and the time at which it was written. */
export const journalLine = (line: JournalLine, time: string): string =>
  `${JSON.stringify({ time, ...line })}\n`;

export type JobState =
  | { readonly state: 'planned' }
  | {
      readonly state: 'submitting';
      readonly since?: number | undefined;
      readonly after?: number | undefined;
      readonly bootId?: string | undefined;
    }
  | { readonly state: 'submitted'; readonly id: number; readonly bootId?: string | undefined }
  | { readonly state: 'refused'; readonly why: string }
  | {
      readonly state: 'ended';
      readonly status: 'success' | 'error' | 'canceled';
      readonly id: number | undefined;
      readonly bootId?: string | undefined;
    };

export interface PlanState {
  readonly work: Work;
  /** By set and job, from 0. */
  readonly jobs: readonly (readonly JobState[])[];
}

export const jobsOf = ({ work, jobs }: PlanState) =>
  work.sets.flatMap((set, s) => set.map((job, j) => ({ job, state: jobs[s]![j]! })));

/** All plans of a journal, the one that counts last. */
export const plansOf = ({ earlier, plan, jobs }: JournalState): readonly PlanState[] => [
  ...earlier,
  { work: plan.work, jobs },
];

export interface JournalState {
  /** The plan that counts, which is the last. */
  readonly plan: PlanLine;
  readonly jobs: PlanState['jobs'];
  /** Plans that were gone on from in another way. */
  readonly earlier: readonly PlanState[];
  /** How the last run left it, and why; undefined while it is at it, or died. `held` = nothing was begun. */
  readonly outcome: LeftLine['outcome'] | undefined;
  readonly why: readonly string[];
  readonly began: string;
  readonly ended: string;
}

/** The text by which a job is found again in the queue. */
export const markOf = (run: string, set: number, job: number): string =>
  `${run} set ${set + 1} job ${job + 1}`;

function readLine(text: string, number: number, source: string): JournalLine & { readonly time: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const line = z.safeParse(LINE, value);
  const stamp = z.safeParse(STAMP, value);
  if (line.success && stamp.success) return { ...line.data, ...stamp.data };
  const issue = (line.error ?? stamp.error)!.issues[0];
  const why = value === undefined ? '' : `: ${issue?.message}`;
  const field = issue?.path.join('.') || undefined;
  throw refusal(source, number, `this is not a line of a journal${why}`, field);
}

/** A run whose last words are lost may have sent jobs of which nothing tells. */
const REMEDY =
  'give the file as --journal wrote it; where there is none any more, let its jobs end (gnt-job list) and run the command anew, without --resume';

const refusal = (source: string, line: number, problem: string, field?: string): InputError =>
  new InputError(source, [{ line, field, problem, remedy: REMEDY }]);

const stateAfter = (line: Exclude<JournalLine, { event: 'plan' | 'left' }>, before: JobState): JobState => {
  switch (line.event) {
    case 'submitting':
      return { state: 'submitting', since: line.since, after: line.after, bootId: line.bootId };
    case 'unsent':
      return { state: 'planned' };
    case 'submitted':
      return {
        state: 'submitted',
        id: line.id,
        bootId: before.state === 'submitting' ? before.bootId : undefined,
      };
    case 'refused':
      return { state: 'refused', why: line.why };
    case 'ended':
      return {
        state: 'ended',
        status: line.status,
        id: before.state === 'submitted' ? before.id : undefined,
        bootId: 'bootId' in before ? before.bootId : undefined,
      };
  }
};

/** Reads a journal. @param source its name @throws InputError when the text is none */
export function readJournal(text: string, source: string): JournalState {
  const texts = text.split('\n');
  if (texts.at(-1) === '') texts.pop();
  const lines = texts.map((one, at) => readLine(one, at + 1, source));
  const plans: { line: PlanLine; work: Work; jobs: JobState[][] }[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.event === 'plan') {
      const { work } = line;
      const astray = work.sets.flat().find((job) => !isNodeJob(job) && homesOf(job).from[0] === '');
      if (astray) throw refusal(source, at + 1, `${subjectOf(astray)} has no node`);
      plans.push({ line, work, jobs: work.sets.map((set) => set.map(() => ({ state: 'planned' }))) });
      continue;
    }
    const jobs = plans.at(-1)?.jobs;
    if (jobs === undefined) throw refusal(source, at + 1, 'a journal begins with the plan');
    if (line.event === 'left') continue;
    const before = jobs[line.set - 1]?.[line.job - 1];
    if (before === undefined)
      throw refusal(source, at + 1, `the plan has no job ${line.job} in set ${line.set}`);
    jobs[line.set - 1]![line.job - 1] = stateAfter(line, before);
  }
  const current = plans.pop();
  if (current === undefined) throw refusal(source, 1, 'a journal begins with the plan');
  const { line: plan, jobs } = current;
  const last = lines.at(-1)!;
  const [outcome, why = []] = last.event === 'left' ? [last.outcome, last.why] : [];
  return { plan, jobs, earlier: plans, outcome, why, began: lines[0]!.time, ended: last.time };
}

/** The first line for a new execution. */
export const planLine = (
  run: string,
  program: string,
  cluster: string,
  work: Work,
  scores?: readonly number[],
): PlanLine => ({
  event: 'plan',
  format: JOURNAL_FORMAT,
  run,
  program,
  cluster,
  work,
  ...(scores && { scores }),
});
