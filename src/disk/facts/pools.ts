/** A laid out node as a node with storage pools: each container is one, as large as what it contains. */
import type { DocumentOf } from '../../kit/results/members.ts';
import type { pool } from '../results/hdisk.ts';
import type { LaidOut } from './node-layout.ts';
import { spaceTotals } from './space-totals.ts';

export type NodePool = DocumentOf<typeof pool>;

/** In the order of the schema. */
export function nodePools(outcome: LaidOut): readonly NodePool[] {
  const totals = new Map(spaceTotals(outcome).map((total) => [total.space.id, total]));
  return outcome.containers.map(({ id, members }) => {
    const own = members.flatMap((member) => totals.get(member) ?? []);
    const size = own.reduce((sum, total) => sum + total.size / (total.space.copies ?? 1), 0);
    return { pool: `internal/${id}`, size, spaces: own.map(({ space }) => space.id) };
  });
}
