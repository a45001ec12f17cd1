/** Rows of bindings. They end, and are never removed. */
import type { Session } from '../../store/store.ts';
import { type Affinity, affinityText, parseAffinity } from '../model/affinity.ts';
import type { Binding, BindingReason } from '../model/pod.ts';

interface BindingRow {
  readonly id: number;
  readonly tenant: string;
  readonly pod_id: number;
  readonly az: string;
  readonly affinity: string;
  readonly start_at: number;
  readonly end_at: number | null;
  readonly expires_at: number | null;
  readonly reason: BindingReason;
  readonly end_reason: BindingReason | null;
  readonly actor: string;
  readonly generation: number;
}

const COLUMNS =
  'id, tenant, pod_id, az, affinity, start_at, end_at, expires_at, reason, end_reason, actor, generation';

const bindingOf = (row: BindingRow): Binding => ({
  id: row.id,
  tenant: row.tenant,
  podId: row.pod_id,
  az: row.az,
  affinity: parseAffinity(row.affinity),
  startAt: row.start_at,
  endAt: row.end_at,
  expiresAt: row.expires_at,
  reason: row.reason,
  endReason: row.end_reason,
  actor: row.actor,
  generation: row.generation,
});

/** A tenant's current bindings for an affinity, whatever the zone. */
export const currentOf = async (
  session: Session,
  tenant: string,
  affinity: Affinity,
): Promise<readonly Binding[]> =>
  (
    await session.all<BindingRow>(
      `SELECT ${COLUMNS} FROM bindings WHERE tenant = ? AND affinity = ? AND end_at IS NULL ORDER BY id`,
      [tenant, affinityText(affinity)],
    )
  ).map(bindingOf);

/** All current bindings of a tenant. */
export const allCurrentOf = async (session: Session, tenant: string): Promise<readonly Binding[]> =>
  (
    await session.all<BindingRow>(
      `SELECT ${COLUMNS} FROM bindings WHERE tenant = ? AND end_at IS NULL ORDER BY id`,
      [tenant],
    )
  ).map(bindingOf);

/** All current bindings of several tenants. */
export const currentOfTenants = async (
  session: Session,
  tenants: readonly string[],
): Promise<readonly Binding[]> =>
  (
    await session.all<BindingRow>(
      `SELECT ${COLUMNS} FROM bindings WHERE tenant IN_TEXTS(?) AND end_at IS NULL ORDER BY id`,
      [tenants],
    )
  ).map(bindingOf);

/** The current bindings to a pod behind a row id, in their order: a piece of a list that may be long. */
export const currentIn = async (
  session: Session,
  podId: number,
  after = 0,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<readonly Binding[]> =>
  (
    await session.all<BindingRow>(
      `SELECT ${COLUMNS} FROM bindings WHERE pod_id = ? AND end_at IS NULL AND id > ? ORDER BY id LIMIT ?`,
      [podId, after, limit],
    )
  ).map(bindingOf);

/** Bindings that maintenance of a pod ended at or after a time. */
export const endedByMaintenance = async (
  session: Session,
  podId: number,
  since: number,
): Promise<readonly Binding[]> =>
  (
    await session.all<BindingRow>(
      `SELECT ${COLUMNS} FROM bindings WHERE pod_id = ? AND end_reason = 'maintenance' AND end_at >= ? ORDER BY id`,
      [podId, since],
    )
  ).map(bindingOf);

/** Current bindings whose time is over. */
export const dueBindings = async (session: Session, at: number): Promise<readonly Binding[]> =>
  (
    await session.all<BindingRow>(
      `SELECT ${COLUMNS} FROM bindings WHERE end_at IS NULL AND expires_at IS NOT NULL AND expires_at <= ? ORDER BY id`,
      [at],
    )
  ).map(bindingOf);

/** The last `limit` bindings of a tenant, newest first, in front of a row id. */
export const pastOf = async (
  session: Session,
  tenant: string,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<readonly Binding[]> =>
  (
    await session.all<BindingRow>(
      `SELECT ${COLUMNS} FROM bindings WHERE tenant = ? AND id < ? ORDER BY id DESC LIMIT ?`,
      [tenant, before, limit],
    )
  ).map(bindingOf);

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

/** @returns the new row's id */
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
