/** Rows of consumers with their allocations. */
import { kept } from '../../../kit/kept.ts';
import type { Session } from '../../store/store.ts';
import type { Amounts, End, Ending } from '../model/ends.ts';

/** Who a consumer belongs to; null where nothing is stated. */
export type Owner = Readonly<Record<'project' | 'user' | 'type', string | null>>;

/** Numbers of an owner's names; 0 for none. */
export type OwnerIds = Readonly<Record<keyof Owner, number>>;

/** What is held of one class of a provider. */
export interface Held extends Ending {
  readonly providerId: number;
  readonly classId: number;
  readonly class: string;
}

/** The same with the provider's names. */
export interface Holding extends Held {
  /** UUID of the provider. */
  readonly provider: string;
  readonly providerName: string;
  /** Number of the root of its tree. */
  readonly root: number;
}

export interface StoredConsumer extends Owner {
  readonly id: number;
  readonly uuid: string;
  readonly ownerIds: OwnerIds;
  readonly generation: number;
  /** What a cluster has of it until a move that was claimed is made; null: none was. */
  readonly movingFrom: Amounts | null;
  /** By provider and class. */
  readonly held: readonly Holding[];
}

/** One an end, or an allocation without; of a consumer without allocations one. */
type Row = Omit<StoredConsumer, 'ownerIds' | 'movingFrom' | 'held'> &
  Omit<Holding, 'providerId' | 'ends'> & {
    readonly movingFrom: string | null;
    readonly projectId: number | null;
    readonly userId: number | null;
    readonly typeId: number | null;
    readonly providerId: number | null;
    readonly endAt: number | null;
    readonly endAmount: number;
  };

/** The members of Owner, and where they come from behind `consumers k`. */
export const OWNER_COLUMNS = 'p.external_id AS project, u.external_id AS "user", t.name AS type';
export const OWNERS = `LEFT JOIN projects p ON p.id = k.project_id LEFT JOIN users u ON u.id = k.user_id
    LEFT JOIN consumer_types t ON t.id = k.type_id`;

const SELECT = `SELECT k.id, k.uuid, k.generation, k.moving_from AS "movingFrom", k.project_id AS "projectId",
    k.user_id AS "userId", k.type_id AS "typeId", ${OWNER_COLUMNS}, a.provider_id AS "providerId", a.class_id AS "classId", r.uuid AS provider, r.name AS "providerName", r.root_id AS root,
    c.name AS class, a.used, e.expires_at AS "endAt", e.amount AS "endAmount"
  FROM consumers k ${OWNERS} LEFT JOIN allocations a ON a.consumer_id = k.id
    LEFT JOIN resource_providers r ON r.id = a.provider_id LEFT JOIN resource_classes c ON c.id = a.class_id
    LEFT JOIN allocation_ends e ON e.consumer_id = a.consumer_id AND e.provider_id = a.provider_id AND e.class_id = a.class_id
  WHERE k.uuid IN_TEXTS(?) ORDER BY k.uuid, a.provider_id, a.class_id, e.expires_at`;

export async function consumersOf(
  session: Session,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, StoredConsumer>> {
  const found = new Map<string, Omit<StoredConsumer, 'held'> & { readonly held: Holding[] }>();
  let ends: End[] = [];
  for (const row of await session.all<Row>(SELECT, [uuids])) {
    const { id, uuid, project, user, type, generation, movingFrom } = row;
    const { held } = kept(found, uuid, () => ({
      id,
      uuid,
      project,
      user,
      type,
      ownerIds: { project: row.projectId ?? 0, user: row.userId ?? 0, type: row.typeId ?? 0 },
      generation,
      movingFrom: movingFrom === null ? null : JSON.parse(movingFrom),
      held: [],
    }));
    const { providerId, classId, endAt } = row;
    if (providerId === null) continue;
    const last = held.at(-1);
    if (last?.providerId !== providerId || last.classId !== classId) {
      const { provider, providerName, root, class: className, used } = row;
      ends = [];
      held.push({ providerId, classId, provider, providerName, root, class: className, used, ends });
    }
    if (endAt !== null) ends.push({ at: endAt, amount: row.endAmount });
  }
  return found;
}

export const byNames = (held: readonly Holding[]): readonly Holding[] =>
  held.toSorted((a, b) => compared(a.providerName, b.providerName) || compared(a.class, b.class));

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
