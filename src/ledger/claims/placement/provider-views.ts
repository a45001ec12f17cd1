/** Providers as the Placement interface shows them. */
import type { Session } from '../../store/store.ts';

export interface ProviderView {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  /** UUIDs; the root's own root is itself. */
  readonly parent: string | null;
  readonly root: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

const SELECT = `SELECT p.id, p.uuid, p.name, p.generation, q.uuid AS parent, r.uuid AS root, p.updated_at AS "updatedAt"
  FROM resource_providers p JOIN resource_providers r ON r.id = p.root_id LEFT JOIN resource_providers q ON q.id = p.parent_id`;

export const providerView = (session: Session, uuid: string): Promise<ProviderView | undefined> =>
  session.get<ProviderView>(`${SELECT} WHERE p.uuid = ?`, [uuid]);

/** Those of `uuids` that exist, by name. */
export const providerViews = (session: Session, uuids: readonly string[]): Promise<readonly ProviderView[]> =>
  session.all<ProviderView>(`${SELECT} WHERE p.uuid IN_TEXTS(?) ORDER BY p.name`, [uuids]);
