/** A move as the opcodes of a job. Source: the stock programs' jobs; gnt-instance(8). */
import type { Instance } from '../cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../model/moves/kinds.ts';
import { failOver, migrate, type Opcode, replaceDisks } from './opcodes.ts';

/**
 * In order; an instance that is only reserved fails over, since nothing runs yet.
 * @param target name of the node that the kind of move has
 * @param isEscape whether the primary cannot be reached, which only a failover leaves
 */
export function moveOpcodes(
  { name, isForthcoming }: Pick<Instance, 'name' | 'isForthcoming'>,
  kind: MoveKind,
  target: string | undefined,
  isEscape = false,
): readonly Opcode[] {
  const back = isForthcoming ? failOver : migrate;
  const leave = isEscape ? failOver : back;
  const replace = (): Opcode => replaceDisks(name, target!);
  switch (kind) {
    case FAILOVER:
      return [leave(name)];
    case FAILOVER_TO_ANY:
      return [leave(name, target)];
    case REPLACE_SECONDARY:
      return [replace()];
    case REPLACE_AND_FAILOVER:
      return [replace(), leave(name)];
    case REPLACE_PRIMARY:
      return [leave(name), replace(), back(name)];
    case FAILOVER_AND_REPLACE:
      return [leave(name), replace()];
  }
}
