/** Where the instances of a round really go, whatever happened on the way. */
import { NO_NODE, type Snapshot } from '../../../cluster/snapshot.ts';
import { hasSecondary } from '../../../cluster/templates.ts';
import type { Placement } from './clear-nodes.ts';

/**
 * The instances whose placement differs from the start, ascending. One whose two nodes only changed places
 * has not moved. Source: the moves that hroller(1) prints with --print-moves.
 */
export function changedPlacements(start: Snapshot, moves: readonly Placement[]): readonly Placement[] {
  const last = new Map(moves.map((move) => [move.instance, move]));
  return [...last.values()]
    .filter(({ instance, primary, secondary }) => {
      const { primary: p, secondary: s } = start.instances[instance]!;
      const isSwapped = s !== NO_NODE && primary === s && secondary === p;
      return !(isSwapped || (primary === p && secondary === s));
    })
    .map((move) =>
      // A record may name a secondary where the disks have none.
      hasSecondary(start.instances[move.instance]!.diskTemplate) ? move : { ...move, secondary: NO_NODE },
    )
    .sort((a, b) => a.instance - b.instance);
}
