/**
 * The way back: fills the empty database of a Placement, with all generations, in one transaction. Everything
 * is found by its name or UUID, so that it does not matter which numbers the database gives.
 */
import { ExecutionError } from '../../kit/faults.ts';
import { linkProviders } from '../claims/cluster/enter-image.ts';
import type { LedgerImage } from '../claims/cluster/image.ts';
import { isCustomName, isUuid, UNKNOWN_OWNER } from '../claims/model/names.ts';
import { SET_COLUMNS, setValues } from '../claims/tables/inventories.ts';
import { insertRows } from '../store/rows.ts';
import type { SqlValue } from '../store/store.ts';
import { requireTables } from './database.ts';
import type { Database, DatabaseSession } from './mysql.ts';

/** Placement keeps smaller numbers for the classes that it makes itself. */
const FIRST_CUSTOM_CLASS = 10_000;
type Ids = ReadonlyMap<string, number>;

/** @param at the time, ms since 1970. @throws {ExecutionError} when it is not empty, or was never used. */
export function writeDatabase(database: Database, image: LedgerImage, at: number): Promise<void> {
  requireUuids(image);
  return database.write(async (session) => {
    await requireTables(session, database.name);
    await fill(session, database.name, image, at);
  });
}

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

async function fill(
  session: DatabaseSession,
  database: string,
  image: LedgerImage,
  at: number,
): Promise<void> {
  const providers = [...image.providers.values()];
  const consumers = [...image.consumers.values()];
  const time = new Date(at).toISOString().slice(0, '2026-01-01T00:00:00'.length).replace('T', ' ');
  await requireEmpty();
  const usedClasses = providers.flatMap(({ inventories }) => [...inventories.keys()]);
  const classIds = await enterClasses(neededNames(image.names!.class, usedClasses));
  const ids = await enterProviders();
  await insert(
    `inventories (resource_provider_id, resource_class_id, ${SET_COLUMNS})`,
    providers.flatMap(({ uuid, inventories }) =>
      [...inventories].map(([name, one]) => [
        ids.get(uuid)!,
        classIds.get(name)!,
        ...setValues(one).map(Number),
      ]),
    ),
  );
  const usedTraits = providers.flatMap(({ traits }) => traits);
  const traitIds = await enterNames('traits', 'name', neededNames(image.names!.trait, usedTraits));
  await insert(
    'resource_provider_traits (resource_provider_id, trait_id)',
    providers.flatMap(({ uuid, traits }) => traits.map((name) => [ids.get(uuid)!, traitIds.get(name)!])),
  );
  const uuids = providers.flatMap(({ aggregates }) => aggregates.map(({ uuid }) => uuid));
  const aggregateIds = await enterNames('placement_aggregates', 'uuid', uuids);
  await insert(
    'resource_provider_aggregates (resource_provider_id, aggregate_id)',
    providers.flatMap(({ uuid, aggregates }) =>
      aggregates.map((one) => [ids.get(uuid)!, aggregateIds.get(one.uuid)!]),
    ),
  );
  await enterConsumers();
  await insert(
    'allocations (resource_provider_id, consumer_id, resource_class_id, used)',
    consumers.flatMap(({ consumer, allocations }) =>
      [...allocations].flatMap(([provider, amounts]) =>
        [...amounts].map(([name, used]) => [ids.get(provider)!, consumer, classIds.get(name)!, used]),
      ),
    ),
  );

  /** Placement looks at when things were made, and fails where only some of them say it. */
  function insert(into: string, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const dated = rows.map((row) => [...row, time]);
    return insertRows(session, into.replace(/\)$/, ', created_at)'), dated);
  }

  async function requireEmpty(): Promise<void> {
    for (const table of ['resource_providers', 'consumers', 'allocations']) {
      const [row] = await session.all<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
      if (Number(row!.count) > 0)
        throw new ExecutionError(
          `${database} is not empty: it has ${row!.count} ${table.replace('_', ' ')}`,
          'make a new database, let placement-manage db sync make its tables, and start Placement on it once',
        );
    }
  }

  async function known(table: string, column: string): Promise<Map<string, number>> {
    const rows = await session.all<{ id: number; name: string }>(
      `SELECT id, ${column} AS name FROM ${table}`,
    );
    return new Map(rows.map(({ id, name }) => [name, id]));
  }

  /** Those that are missing are made. @returns the numbers of all names that the table has. */
  async function enterNames(table: string, column: string, names: readonly (string | null)[]): Promise<Ids> {
    const before = await known(table, column);
    const missing = [...new Set(names)].filter((name) => name !== null && !before.has(name));
    await insert(
      `${table} (${column})`,
      missing.map((name) => [name]),
    );
    return known(table, column);
  }

  /** Placement makes the standard classes when it starts, with numbers of its own. */
  async function enterClasses(classes: readonly string[]): Promise<Ids> {
    const found = await known('resource_classes', 'name');
    if (found.size === 0)
      throw new ExecutionError(
        `${database} has no resource classes: no Placement has used it yet`,
        'start Placement on it once, and stop it',
      );
    let next = Math.max(FIRST_CUSTOM_CLASS, ...[...found.values()].map((id) => id + 1));
    const made: SqlValue[][] = [];
    for (const missing of classes.filter((one) => !found.has(one))) {
      found.set(missing, next);
      made.push([next++, missing]);
    }
    await insert('resource_classes (id, name)', made);
    return found;
  }

  async function enterProviders(): Promise<Ids> {
    await insert(
      'resource_providers (uuid, name, generation)',
      providers.map(({ uuid, name, generation }) => [uuid, name, generation!]),
    );
    const columns = { parent: 'parent_provider_id', root: 'root_provider_id' };
    return linkProviders(session, providers, columns);
  }

  async function enterConsumers(): Promise<void> {
    const owners = consumers.map(({ project, user, type }) => ({
      project: project ?? UNKNOWN_OWNER,
      user: user ?? UNKNOWN_OWNER,
      type,
    }));
    const part = (name: keyof (typeof owners)[number]) => owners.map((owner) => owner[name]);
    const projects = await enterNames('projects', 'external_id', part('project'));
    const users = await enterNames('users', 'external_id', part('user'));
    const types = await enterNames('consumer_types', 'name', part('type'));
    await insert(
      'consumers (uuid, generation, project_id, user_id, consumer_type_id)',
      consumers.map(({ consumer, generation }, i) => {
        const { project, user, type } = owners[i]!;
        const typeId = type === null ? null : types.get(type)!;
        return [consumer, generation!, projects.get(project)!, users.get(user)!, typeId];
      }),
    );
  }
}
