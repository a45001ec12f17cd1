/** What became of instances in one run: plain data, for the writers. */
import type { OtherJob } from '../../ganeti/jobs/others-jobs.ts';
import type { Damage } from '../../planners/maintain/repair/damage.ts';
import type { RepairState } from '../../planners/maintain/repair/repair-state.ts';
import type { RepairPolicy } from '../../planners/maintain/repair/repair-tags.ts';

/** Why nothing is done about an instance with which not all is well. */
export type LeftAlone =
  | 'not-enabled'
  | 'suspended'
  | 'not-permitted'
  | 'failed-before'
  | 'pending'
  | 'busy'
  | 'no-repair'
  | 'out-of-time'
  | 'stopped';

/** One thing done about an instance: with `--dry-run`, what would be. */
export interface RepairChange {
  readonly what: 'settled' | 'repair' | 'not-permitted';
  readonly addedTag: string;
  readonly removedTags: readonly string[];
}

/** An instance and what became of it in this run. */
export interface InstanceRepair {
  /** Position in the snapshot. */
  readonly instance: number;
  readonly policy: RepairPolicy;
  readonly damage: Damage | undefined;
  readonly current: RepairState;
  readonly changes: readonly RepairChange[];
  readonly left: LeftAlone | undefined;
  /** A job about the instance that has not ended, when that is why nothing was done. */
  readonly job?: OtherJob;
}
