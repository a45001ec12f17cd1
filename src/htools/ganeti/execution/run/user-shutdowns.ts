/**
 * Instances that were shut down from inside, which the watcher has not noted yet: Ganeti takes them for up.
 * As it cannot migrate them it fails them over, and that would start them. Source: ganeti-watcher(8).
 */
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { queriedByName } from '../../jobs/power.ts';
import type { MasterLine } from '../master-line.ts';
import { isNodeJob, type WorkSet } from '../work.ts';

/** Names of those that jobs bring to another node, noted or not. Pure. */
export function shutDownByUsers({ instances }: Snapshot, jobs: WorkSet): readonly string[] {
  const down = new Set(instances.filter(({ status }) => status === 'USER_down').map(({ name }) => name));
  return jobs.flatMap((job) =>
    !isNodeJob(job) &&
    down.has(job.instance) &&
    job.opcodes.some(({ OP_ID }) => OP_ID !== 'OP_INSTANCE_REPLACE_DISKS')
      ? [job.instance]
      : [],
  );
}

/** Those of them that Ganeti takes for up. */
export async function notNoted(master: MasterLine, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const states = queriedByName(await master.ask('Query', ['instance', ['name', 'admin_state'], null]));
  return names.filter((name) => states.get(name) === 'up');
}
