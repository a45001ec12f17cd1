/** A move as the opcodes of a job. Source: the stock programs' jobs; gnt-instance(8). */
import type { Instance } from '../cluster/snapshot.ts';
import { forbidsMigration } from '../cluster/tags/tags.ts';
import { FAILOVER_TO_ANY, type MoveKind, REPLACE_SECONDARY, SINGLE_CHANGES } from '../model/moves/kinds.ts';
import { failOver, migrate, type Opcode, replaceDisks } from './opcodes.ts';

/**
 * One for each single change, in order; an instance that is only reserved fails over, since nothing runs yet,
 * and so does one whose tag forbids to migrate it.
 * @param target name of the node that the kind of move has
 * @param isEscape whether the primary cannot be reached, which only a failover leaves
 */
export function moveOpcodes(
  instance: Pick<Instance, 'name' | 'isForthcoming' | 'tags'>,
  kind: MoveKind,
  target: string | undefined,
  isEscape = false,
): readonly Opcode[] {
  const { name, isForthcoming } = instance;
  const back = isForthcoming || forbidsMigration(instance) ? failOver : migrate;
  const first = SINGLE_CHANGES[kind].findIndex((change) => change !== REPLACE_SECONDARY);
  return SINGLE_CHANGES[kind].map((change, at) => {
    if (change === REPLACE_SECONDARY) return replaceDisks(name, target!);
    const changeOver = isEscape && at === first ? failOver : back;
    return changeOver(name, change === FAILOVER_TO_ANY ? target : undefined);
  });
}
