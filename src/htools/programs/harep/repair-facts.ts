/** What became of instances in one run: plain data, for the writers. */
import { documentHead } from '../../../kit/report/json.ts';
import type { OtherJob } from '../../ganeti/jobs/others-jobs.ts';
import type { damageOf } from '../../planners/maintain/repair/damage.ts';
import type { TaggedState } from '../../planners/maintain/repair/repair-state.ts';
import type { ProgramDocument } from '../../results/all.ts';
import type { Repaired } from '../../results/harep.ts';

export type LeftAlone = NonNullable<Repaired['leftAlone']>;
export type RepairChange = Repaired['changes'][number];

export interface InstanceRepair
  extends TaggedState,
    Pick<Repaired, 'instance' | 'allowed' | 'changes' | 'leftAlone'> {
  readonly damage: ReturnType<typeof damageOf>;
  readonly diskTemplate: string;
  /** A job about the instance that has not ended, when that is why nothing was done. */
  readonly job?: OtherJob;
}

/** The document of `--json`. Times in seconds since 1970. */
export function repairJson(
  repairs: readonly InstanceRepair[],
  isDryRun: boolean,
  why: string | undefined,
): ProgramDocument<'harep'> {
  const count = (state: string): number => repairs.filter(({ current }) => current.state === state).length;
  return {
    ...documentHead('harep'),
    isDryRun,
    why: why === undefined ? [] : [why],
    counts: {
      healthy: count('healthy'),
      failed: count('failed'),
      pending: count('pending'),
      'needs-repair': count('needs-repair'),
    },
    instances: repairs.map(({ instance, current, allowed, damage, changes, leftAlone }) => ({
      instance,
      state: current.state,
      record: current.record ?? null,
      allowed,
      damage,
      changes,
      leftAlone,
    })),
  };
}
