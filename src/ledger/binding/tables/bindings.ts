/** Rows of bindings. They end, and are never removed. */
import type { Session, SqlValue } from '../../store/store.ts';
import {
  type Affinity,
  affinityText,
  type Binding,
  type BindingReason,
  parseAffinity,
} from '../model/pod.ts';

const COLUMNS = `id, tenant, pod_id AS "podId", az, affinity, start_at AS "startAt", end_at AS "endAt",
  expires_at AS "expiresAt", reason, end_reason AS "endReason", actor, generation`;

async function bindingsWhere(
  session: Session,
  which: string,
  values: readonly SqlValue[],
): Promise<readonly Binding[]> {
  type Row = Omit<Binding, 'affinity'> & { readonly affinity: string };
  const rows = await session.all<Row>(`SELECT ${COLUMNS} FROM bindings WHERE ${which}`, values);
  return rows.map((row) => ({ ...row, affinity: parseAffinity(row.affinity) }));
}

type Bindings = Promise<readonly Binding[]>;

/** A tenant's current bindings for an affinity, whatever the zone. */
export const currentOf = (session: Session, tenant: string, affinity: Affinity): Bindings =>
  bindingsWhere(session, 'tenant = ? AND affinity = ? AND end_at IS NULL ORDER BY id', [
    tenant,
    affinityText(affinity),
  ]);

export const currentOfTenants = (session: Session, tenants: readonly string[]): Bindings =>
  bindingsWhere(session, 'tenant IN_TEXTS(?) AND end_at IS NULL ORDER BY id', [tenants]);

/** The current bindings to a pod behind a row id, in their order: a piece of a list that may be long. */
export const currentIn = (
  session: Session,
  podId: number,
  after = 0,
  limit = Number.MAX_SAFE_INTEGER,
): Bindings =>
  bindingsWhere(session, 'pod_id = ? AND end_at IS NULL AND id > ? ORDER BY id LIMIT ?', [
    podId,
    after,
    limit,
  ]);

export const endedByMaintenance = (session: Session, podId: number, since: number): Bindings =>
  bindingsWhere(session, "pod_id = ? AND end_reason = 'maintenance' AND end_at >= ? ORDER BY id", [
    podId,
    since,
  ]);

export const dueBindings = (session: Session, at: number): Bindings =>
  bindingsWhere(session, 'end_at IS NULL AND expires_at IS NOT NULL AND expires_at <= ? ORDER BY id', [at]);

/** The last `limit` bindings of a tenant, newest first, in front of a row id. */
export const pastOf = (
  session: Session,
  tenant: string,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Bindings =>
  bindingsWhere(session, 'tenant = ? AND id < ? ORDER BY id DESC LIMIT ?', [tenant, before, limit]);

/** Number of tenants that are bound to each of these pods; pods without any are left out. */
export async function tenantCounts(
  session: Session,
  podIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await session.all<{ pod_id: number; count: number }>(
    'SELECT pod_id, COUNT(*) AS count FROM bindings WHERE pod_id IN_NUMBERS(?) AND end_at IS NULL GROUP BY pod_id',
    [podIds],
  );
  return new Map(rows.map((row) => [row.pod_id, row.count]));
}

export const isEverBound = async (session: Session, podId: number): Promise<boolean> =>
  (await session.get('SELECT id FROM bindings WHERE pod_id = ? LIMIT 1', [podId])) !== undefined;

/** When the last of a tenant's bindings for a zone and affinity ended; 0 when none has. */
export async function lastEnd(
  session: Session,
  { tenant, az, affinity }: Pick<Binding, 'tenant' | 'az' | 'affinity'>,
): Promise<number> {
  const row = await session.get<{ last: number | null }>(
    'SELECT MAX(end_at) AS last FROM bindings WHERE tenant = ? AND affinity = ? AND az = ?',
    [tenant, affinityText(affinity), az],
  );
  return row?.last ?? 0;
}

export async function insertBinding(session: Session, binding: Omit<Binding, 'id'>): Promise<number> {
  const row = await session.get<{ id: number }>(
    `INSERT INTO bindings (tenant, pod_id, az, affinity, start_at, end_at, expires_at, reason, end_reason, actor, generation)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [
      binding.tenant,
      binding.podId,
      binding.az,
      affinityText(binding.affinity),
      binding.startAt,
      binding.endAt,
      binding.expiresAt,
      binding.reason,
      binding.endReason,
      binding.actor,
      binding.generation,
    ],
  );
  return row!.id;
}

/** @returns whether it was still current */
export const endBinding = async (
  session: Session,
  id: number,
  at: number,
  reason: BindingReason,
): Promise<boolean> =>
  (await session.run('UPDATE bindings SET end_at = ?, end_reason = ? WHERE id = ? AND end_at IS NULL', [
    at,
    reason,
    id,
  ])) === 1;
