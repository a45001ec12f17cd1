/**
 * The way back: fills the empty database of a Placement, with all generations, in one transaction. Everything
 * is found by its name or UUID, so that it does not matter which numbers the database gives.
 */
import { ExecutionError } from '../../kit/faults.ts';
import type { ConsumerImage, LedgerImage, ProviderImage } from '../claims/cluster/image.ts';
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

/** @param at the time, ms since 1970. @throws {ExecutionError} when it is not empty, or was never used. */
export function writeDatabase(database: Database, image: LedgerImage, at: number): Promise<void> {
  requireUuids(image);
  return database.write(async (session) => {
    await requireTables(session, database.name);
    await new Filling(session, database.name, image, at).fill();
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

class Filling {
  private readonly providers: readonly ProviderImage[];
  private readonly consumers: readonly ConsumerImage[];
  private readonly time: string;

  constructor(
    private readonly session: DatabaseSession,
    private readonly name: string,
    private readonly image: LedgerImage,
    at: number,
  ) {
    this.providers = [...image.providers.values()];
    this.consumers = [...image.consumers.values()];
    this.time = new Date(at).toISOString().slice(0, '2026-01-01T00:00:00'.length).replace('T', ' ');
  }

  async fill(): Promise<void> {
    await this.requireEmpty();
    const { class: classNames, trait: traitNames } = this.image.names!;
    const usedClasses = this.providers.flatMap(({ inventories }) => [...inventories.keys()]);
    const classes = await this.classIds(neededNames(classNames, usedClasses));
    const providers = await this.enterProviders();
    await this.insert(
      `inventories (resource_provider_id, resource_class_id, ${SET_COLUMNS})`,
      this.providers.flatMap(({ uuid, inventories }) =>
        [...inventories].map(([name, one]) => [
          providers.get(uuid)!,
          classes.get(name)!,
          ...setValues(one).map(Number),
        ]),
      ),
    );
    const usedTraits = this.providers.flatMap((one) => one.traits);
    const traits = await this.ids('traits', 'name', neededNames(traitNames, usedTraits));
    await this.insert(
      'resource_provider_traits (resource_provider_id, trait_id)',
      this.providers.flatMap((one) =>
        one.traits.map((name) => [providers.get(one.uuid)!, traits.get(name)!]),
      ),
    );
    const uuids = this.providers.flatMap((one) => one.aggregates.map(({ uuid }) => uuid));
    const aggregates = await this.ids('placement_aggregates', 'uuid', uuids);
    await this.insert(
      'resource_provider_aggregates (resource_provider_id, aggregate_id)',
      this.providers.flatMap((one) =>
        one.aggregates.map(({ uuid }) => [providers.get(one.uuid)!, aggregates.get(uuid)!]),
      ),
    );
    await this.enterConsumers();
    await this.insert(
      'allocations (resource_provider_id, consumer_id, resource_class_id, used)',
      this.consumers.flatMap(({ consumer, allocations }) =>
        [...allocations].flatMap(([provider, amounts]) =>
          [...amounts].map(([name, used]) => [providers.get(provider)!, consumer, classes.get(name)!, used]),
        ),
      ),
    );
  }

  /** Placement looks at when things were made, and fails where only some of them say it. */
  private insert(into: string, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    return insertRows(
      this.session,
      into.replace(/\)$/, ', created_at)'),
      rows.map((row) => [...row, this.time]),
    );
  }

  private async requireEmpty(): Promise<void> {
    for (const table of ['resource_providers', 'consumers', 'allocations']) {
      const [row] = await this.session.all<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
      if (Number(row!.count) > 0)
        throw new ExecutionError(
          `${this.name} is not empty: it has ${row!.count} ${table.replace('_', ' ')}`,
          'make a new database, let placement-manage db sync make its tables, and start Placement on it once',
        );
    }
  }

  private async known(table: string, column: string): Promise<Map<string, number>> {
    const rows = await this.session.all<{ id: number; name: string }>(
      `SELECT id, ${column} AS name FROM ${table}`,
    );
    return new Map(rows.map(({ id, name }) => [name, id]));
  }

  /** Those that are missing are made. @returns the numbers of all names that the table has. */
  private async ids(table: string, column: string, names: readonly (string | null)[]): Promise<Ids> {
    const before = await this.known(table, column);
    const missing = [...new Set(names)].filter((name) => name !== null && !before.has(name));
    await this.insert(
      `${table} (${column})`,
      missing.map((name) => [name]),
    );
    return this.known(table, column);
  }

  /** Placement makes the standard classes when it starts, with numbers of its own. */
  private async classIds(classes: readonly string[]): Promise<Ids> {
    const found = await this.known('resource_classes', 'name');
    if (found.size === 0)
      throw new ExecutionError(
        `${this.name} has no resource classes: no Placement has used it yet`,
        'start Placement on it once, and stop it',
      );
    let next = Math.max(FIRST_CUSTOM_CLASS, ...[...found.values()].map((id) => id + 1));
    const made: SqlValue[][] = [];
    for (const missing of classes.filter((one) => !found.has(one))) {
      found.set(missing, next);
      made.push([next++, missing]);
    }
    await this.insert('resource_classes (id, name)', made);
    return found;
  }

  private async enterProviders(): Promise<Ids> {
    await this.insert(
      'resource_providers (uuid, name, generation)',
      this.providers.map(({ uuid, name, generation }) => [uuid, name, generation!]),
    );
    const columns = { parent: 'parent_provider_id', root: 'root_provider_id' };
    return linkProviders(this.session, this.providers, columns);
  }

  private async enterConsumers(): Promise<void> {
    const owners = this.consumers.map(({ project, user, type }) => ({
      project: project ?? UNKNOWN_OWNER,
      user: user ?? UNKNOWN_OWNER,
      type,
    }));
    const part = (name: keyof (typeof owners)[number]) => owners.map((owner) => owner[name]);
    const projects = await this.ids('projects', 'external_id', part('project'));
    const users = await this.ids('users', 'external_id', part('user'));
    const types = await this.ids('consumer_types', 'name', part('type'));
    await this.insert(
      'consumers (uuid, generation, project_id, user_id, consumer_type_id)',
      this.consumers.map(({ consumer, generation }, i) => {
        const { project, user, type } = owners[i]!;
        const typeId = type === null ? null : types.get(type)!;
        return [consumer, generation!, projects.get(project)!, users.get(user)!, typeId];
      }),
    );
  }
}
