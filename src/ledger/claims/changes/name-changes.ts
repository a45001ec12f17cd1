/** Custom classes and traits. */
import type { Session } from '../../store/store.ts';
import { type ChangeContext, writeHistory } from '../tables/history.ts';
import type { NamedTable } from '../tables/names.ts';

const ACTIONS = { resource_classes: 'class', traits: 'trait' } as const;
const USES = {
  resource_classes: 'SELECT 1 AS found FROM inventories WHERE class_id = ? LIMIT 1',
  traits: 'SELECT 1 AS found FROM provider_traits WHERE trait_id = ? LIMIT 1',
} as const;

/**
 * Makes a class or trait.
 * @returns false when there was one of that name.
 * @param name a custom name (see isCustomName).
 */
export async function addName(
  session: Session,
  context: ChangeContext,
  table: NamedTable,
  name: string,
): Promise<boolean> {
  const added = await session.run(
    `INSERT INTO ${table} (name, created_at, updated_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING`,
    [name, context.at, context.at],
  );
  if (added === 0) return false;
  await writeHistory(session, context, [{ action: `${ACTIONS[table]}-add`, after: name }]);
  return true;
}

/** Removes a class or trait that nobody uses. Standard names are for the caller to protect. */
export async function removeName(
  session: Session,
  context: ChangeContext,
  table: NamedTable,
  name: string,
): Promise<'removed' | 'unknown' | 'in-use'> {
  const row = await session.get<{ id: number }>(`SELECT id FROM ${table} WHERE name = ?`, [name]);
  if (row === undefined) return 'unknown';
  if (await session.get(USES[table], [row.id])) return 'in-use';
  if (table === 'resource_classes')
    await session.run('DELETE FROM owner_totals WHERE class_id = ?', [row.id]);
  await session.run(`DELETE FROM ${table} WHERE id = ?`, [row.id]);
  await writeHistory(session, context, [{ action: `${ACTIONS[table]}-rm`, before: name }]);
  return 'removed';
}
