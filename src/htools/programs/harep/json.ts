/** harep's `--json` document. */

import { SCHEMA_VERSION } from '../../../kit/report/json.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { RepairRecord } from '../../planners/maintain/repair/repair-tags.ts';
import type { harep } from '../../results/harep.ts';
import type { InstanceRepair } from './repair-facts.ts';

const recordJson = ({ type, id, time, jobs, result, tag }: RepairRecord) => ({
  type,
  id,
  time,
  jobs,
  result: result ?? null,
  tag,
});

/** Times in seconds since 1970. */
export function repairJson(
  { instances, nodes }: Snapshot,
  repairs: readonly InstanceRepair[],
  isDryRun: boolean,
): DocumentOf<typeof harep> {
  const count = (state: string): number => repairs.filter(({ current }) => current.state === state).length;
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'harep',
    isDryRun,
    counts: {
      healthy: count('healthy'),
      failed: count('failed'),
      pending: count('pending'),
      'needs-repair': count('needs-repair'),
    },
    instances: repairs.map(({ instance, policy, damage, current, changes, left }) => ({
      instance: instances[instance]!.name,
      state: current.state,
      record: current.record ? recordJson(current.record) : null,
      allowed:
        policy.kind === 'enabled'
          ? { kind: policy.kind, upTo: policy.upTo }
          : policy.kind === 'suspended'
            ? { kind: policy.kind, until: policy.until ?? null }
            : { kind: policy.kind },
      damage: damage
        ? {
            offlineNodes: damage.offline.map((n) => nodes[n]!.name),
            repair: damage.repair?.type ?? null,
            opcodes: damage.repair?.opcodes ?? [],
          }
        : null,
      changes,
      leftAlone: left ?? null,
    })),
  };
}
