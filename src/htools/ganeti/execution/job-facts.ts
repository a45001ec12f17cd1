/** How far each job of an execution came. Pure. */
import type { Fault } from '../../../kit/faults.ts';
import type { JobLog, JobStatus } from '../jobs/job-status.ts';
import type { JobState } from './journal-lines.ts';
import type { Change } from './recheck.ts';
import { isNodeJob, type NodeJob, type Work, type WorkJob, type WorkStep } from './work.ts';

/** How an execution went; `broken` = neither the master nor the journal could be used any more. */
type Outcome = 'done' | 'stopped' | 'failed' | 'changed' | 'broken';

export interface JobFact {
  /** From 0. */
  readonly set: number;
  readonly job: number;
  readonly work: WorkJob;
  readonly state: JobState;
  /** As the queue told it last. */
  readonly status?: JobStatus;
  /** From its submission to the moment at which its end was seen, in this run. */
  readonly seconds?: number | undefined;
  /** Of a job that failed. */
  readonly log?: JobLog | undefined;
  /** Where the instance of a job that failed is now, as far as that is known. */
  readonly now?: WorkStep['from'] | undefined;
  /** That it runs elsewhere than Ganeti has it recorded. */
  readonly astray?: Change | undefined;
  /** Nodes of a power job that failed which are offline now. */
  readonly offline?: readonly string[];
}

/** The same while it is worked on. */
export type MutableFact = { -readonly [Member in keyof JobFact]: JobFact[Member] } & {
  /** Nodes of a power job that succeeded all the same. */
  unswitched?: readonly string[];
  /** By the time since the machine was started, which nobody sets. */
  submittedAt?: number;
  /** Of a node that starts: when it was given power. */
  poweredAt?: number;
  /** When it is asked next whether it is there. */
  askAt?: number | undefined;
  /** A former run may have sent it. */
  isDoubtful?: boolean;
};

export interface ExecutionReport {
  readonly outcome: Outcome;
  readonly jobs: readonly JobFact[];
  /** What stood against going on; empty unless the outcome is `changed`. */
  readonly changes: readonly Change[];
  /** Instances that were where they should be, and are there no more: gone, renamed or made anew. */
  readonly gone?: readonly string[];
  /** Why it did not come to its end, a sentence each; as in the journal. */
  readonly why: readonly string[];
  /** Which sets were not submitted as a whole, from 0. */
  readonly setsLeft: readonly number[];
  /** What ended it, where it is broken. */
  readonly fault?: Fault | undefined;
  /** The signal that asked for its end. */
  readonly signal?: NodeJS.Signals | undefined;
}

/** @param states how far a former run came, by set and job; empty for a new execution */
export const factsOf = (work: Work, states: readonly (readonly JobState[])[]): MutableFact[] =>
  work.sets.flatMap((set, s) =>
    set.map((one, j) => ({ set: s, job: j, work: one, state: states[s]?.[j] ?? { state: 'planned' } })),
  );

/** Whether nothing may be submitted behind such a job. */
export const isFailure = (state: JobState): boolean =>
  state.state === 'refused' || (state.state === 'ended' && state.status !== 'success');

export const isSuccess = (state: JobState): boolean => state.state === 'ended' && state.status === 'success';

export const isReboot = (work: WorkJob): work is NodeJob => isNodeJob(work) && work.action === 'reboot';

/** Whether a program starts the node anew, and no job in the queue. */
export const hasCommand = ({ work }: JobFact): boolean => isNodeJob(work) && work.command !== undefined;
