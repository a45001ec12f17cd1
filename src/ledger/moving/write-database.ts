/**
 * The way back: fills the empty database of a Placement, with all generations, in one transaction. Everything
 * is found by its name or UUID, so that it does not matter which numbers the database gives.
 */
import { ExecutionError } from '../../kit/faults.ts';
import type { LedgerImage } from '../claims/cluster/image.ts';
import { linkProviders } from '../claims/cluster/link-providers.ts';
import { isCustomName, isUuid, UNKNOWN_OWNER } from '../claims/model/names.ts';
import { SET_COLUMNS, setValues } from '../claims/tables/inventories.ts';
import { insertRows } from '../store/rows.ts';
import type { SqlValue } from '../store/store.ts';
import { requireTables } from './database.ts';
import type { Database, DatabaseSession } from './mysql.ts';

/** Placement keeps smaller numbers for the classes that it makes itself. */
const FIRST_CUSTOM_CLASS = 10_000;
type Ids = ReadonlyMap<string, number>;

interface Tables {
  readonly session: DatabaseSession;
  /** @param into `table (column, ...)`. @param rows with a value for each column. */
  insert(into: string, rows: readonly (readonly SqlValue[])[]): Promise<void>;
}

/** Placement looks at when things were made, and fails where only some of them say it. */
function stamped(session: DatabaseSession, at: number): Tables {
  const time = new Date(at).toISOString().slice(0, '2026-01-01T00:00:00'.length).replace('T', ' ');
  const insert: Tables['insert'] = (into, rows) =>
    insertRows(
      session,
      into.replace(/\)$/, ', created_at)'),
      rows.map((row) => [...row, time]),
    );
  return { session, insert };
}

/**
 * @param at the time, in milliseconds since 1970.
 * @throws {ExecutionError} when it is not empty, or was never used.
 */
export function writeDatabase(database: Database, image: LedgerImage, at: number): Promise<void> {
  requireUuids(image);
  return database.write(async (session) => {
    const tables = stamped(session, at);
    await requireTables(session, database.name);
    await requireEmpty(tables, database.name);
    const providers = [...image.providers.values()];
    const consumers = [...image.consumers.values()];
    const { class: classNames, trait: traitNames } = image.names!;
    const usedClasses = providers.flatMap(({ inventories }) => [...inventories.keys()]);
    const classes = await classIds(tables, database.name, neededNames(classNames, usedClasses));
    const providerIds = await writeProviders(tables, image);
    await tables.insert(
      `inventories (resource_provider_id, resource_class_id, ${SET_COLUMNS})`,
      providers.flatMap(({ uuid, inventories }) =>
        [...inventories].map(([name, one]) => [
          providerIds.get(uuid)!,
          classes.get(name)!,
          ...setValues(one).map(Number),
        ]),
      ),
    );
    const usedTraits = providers.flatMap((one) => one.traits);
    const traits = await ids(tables, 'traits', 'name', neededNames(traitNames, usedTraits));
    await tables.insert(
      'resource_provider_traits (resource_provider_id, trait_id)',
      providers.flatMap((one) => one.traits.map((name) => [providerIds.get(one.uuid)!, traits.get(name)!])),
    );
    const aggregates = await ids(
      tables,
      'placement_aggregates',
      'uuid',
      providers.flatMap((one) => one.aggregates.map(({ uuid }) => uuid)),
    );
    await tables.insert(
      'resource_provider_aggregates (resource_provider_id, aggregate_id)',
      providers.flatMap((one) =>
        one.aggregates.map(({ uuid }) => [providerIds.get(one.uuid)!, aggregates.get(uuid)!]),
      ),
    );
    await writeConsumers(tables, image);
    await tables.insert(
      'allocations (resource_provider_id, consumer_id, resource_class_id, used)',
      consumers.flatMap(({ consumer, allocations }) =>
        [...allocations].flatMap(([provider, amounts]) =>
          [...amounts].map(([name, used]) => [
            providerIds.get(provider)!,
            consumer,
            classes.get(name)!,
            used,
          ]),
        ),
      ),
    );
  });
}

/** @throws {ExecutionError} */
function requireUuids({ consumers }: LedgerImage): void {
  const others = [...consumers.keys()].filter((name) => !isUuid(name));
  if (others.length > 0)
    throw new ExecutionError(
      `Placement knows consumers by UUIDs only, and ${others.length} have other names, such as '${others[0]}'`,
      'give back what they have (hclaim release), or hand it to a UUID (hclaim move)',
    );
}

/** Names that somebody has, and those that users have made; standard ones Placement makes itself. */
const neededNames = (all: readonly string[], used: readonly string[]): readonly string[] => [
  ...new Set([...used, ...all.filter(isCustomName)]),
];

async function requireEmpty(tables: Tables, name: string): Promise<void> {
  for (const table of ['resource_providers', 'consumers', 'allocations']) {
    const [row] = await tables.session.all<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
    if (Number(row!.count) > 0)
      throw new ExecutionError(
        `${name} is not empty: it has ${row!.count} ${table.replace('_', ' ')}`,
        'make a new database, let placement-manage db sync make its tables, and start Placement on it once',
      );
  }
}

/** Those that are missing are made. @returns the numbers of all names that the table has. */
async function ids(
  tables: Tables,
  table: string,
  column: string,
  names: readonly (string | null | undefined)[],
): Promise<Ids> {
  const known = async () => {
    const rows = await tables.session.all<{ id: number; name: string }>(
      `SELECT id, ${column} AS name FROM ${table}`,
    );
    return new Map(rows.map(({ id, name }) => [name, id]));
  };
  const before = await known();
  const missing = [...new Set(names)].filter((name) => typeof name === 'string' && !before.has(name));
  await tables.insert(
    `${table} (${column})`,
    missing.map((name) => [name as string]),
  );
  return known();
}

/** Placement makes the standard classes when it starts, with numbers of its own. */
async function classIds(tables: Tables, name: string, classes: readonly string[]): Promise<Ids> {
  const rows = await tables.session.all<{ id: number; name: string }>(
    'SELECT id, name FROM resource_classes',
  );
  if (rows.length === 0)
    throw new ExecutionError(
      `${name} has no resource classes: no Placement has used it yet`,
      'start Placement on it once, and stop it',
    );
  const found = new Map(rows.map((row) => [row.name, row.id]));
  let next = Math.max(FIRST_CUSTOM_CLASS, ...rows.map(({ id }) => id + 1));
  const made: SqlValue[][] = [];
  for (const missing of classes.filter((one) => !found.has(one))) {
    found.set(missing, next);
    made.push([next++, missing]);
  }
  await tables.insert('resource_classes (id, name)', made);
  return found;
}

async function writeProviders(tables: Tables, { providers }: LedgerImage): Promise<Ids> {
  const list = [...providers.values()];
  await tables.insert(
    'resource_providers (uuid, name, generation)',
    list.map(({ uuid, name, generation }) => [uuid, name, generation!]),
  );
  return linkProviders(tables.session, list, { parent: 'parent_provider_id', root: 'root_provider_id' });
}

async function writeConsumers(tables: Tables, image: LedgerImage): Promise<void> {
  const list = [...image.consumers.values()];
  const owners = list.map(({ project, user, type }) => ({
    project: project ?? UNKNOWN_OWNER,
    user: user ?? UNKNOWN_OWNER,
    type,
  }));
  const idsOf = (part: keyof (typeof owners)[number], table: string, column: string) =>
    ids(
      tables,
      table,
      column,
      owners.map((owner) => owner[part]),
    );
  const projects = await idsOf('project', 'projects', 'external_id');
  const users = await idsOf('user', 'users', 'external_id');
  const types = await idsOf('type', 'consumer_types', 'name');
  await tables.insert(
    'consumers (uuid, generation, project_id, user_id, consumer_type_id)',
    list.map(({ consumer, generation }, i) => {
      const { project, user, type } = owners[i]!;
      const typeId = type === null ? null : types.get(type)!;
      return [consumer, generation!, projects.get(project)!, users.get(user)!, typeId];
    }),
  );
}
