/** Numbers of names: classes, traits, aggregates, projects, users and kinds of consumers. */
import { insertRows } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';

/** Tables that give a name a number, and the column that holds the name. */
const NAME_COLUMNS = {
  resource_classes: 'name',
  traits: 'name',
  aggregates: 'uuid',
  projects: 'external_id',
  users: 'external_id',
  consumer_types: 'name',
} as const;

/** What the interface of Placement makes and removes by name. */
export type NamedTable = 'resource_classes' | 'traits';

type NameTable = keyof typeof NAME_COLUMNS;

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
  const column = NAME_COLUMNS[table];
  const rows = await session.all<NameRow>(
    `SELECT id, ${column} AS name FROM ${table} WHERE ${column} IN_TEXTS(?)`,
    [[...new Set(names)]],
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Tables of names that come into being with the first consumer that has them. */
export type OwnerTable = 'projects' | 'users' | 'consumer_types';

/** Columns that hold when a name was made. */
const STAMPS: Readonly<Record<NameTable, readonly string[]>> = {
  resource_classes: ['created_at', 'updated_at'],
  traits: ['created_at', 'updated_at'],
  aggregates: ['created_at'],
  projects: [],
  users: [],
  consumer_types: [],
};

/**
 * Makes those of `names` that are missing, in one order for all writers.
 * @param at milliseconds since 1970.
 * @returns the numbers of all `names`.
 */
export async function ensureIds(
  session: Session,
  table: NameTable,
  names: readonly string[],
  at: number,
): Promise<ReadonlyMap<string, number>> {
  const stamps = STAMPS[table];
  await insertRows(
    session,
    `${table} (${[NAME_COLUMNS[table], ...stamps].join(', ')})`,
    [...new Set(names)].sort().map((name) => [name, ...stamps.map(() => at)]),
    { onConflict: 'ON CONFLICT DO NOTHING' },
  );
  return idsOf(session, table, names);
}

/** All names of the table, sorted. */
export async function allNames(session: Session, table: NameTable): Promise<readonly string[]> {
  const column = NAME_COLUMNS[table];
  const rows = await session.all<NameRow>(`SELECT ${column} AS name FROM ${table} ORDER BY ${column}`);
  return rows.map(({ name }) => name);
}
