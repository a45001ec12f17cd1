/** Giving a custom class another name, as the Placement interface allowed up to 1.6. */
import type { Session } from '../../store/store.ts';
import { type ChangeContext, type HistoryEntry, writeHistory } from '../tables/history.ts';
import { nameView } from './name-views.ts';

interface HolderRow {
  readonly id: number;
  readonly name: string;
}

/** The history names every provider that has the class, so that whoever follows it looks at them again. */
export async function renameClass(
  session: Session,
  context: ChangeContext,
  name: string,
  newName: string,
): Promise<'renamed' | 'unknown' | 'taken'> {
  if (!(await nameView(session, 'resource_classes', name))) return 'unknown';
  if (name !== newName && (await nameView(session, 'resource_classes', newName))) return 'taken';
  const holders = await session.all<HolderRow>(
    `SELECT p.id, p.name FROM resource_classes c JOIN inventories i ON i.class_id = c.id
       JOIN resource_providers p ON p.id = i.provider_id WHERE c.name = ? ORDER BY p.id`,
    [name],
  );
  await session.run('UPDATE resource_classes SET name = ?, updated_at = ? WHERE name = ?', [
    newName,
    context.at,
    name,
  ]);
  const entry = {
    action: 'class-set',
    generation: null,
    consumer: null,
    project: null,
    before: name,
    after: newName,
  };
  const entries: HistoryEntry[] = holders.map(({ id, name: providerName }) => ({
    ...entry,
    provider: { id, name: providerName },
  }));
  await writeHistory(session, context, entries.length > 0 ? entries : [{ ...entry, provider: null }]);
  return 'renamed';
}
