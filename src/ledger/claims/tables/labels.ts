/** Traits and aggregates of providers, as they stand. */
import type { Session } from '../../store/store.ts';

export interface Aggregate {
  readonly uuid: string;
  /** For people: the node group's name, for aggregates that came from a cluster; null: nobody named it. */
  readonly name: string | null;
}

export const TRAITS = 'provider_traits l JOIN traits t ON t.id = l.trait_id';
export const AGGREGATES = 'provider_aggregates l JOIN aggregates a ON a.id = l.aggregate_id';

export const traitsOf = async (session: Session, providerId: number): Promise<readonly string[]> => {
  const rows = await session.all<{ name: string }>(
    `SELECT t.name FROM ${TRAITS} WHERE l.provider_id = ? ORDER BY t.name`,
    [providerId],
  );
  return rows.map(({ name }) => name);
};

export const aggregatesOf = (session: Session, providerId: number): Promise<readonly Aggregate[]> =>
  session.all(`SELECT a.uuid, a.name FROM ${AGGREGATES} WHERE l.provider_id = ? ORDER BY a.uuid`, [
    providerId,
  ]);
