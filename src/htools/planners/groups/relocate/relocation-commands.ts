/**
 * The commands of a relocation. As hbal does, an instance that runs is migrated, also off a node that is
 * drained or offline by option. Where nobody knows whether it runs, only a failover leaves an offline node,
 * and what becomes of it afterwards is known to Ganeti alone, which `--allow-failover` leaves it. Source:
 * gnt-instance(8), failover, migrate, replace-disks.
 */
import type { Instance, Snapshot } from '../../../cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import { migratesLive } from '../../../plan/commands.ts';
import type { PlanStep } from '../../../plan/plan.ts';
import { shellWord } from '../../../plan/shell-word.ts';
import type { Relocation } from './relocation.ts';

/** States in which nobody knows whether the instance should run. */
const isUnknown = ({ status }: Instance): boolean =>
  status === 'ERROR_nodeoffline' || status === 'ERROR_nodedown' || status === 'ERROR_wrongnode';

function changeOfPrimary(start: Snapshot, step: PlanStep): string {
  const instance = start.instances[step.instance]!;
  if (migratesLive(instance)) return 'migrate -f';
  const isKnown = !isUnknown(instance) || start.nodes[step.fromPrimary]!.isOffline;
  return isKnown ? 'failover -f' : 'migrate -f --allow-failover';
}

function stepCommands(start: Snapshot, step: PlanStep): string[] {
  const instance = start.instances[step.instance]!;
  const change = `gnt-instance ${changeOfPrimary(start, step)}`;
  const name = shellWord(instance.alias);
  const nameOf = (node: number): string => shellWord(start.nodes[node]!.alias);
  const replace = (node: number): string => `gnt-instance replace-disks -n ${nameOf(node)} ${name}`;
  switch (step.kind) {
    case FAILOVER:
      return [`${change} ${name}`];
    case FAILOVER_TO_ANY:
      return [`${change} -n ${nameOf(step.toPrimary)} ${name}`];
    case REPLACE_SECONDARY:
      return [replace(step.toSecondary)];
    case FAILOVER_AND_REPLACE:
      return [`${change} ${name}`, replace(step.toSecondary)];
    case REPLACE_AND_FAILOVER:
      return [replace(step.toPrimary), `${change} ${name}`];
    case REPLACE_PRIMARY: {
      // The secondary runs it in between, and that one is online.
      const back = changeOfPrimary(start, { ...step, fromPrimary: step.fromSecondary });
      return [`${change} ${name}`, replace(step.toPrimary), `gnt-instance ${back} ${name}`];
    }
  }
}

/** The command lines of a relocation, in order. */
export const relocationCommands = (start: Snapshot, { steps }: Relocation): string[] =>
  steps.flatMap((step) => stepCommands(start, step));
