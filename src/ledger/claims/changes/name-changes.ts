/** Custom classes and traits. */
import type { Session } from '../../store/store.ts';
import { type ChangeContext, type HistoryEntry, writeHistory } from '../tables/history.ts';
import { type NamedTable, nameView } from '../tables/names.ts';

const ACTIONS = { resource_classes: 'class', traits: 'trait' } as const;
const USES = {
  resource_classes: 'SELECT 1 AS found FROM inventories WHERE class_id = ? LIMIT 1',
  traits: 'SELECT 1 AS found FROM provider_traits WHERE trait_id = ? LIMIT 1',
} as const;

/** Makes a class or trait. @param name a custom one @returns false when there was one of that name. */
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

interface HolderRow {
  readonly id: number;
  readonly name: string;
}

interface HeldRow extends HolderRow {
  readonly consumer: string;
  readonly project: string | null;
  /** By class, as JSON. */
  readonly amounts: string;
}

/** Renames a custom class, as Placement did up to 1.6; the history says it of each provider and consumer. */
export async function renameClass(
  session: Session,
  context: ChangeContext,
  name: string,
  newName: string,
): Promise<'renamed' | 'unknown' | 'taken'> {
  // Who has read a name may write it into the history: they come to an end first, and others wait.
  if (session.dialect === 'postgres')
    await session.script('LOCK TABLE resource_classes IN ACCESS EXCLUSIVE MODE');
  if (!(await nameView(session, 'resource_classes', name))) return 'unknown';
  if (name !== newName && (await nameView(session, 'resource_classes', newName))) return 'taken';
  await session.run('UPDATE resource_classes SET name = ?, updated_at = ? WHERE name = ?', [
    newName,
    context.at,
    name,
  ]);
  const holders = await session.all<HolderRow>(
    `SELECT p.id, p.name FROM resource_classes c JOIN inventories i ON i.class_id = c.id
       JOIN resource_providers p ON p.id = i.provider_id WHERE c.name = ? ORDER BY p.id`,
    [newName],
  );
  const held = await session.all<HeldRow>(
    `SELECT p.id, p.name, k.uuid AS consumer, o.external_id AS project, JSON_OBJECT(n.name, a.used) AS amounts
     FROM resource_classes c JOIN allocations h ON h.class_id = c.id
       JOIN allocations a ON a.consumer_id = h.consumer_id AND a.provider_id = h.provider_id
       JOIN resource_classes n ON n.id = a.class_id JOIN resource_providers p ON p.id = a.provider_id
       JOIN consumers k ON k.id = a.consumer_id LEFT JOIN projects o ON o.id = k.project_id
     WHERE c.name = ? GROUP BY p.id, p.name, k.uuid, o.external_id ORDER BY p.id, k.uuid`,
    [newName],
  );
  const entry = { action: 'class-set', before: name, after: newName };
  const entries: HistoryEntry[] = holders.map((provider) => ({ ...entry, provider }));
  for (const { consumer, project, amounts, ...provider } of held) {
    const { [newName]: amount, ...others } = JSON.parse(amounts);
    const before = { ...others, [name]: amount };
    entries.push({ ...entry, provider, consumer, project, before, after: { ...others, [newName]: amount } });
  }
  await writeHistory(session, context, entries.length > 0 ? entries : [entry]);
  return 'renamed';
}
