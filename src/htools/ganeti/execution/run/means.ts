/** What an execution uses, whom it tells, and what it may be told. */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { OtherJob } from '../../jobs/others-jobs.ts';
import type { Signature } from '../../jobs/submission.ts';
import type { ExecutionReport, JobFact } from '../job-facts.ts';
import type { Journal } from '../journal-file.ts';
import type { MasterLine } from '../master-line.ts';
import type { InstanceJob, WorkSet } from '../work.ts';

export type Ending = Pick<ExecutionReport, 'outcome' | 'changes' | 'gone' | 'fault'>;

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
  readonly parallel: number;
  readonly onSubmitted: (ids: readonly number[]) => void;
  readonly onEnded: (fact: JobFact) => void;
  readonly onWaiting: (facts: readonly JobFact[]) => void;
  /** Called once when something else has to be waited for. */
  readonly onDelay: (why: Delay) => void;
}

/** Jobs of others, instances that a job would start, jobs that may be on their way, or a node that starts. */
export type Delay =
  | { readonly others: readonly OtherJob[] }
  | { readonly down: readonly string[] }
  | { readonly lost: number }
  | { readonly starting: string; readonly seconds: number };

/**
 * A new job gets its number once each master candidate has been told, or has had five minutes for it (source:
 * the time limit of Ganeti's RPC for the job queue), and then stands in the queue.
 */
export const QUEUE_SECONDS = 310;

/** Whether only what is under way is brought to its end. */
export const isEnding = ({ isLast, isStopRequested }: ExecutionMeans): boolean =>
  isLast === true || isStopRequested();
