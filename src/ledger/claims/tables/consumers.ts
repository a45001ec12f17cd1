/** Rows of consumers with their allocations. */
import { kept } from '../../../kit/kept.ts';
import type { Session } from '../../store/store.ts';
import type { Amounts, End, Ending } from '../model/ends.ts';

/** Who a consumer belongs to; null where nothing is stated. */
export type Owner = Readonly<Record<'project' | 'user' | 'type', string | null>>;

/** Numbers of an owner's names; 0 for none. */
export type OwnerIds = Readonly<Record<keyof Owner, number>>;

export interface Held extends Ending {
  readonly providerId: number;
  readonly classId: number;
}

export interface StoredConsumer extends Owner {
  readonly id: number;
  readonly uuid: string;
  readonly ownerIds: OwnerIds;
  readonly generation: number;
  /** What a cluster has of it until a move that was claimed is made; null: none was. */
  readonly movingFrom: Amounts | null;
  /** By provider and class. */
  readonly held: readonly Held[];
}

interface ConsumerRow {
  readonly id: number;
  readonly uuid: string;
  readonly generation: number;
  readonly moving_from: string | null;
  readonly project_id: number | null;
  readonly user_id: number | null;
  readonly type_id: number | null;
  readonly project: string | null;
  readonly owner: string | null;
  readonly type: string | null;
  readonly provider_id: number | null;
  readonly class_id: number | null;
  readonly used: number | null;
  readonly end_at: number | null;
  readonly end_amount: number | null;
}

const SELECT = `SELECT k.id, k.uuid, k.generation, k.moving_from, k.project_id, k.user_id, k.type_id,
    p.external_id AS project, u.external_id AS owner, t.name AS type, a.provider_id, a.class_id, a.used,
    e.expires_at AS end_at, e.amount AS end_amount
  FROM consumers k LEFT JOIN projects p ON p.id = k.project_id LEFT JOIN users u ON u.id = k.user_id
    LEFT JOIN consumer_types t ON t.id = k.type_id LEFT JOIN allocations a ON a.consumer_id = k.id
    LEFT JOIN allocation_ends e ON e.consumer_id = a.consumer_id AND e.provider_id = a.provider_id AND e.class_id = a.class_id`;

const ORDER = 'ORDER BY k.uuid, a.provider_id, a.class_id, e.expires_at';

function toConsumers(rows: readonly ConsumerRow[]): Map<string, StoredConsumer> {
  type Holding = Omit<Held, 'ends'> & { readonly ends: End[] };
  const found = new Map<string, Omit<StoredConsumer, 'held'> & { readonly held: Holding[] }>();
  for (const row of rows) {
    const consumer = kept(found, row.uuid, () => ({
      id: row.id,
      uuid: row.uuid,
      project: row.project,
      user: row.owner,
      type: row.type,
      ownerIds: { project: row.project_id ?? 0, user: row.user_id ?? 0, type: row.type_id ?? 0 },
      generation: row.generation,
      movingFrom: row.moving_from === null ? null : JSON.parse(row.moving_from),
      held: [],
    }));
    if (row.provider_id === null) continue;
    let holding = consumer.held.at(-1);
    if (holding?.providerId !== row.provider_id || holding.classId !== row.class_id) {
      holding = { providerId: row.provider_id, classId: row.class_id!, used: row.used!, ends: [] };
      consumer.held.push(holding);
    }
    if (row.end_at !== null) holding.ends.push({ at: row.end_at, amount: row.end_amount! });
  }
  return found;
}

/** Those of `uuids` that exist. */
export const consumersOf = async (
  session: Session,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, StoredConsumer>> =>
  toConsumers(await session.all<ConsumerRow>(`${SELECT} WHERE k.uuid IN_TEXTS(?) ${ORDER}`, [uuids]));

export const allConsumers = async (session: Session): Promise<ReadonlyMap<string, StoredConsumer>> =>
  toConsumers(await session.all<ConsumerRow>(`${SELECT} ${ORDER}`));
