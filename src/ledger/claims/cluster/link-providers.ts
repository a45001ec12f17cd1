/** Trees of providers whose rows have just been entered. */
import type { Session } from '../../store/store.ts';
import type { ProviderImage } from './image.ts';

/** @param providers parents first. @param columns of parent and root. @returns all numbers by UUID. */
export async function linkProviders(
  session: Pick<Session, 'all' | 'run'>,
  providers: Iterable<Pick<ProviderImage, 'uuid' | 'parent'>>,
  columns: { readonly parent: string; readonly root: string },
): Promise<ReadonlyMap<string, number>> {
  const rows = await session.all<{ id: number; uuid: string }>('SELECT id, uuid FROM resource_providers');
  const ids = new Map(rows.map(({ id, uuid }) => [uuid, id]));
  await session.run(`UPDATE resource_providers SET ${columns.root} = id`);
  const roots = new Map<string, number>();
  for (const { uuid, parent } of providers) {
    roots.set(uuid, parent === null ? ids.get(uuid)! : roots.get(parent)!);
    if (parent !== null)
      await session.run(
        `UPDATE resource_providers SET ${columns.parent} = ?, ${columns.root} = ? WHERE id = ?`,
        [ids.get(parent)!, roots.get(uuid)!, ids.get(uuid)!],
      );
  }
  return ids;
}
