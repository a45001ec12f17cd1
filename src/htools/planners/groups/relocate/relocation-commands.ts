/**
 * The commands of a relocation. As hbal does, an instance that runs is migrated, also off a node that is
 * drained or offline by option. Where nobody knows whether it runs, only a failover leaves an offline node,
 * and what becomes of it afterwards is known to Ganeti alone, which `--allow-failover` leaves it. Source:
 * gnt-instance(8), failover, migrate, replace-disks.
 */
import type { Instance, Snapshot } from '../../../cluster/snapshot.ts';
import { forbidsMigration } from '../../../cluster/tags/tags.ts';
import { commandsBy, migratesLive } from '../../../plan/commands.ts';
import type { Relocation } from './relocation.ts';

/** States in which nobody knows whether the instance should run. */
const UNKNOWN: readonly string[] = ['ERROR_nodeoffline', 'ERROR_nodedown', 'ERROR_wrongnode'];

function changeOfPrimary(instance: Instance, leavesOffline: boolean): string {
  if (migratesLive(instance)) return 'migrate -f';
  const isGanetisToKnow = UNKNOWN.includes(instance.status) && !leavesOffline && !forbidsMigration(instance);
  return isGanetisToKnow ? 'migrate -f --allow-failover' : 'failover -f';
}

/** The command lines of a relocation, in order. */
export const relocationCommands = (start: Snapshot, { steps }: Relocation): string[] =>
  steps.flatMap((step) => {
    // The secondary runs it between two changes.
    let runner = step.fromPrimary;
    return commandsBy(start, step, (instance) => {
      const verb = changeOfPrimary(instance, start.nodes[runner]!.isOffline);
      runner = step.fromSecondary;
      return verb;
    });
  });
