/** Rows of resource providers, and their traits and aggregates. */
import type { Session } from '../../store/store.ts';
import { canonicalUuid } from '../model/names.ts';

export interface StoredProvider {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  /** 1: an instance can run on it; 0: a pool. */
  readonly canHost: number;
  /** UUIDs; the root's own root is itself. */
  readonly parent: string | null;
  readonly root: string;
  readonly rootId: number;
  readonly updatedAt: number;
}

type Found = Promise<StoredProvider | undefined>;
type AllFound = Promise<readonly StoredProvider[]>;

const SELECT = `SELECT p.id, p.uuid, p.name, p.generation, p.can_host AS "canHost", q.uuid AS parent, r.uuid AS root,
    p.root_id AS "rootId", p.updated_at AS "updatedAt"
  FROM resource_providers p LEFT JOIN resource_providers q ON q.id = p.parent_id
    LEFT JOIN resource_providers r ON r.id = p.root_id`;

export const providerByUuid = (session: Session, uuid: string): Found =>
  session.get(`${SELECT} WHERE p.uuid = ?`, [uuid]);

export const providerByName = (session: Session, name: string): Found =>
  session.get(`${SELECT} WHERE p.name = ?`, [name]);

/** The provider that a user means: its name, or else its UUID (one from elsewhere may lack the dashes). */
export const findProvider = async (session: Session, nameOrUuid: string): Found =>
  (await providerByName(session, nameOrUuid)) ??
  (await providersOf(session, [canonicalUuid(nameOrUuid), nameOrUuid.toLowerCase()]))[0];

export const allProviders = (session: Session): AllFound => session.all(`${SELECT} ORDER BY p.name`);

export const providersOf = (session: Session, uuids: readonly string[]): AllFound =>
  session.all(`${SELECT} WHERE p.uuid IN_TEXTS(?) ORDER BY p.name`, [uuids]);

export const childrenOf = (session: Session, id: number): AllFound =>
  session.all(`${SELECT} WHERE p.parent_id = ? ORDER BY p.name`, [id]);

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

/** PostgreSQL lets one at a time hold this. */
const TREES = 4_816_230_518;

/**
 * One at a time makes, moves or removes providers: two that have not seen each other could put providers
 * below each other, and an import would meet some that were not there when it read the others.
 */
export async function holdTrees(session: Session): Promise<void> {
  if (session.dialect === 'postgres') await session.get('SELECT pg_advisory_xact_lock(?)', [TREES]);
}

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
