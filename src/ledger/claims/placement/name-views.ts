/** Classes and traits as the Placement interface shows them. */
import { whereOf } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';
import type { NamedTable } from '../tables/names.ts';

export interface NameView {
  readonly name: string;
  /** Milliseconds since 1970; 0 for the standard ones, which were always there. */
  readonly updatedAt: number;
}

export const nameView = (session: Session, table: NamedTable, name: string): Promise<NameView | undefined> =>
  session.get<NameView>(`SELECT name, updated_at AS "updatedAt" FROM ${table} WHERE name = ?`, [name]);

interface NameFilter {
  readonly names?: readonly string[];
  /** Of traits: 1 for those that some provider has, 0 for the others. */
  readonly isAssociated?: 0 | 1 | undefined;
}

const IS_ASSOCIATED =
  'CASE WHEN EXISTS (SELECT 1 FROM provider_traits l WHERE l.trait_id = n.id) THEN 1 ELSE 0 END = ?';

/** By name. */
export function nameViews(
  session: Session,
  table: NamedTable,
  { names, isAssociated }: NameFilter = {},
): Promise<readonly NameView[]> {
  const { where, values } = whereOf({ 'n.name IN_TEXTS(?)': names, [IS_ASSOCIATED]: isAssociated });
  return session.all<NameView>(
    `SELECT n.name, n.updated_at AS "updatedAt" FROM ${table} n ${where} ORDER BY n.name`,
    values,
  );
}
