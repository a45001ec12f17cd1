/** Evacuation moves as jobs. */

import type { AnswerValue } from '../../../kit/json/ascii-json.ts';
import type { Instance, Snapshot } from '../../cluster/snapshot.ts';
import { REPLACE_SECONDARY } from '../../model/moves/kinds.ts';
import { failOver, migrate, replaceDisks } from '../../plan/opcodes.ts';
import type { EvacuationMove } from '../../planners/evacuate/outcome.ts';

/** One job: the opcode of each move. Instances that are only reserved fail over, since nothing runs yet. */
export const jobOf = (
  snapshot: Snapshot,
  instance: Instance,
  moves: readonly EvacuationMove[],
): AnswerValue =>
  moves.map(({ kind, target }) => {
    const node = snapshot.nodes[target]?.name;
    if (kind === REPLACE_SECONDARY) return replaceDisks(instance.name, node!);
    return instance.isForthcoming ? failOver(instance.name, node) : migrate(instance.name, node);
  });
