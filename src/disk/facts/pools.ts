/** A laid out node as a node with storage pools: each container is one, as large as what it contains. */
import type { LaidOut } from './node-layout.ts';
import { spaceTotals } from './space-totals.ts';

export interface NodePool {
  /** `internal/` and the container's id: on the node's own disks. */
  readonly pool: string;
  /** Sum of the spaces in it, in the unit of the disks; a space in copies counts once. */
  readonly size: number;
  readonly spaces: readonly string[];
}

/** In the order of the schema. */
export function nodePools(outcome: LaidOut): readonly NodePool[] {
  const totals = new Map(spaceTotals(outcome).map((total) => [total.space.id, total]));
  return outcome.containers.map(({ id, members }) => {
    const own = members.flatMap((member) => totals.get(member) ?? []);
    const size = own.reduce((sum, total) => sum + total.size / (total.space.copies ?? 1), 0);
    return { pool: `internal/${id}`, size, spaces: own.map(({ space }) => space.id) };
  });
}
