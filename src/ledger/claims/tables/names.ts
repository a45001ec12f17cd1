/** Numbers of names: classes, traits, aggregates, projects, users and kinds of consumers. */
import { insertRows, whereOf } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';

/** Tables that give a name a number: the column that holds the name, and those that hold when it was made. */
const TABLES = {
  resource_classes: ['name', 'created_at', 'updated_at'],
  traits: ['name', 'created_at', 'updated_at'],
  aggregates: ['uuid', 'created_at'],
  projects: ['external_id'],
  users: ['external_id'],
  consumer_types: ['name'],
} as const;

/** What the interface of Placement makes and removes by name. */
export type NamedTable = 'resource_classes' | 'traits';

type NameTable = keyof typeof TABLES;

interface NameRow {
  readonly id: number;
  readonly name: string;
}

/** Numbers of those of `names` that the table has. */
export async function idsOf(
  session: Session,
  table: NameTable,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const [column] = TABLES[table];
  const rows = await session.all<NameRow>(
    `SELECT id, ${column} AS name FROM ${table} WHERE ${column} IN_TEXTS(?)`,
    [[...new Set(names)]],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Makes the missing ones, in one order for all writers. @param at ms since 1970. @returns all numbers. */
export async function ensureIds(
  session: Session,
  table: NameTable,
  names: readonly string[],
  at: number,
): Promise<ReadonlyMap<string, number>> {
  const [column, ...stamps] = TABLES[table];
  const rows = [...new Set(names)].sort().map((name) => [name, ...stamps.map(() => at)]);
  await insertRows(session, `${table} (${[column, ...stamps].join(', ')})`, rows, {
    onConflict: 'ON CONFLICT DO NOTHING',
  });
  return idsOf(session, table, names);
}

export async function allNames(session: Session, table: NameTable): Promise<readonly string[]> {
  const [column] = TABLES[table];
  const rows = await session.all<NameRow>(`SELECT ${column} AS name FROM ${table} ORDER BY ${column}`);
  return rows.map(({ name }) => name);
}

/** A class or trait as the Placement interface shows it. */
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
