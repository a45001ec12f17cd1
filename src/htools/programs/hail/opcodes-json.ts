/** Evacuation moves as jobs. */

import type { AnswerValue } from '../../../kit/json/ascii-json.ts';
import type { Instance, Snapshot } from '../../cluster/snapshot.ts';
import {
  FAILOVER_AND_REPLACE,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../model/moves/kinds.ts';
import { failOver, migrate, replaceDisks } from '../../plan/opcodes.ts';
import type { EvacuationMove } from '../../planners/evacuate/outcome.ts';

/** One job: the opcodes of each move. Instances that are only reserved fail over, since nothing runs yet. */
export function jobOf(snapshot: Snapshot, instance: Instance, moves: readonly EvacuationMove[]): AnswerValue {
  const change = (node?: string): AnswerValue =>
    instance.isForthcoming ? failOver(instance.name, node) : migrate(instance.name, node);
  return moves.flatMap(({ kind, target }): AnswerValue[] => {
    const node = snapshot.nodes[target]?.name;
    const replace = (): AnswerValue => replaceDisks(instance.name, node!);
    switch (kind) {
      case REPLACE_SECONDARY:
        return [replace()];
      case FAILOVER_AND_REPLACE:
        return [change(), replace()];
      case REPLACE_AND_FAILOVER:
        return [replace(), change()];
      case REPLACE_PRIMARY:
        return [change(), replace(), change()];
      default:
        return [change(node)];
    }
  });
}
