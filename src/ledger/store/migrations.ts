/**
 * Schemas that grow: numbered steps, forward only, each in a transaction, after a copy of the database but
 * for the first. Components (ledger, pods) count their steps in one database.
 */
import { existsSync } from 'node:fs';
import { ExecutionError } from '../../kit/faults.ts';
import { openStore } from './open-store.ts';
import type { FileStore, Session, Store } from './store.ts';
import { takeUnused } from './unused-name.ts';

/** One step of a schema. Once released, it is never changed: a later step mends it. */
export interface Migration {
  readonly version: number;
  /** Statements in the words of dialect.ts, parted by `;`. */
  readonly schema: string;
  /** Rows that belong to the schema, such as standard names. */
  readonly fill?: (session: Session) => Promise<void>;
}

/** The tables of one part of the suite. */
export interface Component {
  readonly name: string;
  /** What makes its tables. */
  readonly madeBy: string;
  /** Sorted by version, from 1 without gaps. */
  readonly migrations: readonly Migration[];
}

export interface MigrationReport {
  readonly from: number;
  readonly to: number;
  /** Files (SQLite) or schemas (PostgreSQL) that hold what was before. */
  readonly backups: readonly string[];
}

const VERSIONS = `CREATE TABLE IF NOT EXISTS schema_versions (
  component {text} NOT NULL PRIMARY KEY, version {integer} NOT NULL) {table}`;

/** Processes would get in each other's way at the first table; PostgreSQL lets one at a time hold this. */
const LOCK = 4_816_230_517;

/** All tables that the component ever had: what a backup copies on PostgreSQL. */
const tablesOf = ({ migrations }: Component): readonly string[] =>
  migrations.flatMap(({ schema }) => Array.from(schema.matchAll(/CREATE TABLE (\w+)/g), ([, name]) => name!));

export const newest = ({ migrations }: Component): number => migrations.at(-1)!.version;

/** Version of the component's tables; 0 when it has none. */
export async function schemaVersion(store: Store, component: Component): Promise<number> {
  return store.read(async (session) => {
    if (!(await hasTable(session, 'schema_versions'))) return 0;
    return versionIn(session, component);
  });
}

async function hasTable(session: Session, table: string): Promise<boolean> {
  const catalogue =
    session.dialect === 'sqlite'
      ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?"
      : 'SELECT c.relname FROM pg_class c WHERE c.oid = to_regclass(?)';
  return (await session.get(catalogue, [table])) !== undefined;
}

async function versionIn(session: Session, component: Component): Promise<number> {
  const row = await session.get<{ version: number }>(
    'SELECT version FROM schema_versions WHERE component = ?',
    [component.name],
  );
  return row?.version ?? 0;
}

/** @throws {ExecutionError} when its tables are newer, older or missing. */
export async function requireSchema(store: Store, component: Component): Promise<void> {
  const version = await schemaVersion(store, component);
  refuseNewer(store, component, version);
  if (version === 0)
    throw new ExecutionError(
      `${store.name}: there are no tables of ${component.name}`,
      store.dialect === 'sqlite'
        ? `make them with ${component.madeBy}`
        : `make them with ${component.madeBy}; if there is a ledger, check search_path and whether the user may see its schema (GRANT USAGE)`,
    );
  if (version < newest(component))
    throw new ExecutionError(
      `${store.name}: the tables of ${component.name} have version ${version}, this program needs ${newest(component)}`,
      `renew them with ${component.madeBy}; it makes a backup first`,
    );
}

/** Closes the store where what is done with it first fails. */
export async function closedOnFault<T>(store: Store, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** @throws a Fault when it is not there, is none, or has tables of another version. */
export async function openTables(url: string, component: Component): Promise<Store> {
  const store = await openStore(url);
  await closedOnFault(store, () => requireSchema(store, component));
  return store;
}

/** Makes the component's tables, or brings them up to date. @param at milliseconds since 1970. */
export async function initTables(
  url: string,
  component: Component,
  at: number,
): Promise<{ readonly store: Store; readonly report: MigrationReport }> {
  const store = await openStore(url, { isMade: true });
  return { store, report: await closedOnFault(store, () => migrate(store, component, at)) };
}

/**
 * The store, which refuses changes when the tables are of another version by now: another program brought
 * them up to date, or put back a backup. Asked with the transaction's first statement.
 */
export const onKnownTables = (store: Store, component: Component): Store => ({
  dialect: store.dialect,
  name: store.name,
  ...(store.file === undefined ? {} : { file: store.file }),
  read: (work) => store.read(work),
  write: (work, isKept) =>
    store.write(async (session) => {
      const [version, done] = await Promise.allSettled([versionIn(session, component), work(session)]);
      if (version.status === 'rejected') throw version.reason;
      if (version.value !== newest(component))
        throw new ExecutionError(
          `${store.name}: the tables of ${component.name} have version ${version.value} by now, and this program works with ${newest(component)}; nothing was changed`,
          'end this program, and start the one that has changed the tables',
        );
      if (done.status === 'rejected') throw done.reason;
      return done.value;
    }, isKept),
  close: () => store.close(),
});

/** A moment in the names of backups, to the second. @param at milliseconds since 1970. */
export const stampOf = (at: number): string =>
  new Date(at)
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');

/** @throws {ExecutionError} when the tables are of a version that this program does not know. */
export function refuseNewer(store: Store, component: Component, version: number): void {
  if (version > newest(component))
    throw new ExecutionError(
      `${store.name}: the tables of ${component.name} have version ${version}, and this program knows ${newest(component)} at most`,
      'use the newer Evenkeel that made them',
    );
}

/** Also where several processes do it at once. @param at tells backups apart */
export async function migrate(store: Store, component: Component, at: number): Promise<MigrationReport> {
  const stamp = stampOf(at);
  await store.file?.prepare();
  await store.write(async (session) => {
    if (session.dialect === 'postgres') await session.get('SELECT pg_advisory_xact_lock(?)', [LOCK]);
    await session.script(VERSIONS);
  });
  const from = await schemaVersion(store, component);
  refuseNewer(store, component, from);
  const backups: string[] = [];
  for (const migration of component.migrations.filter(({ version }) => version > from)) {
    // Of new tables there is nothing to keep.
    if (from > 0 && store.file) {
      const name = `${store.name}.${component.name}-${migration.version - 1}.${stamp}`;
      backups.push(await takeUnused(name, '.', (candidate) => backedUp(store.file!, candidate)));
    }
    const backup = await store.write((session) =>
      step(session, component, migration, from > 0 ? stamp : undefined),
    );
    if (backup !== undefined) backups.push(backup);
  }
  return { from, to: newest(component), backups };
}

/** One step. @param stamp of the backup; undefined: none @returns the schema of the former tables, if any */
async function step(
  session: Session,
  component: Component,
  migration: Migration,
  stamp: string | undefined,
): Promise<string | undefined> {
  // Waits for changes that have seen the former version, and lets none see it any more (`onKnownTables`).
  if (session.dialect === 'postgres')
    await session.script('LOCK TABLE schema_versions IN ACCESS EXCLUSIVE MODE');
  // Another process may have been quicker.
  if ((await versionIn(session, component)) >= migration.version) return undefined;
  let backup: string | undefined;
  if (stamp !== undefined && session.dialect === 'postgres') {
    const name = `evenkeel_${component.name}_${migration.version - 1}_${stamp.replace(/\W/g, '_')}`;
    backup = await takeUnused(name, '_', (candidate) => isNoSchema(session, candidate));
    await session.script(`CREATE SCHEMA ${backup}`);
    for (const table of tablesOf(component))
      if (await hasTable(session, table))
        await session.script(`CREATE TABLE ${backup}.${table} AS TABLE ${table}`);
  }
  await session.script(migration.schema);
  await migration.fill?.(session);
  await session.run(
    'INSERT INTO schema_versions (component, version) VALUES (?, ?) ON CONFLICT (component) DO UPDATE SET version = excluded.version',
    [component.name, migration.version],
  );
  return backup;
}

const isNoSchema = async (session: Session, name: string): Promise<boolean> =>
  (await session.get('SELECT 1 AS found FROM pg_namespace WHERE nspname = ?', [name])) === undefined;

/** Whether a backup was made under this name; not where there is such a file already. */
async function backedUp(file: FileStore, name: string): Promise<boolean> {
  if (existsSync(name)) return false;
  try {
    await file.backUp(name);
    return true;
  } catch (error) {
    // Another process made its own in between.
    if (existsSync(name)) return false;
    throw error;
  }
}
