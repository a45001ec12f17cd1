/** harep's `--json` document. */
import { documentHead } from '../../../kit/report/json.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { harep } from '../../results/harep.ts';
import type { InstanceRepair } from './repair-facts.ts';

/** Times in seconds since 1970. */
export function repairJson(repairs: readonly InstanceRepair[], isDryRun: boolean): DocumentOf<typeof harep> {
  const count = (state: string): number => repairs.filter(({ current }) => current.state === state).length;
  return {
    ...documentHead('harep'),
    isDryRun,
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
