/** Rows of resource providers. */
import type { Session } from '../../store/store.ts';

export interface ProviderRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  /** 1: an instance can run on it; 0: a pool. */
  readonly can_host: number;
  readonly parent_id: number | null;
  readonly root_id: number;
}

const COLUMNS = 'id, uuid, name, generation, can_host, parent_id, root_id';

export const providerByUuid = (session: Session, uuid: string): Promise<ProviderRow | undefined> =>
  session.get(`SELECT ${COLUMNS} FROM resource_providers WHERE uuid = ?`, [uuid]);

export const providerByName = (session: Session, name: string): Promise<ProviderRow | undefined> =>
  session.get(`SELECT ${COLUMNS} FROM resource_providers WHERE name = ?`, [name]);

/** The provider that a user means: its name, or else its UUID. */
export const findProvider = async (session: Session, nameOrUuid: string): Promise<ProviderRow | undefined> =>
  (await providerByName(session, nameOrUuid)) ?? (await providerByUuid(session, nameOrUuid.toLowerCase()));

/** All providers, by name. */
export const allProviders = (session: Session): Promise<readonly ProviderRow[]> =>
  session.all(`SELECT ${COLUMNS} FROM resource_providers ORDER BY name`);

export const childrenOf = (session: Session, id: number): Promise<readonly ProviderRow[]> =>
  session.all(`SELECT ${COLUMNS} FROM resource_providers WHERE parent_id = ? ORDER BY name`, [id]);

/** The provider and all below it. */
export const subtreeIds = async (session: Session, id: number): Promise<readonly number[]> => {
  const rows = await session.all<{ id: number }>(
    `WITH RECURSIVE below (id) AS (
       SELECT id FROM resource_providers WHERE id = ?
       UNION ALL SELECT p.id FROM resource_providers p JOIN below ON p.parent_id = below.id)
     SELECT id FROM below`,
    [id],
  );
  return rows.map((row) => row.id);
};

/** The compare-and-update: whether the provider still had `generation`, and now has the next. */
export const raiseGeneration = async (
  session: Session,
  id: number,
  generation: number,
  at: number,
): Promise<boolean> =>
  (await session.run(
    'UPDATE resource_providers SET generation = generation + 1, updated_at = ? WHERE id = ? AND generation = ?',
    [at, id, generation],
  )) === 1;

/** Whether the provider still has `generation`: from then on its row is this writer's. */
export const holdGeneration = async (session: Session, id: number, generation: number): Promise<boolean> =>
  (await session.run(
    'UPDATE resource_providers SET generation = generation WHERE id = ? AND generation = ?',
    [id, generation],
  )) === 1;

/** Puts a generation back that was raised only to hold the provider's row. */
export const setGeneration = (session: Session, id: number, generation: number): Promise<number> =>
  session.run('UPDATE resource_providers SET generation = ? WHERE id = ?', [generation, id]);
