/** Classes and traits as the Placement interface shows them. */
import type { Session, SqlValue } from '../../store/store.ts';
import type { NamedTable } from '../tables/names.ts';

export interface NameView {
  readonly name: string;
  /** Milliseconds since 1970; 0 for the standard ones, which were always there. */
  readonly updatedAt: number;
}

export const nameView = (session: Session, table: NamedTable, name: string): Promise<NameView | undefined> =>
  session.get<NameView>(`SELECT name, updated_at AS "updatedAt" FROM ${table} WHERE name = ?`, [name]);

export const nameViews = (session: Session, table: NamedTable): Promise<readonly NameView[]> =>
  session.all<NameView>(`SELECT name, updated_at AS "updatedAt" FROM ${table} ORDER BY name`);

interface TraitFilter {
  readonly names?: readonly string[] | undefined;
  readonly prefix?: string | undefined;
  /** Whether some provider has it. */
  readonly isAssociated?: boolean | undefined;
}

export async function traitViews(session: Session, filter: TraitFilter): Promise<readonly NameView[]> {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  if (filter.names) {
    conditions.push('t.name IN_TEXTS(?)');
    values.push(filter.names);
  }
  if (filter.prefix !== undefined) {
    conditions.push('substr(t.name, 1, ?) = ?');
    values.push(filter.prefix.length, filter.prefix);
  }
  if (filter.isAssociated !== undefined)
    conditions.push(
      `${filter.isAssociated ? '' : 'NOT '}EXISTS (SELECT 1 FROM provider_traits l WHERE l.trait_id = t.id)`,
    );
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return session.all<NameView>(
    `SELECT t.name, t.updated_at AS "updatedAt" FROM traits t ${where} ORDER BY t.name`,
    values,
  );
}
