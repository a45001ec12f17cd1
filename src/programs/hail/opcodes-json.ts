/** Moves as the opcodes of Ganeti's jobs, in the members and order of the stock hail (byte contract). */
import type { Instance, Snapshot } from '../../cluster/snapshot.ts';
import { REPLACE_SECONDARY } from '../../model/moves/kinds.ts';
import type { EvacuationMove } from '../../planners/evacuate/outcome.ts';
import type { AnswerValue } from '../../stock/json-value.ts';

/** Ganeti's own default for the time an instance gets to shut down. */
const SHUTDOWN_TIMEOUT_SECONDS = 120;

function replaceDisks(instance: string, node: string): AnswerValue {
  return {
    OP_ID: 'OP_INSTANCE_REPLACE_DISKS',
    instance_name: instance,
    early_release: false,
    ignore_ipolicy: false,
    mode: 'replace_new_secondary',
    disks: [],
    remote_node: node,
  };
}

function migrate(instance: string, target: { readonly target_node?: string }): AnswerValue {
  return {
    OP_ID: 'OP_INSTANCE_MIGRATE',
    instance_name: instance,
    ...target,
    allow_runtime_changes: false,
    ignore_ipolicy: false,
    cleanup: false,
    allow_failover: true,
    ignore_hvversions: true,
  };
}

function failOver(instance: string, target: { readonly target_node?: string }): AnswerValue {
  return {
    OP_ID: 'OP_INSTANCE_FAILOVER',
    instance_name: instance,
    shutdown_timeout: SHUTDOWN_TIMEOUT_SECONDS,
    ignore_consistency: false,
    ...target,
    ignore_ipolicy: false,
    cleanup: false,
  };
}

/** One job: the opcode of each move. Instances that are only reserved fail over, since nothing runs yet. */
export const jobOf = (
  snapshot: Snapshot,
  instance: Instance,
  moves: readonly EvacuationMove[],
): AnswerValue =>
  moves.map(({ kind, target }) => {
    const node = snapshot.nodes[target]?.name;
    if (kind === REPLACE_SECONDARY) return replaceDisks(instance.name, node!);
    const destination = node === undefined ? {} : { target_node: node };
    return instance.isForthcoming
      ? failOver(instance.name, destination)
      : migrate(instance.name, destination);
  });
