/**
 * The commands of a relocation. They differ from those of hbal where a step starts on an offline node: only a failover
 * leaves one, and whether the instance runs afterwards is known to Ganeti alone, which `--allow-failover` leaves it.
 * Source: gnt-instance(8), failover, migrate, replace-disks.
 */
import { InternalError } from '../../../cluster/faults.ts';
import type { Instance, Snapshot } from '../../../cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
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
  if (start.nodes[step.fromPrimary]!.isOffline) return 'failover -f';
  if (isUnknown(instance)) return 'migrate -f --allow-failover';
  return migratesLive(instance) ? 'migrate -f' : 'failover -f';
}

function stepCommands(start: Snapshot, step: PlanStep): string[] {
  const instance = start.instances[step.instance]!;
  const change = `gnt-instance ${changeOfPrimary(start, step)}`;
  const name = shellWord(instance.alias);
  const nameOf = (node: number): string => shellWord(start.nodes[node]!.alias);
  const replace = (): string => `gnt-instance replace-disks -n ${nameOf(step.toSecondary)} ${name}`;
  switch (step.kind) {
    case FAILOVER:
      return [`${change} ${name}`];
    case FAILOVER_TO_ANY:
      return [`${change} -n ${nameOf(step.toPrimary)} ${name}`];
    case REPLACE_SECONDARY:
      return [replace()];
    case FAILOVER_AND_REPLACE:
      return [`${change} ${name}`, replace()];
    default:
      throw new InternalError(`a relocation has a step of kind ${step.kind}, which no relocation needs`);
  }
}

/** The command lines of a relocation, in order. */
export const relocationCommands = (start: Snapshot, { steps }: Relocation): string[] =>
  steps.flatMap((step) => stepCommands(start, step));
