/**
 * Placement's own database, whose tables have been the same since its release 6.0 (Xena); those before knew
 * no kinds of consumers. It is read as one state, with Placement at work or not.
 */
import { EXIT } from '../../kit/exit-status.ts';
import { ExecutionError, UsageError } from '../../kit/faults.ts';
import { isText } from '../http/query-string.ts';
import { openStore } from '../store/open-store.ts';
import type { Database, DatabaseSession } from './mysql.ts';
import type { PlacementRows } from './rows.ts';

/** The last change of the tables that is known (Alembic's number), and the one before. */
const NEWEST_TABLES = '422ece571366';
const WITHOUT_TYPES = 'b5c396305c25';

const REMEDY = 'write http(s)://HOST of a Placement, or the URL of its database: mysql://..., postgres://...';

/** @param url as placement.conf has it, such as `mysql+pymysql://...`; or a file of SQLite. */
export async function openDatabase(url: string): Promise<Database> {
  const plain = url.replace(/^(\w+)\+\w+:/, '$1:');
  if (!/^(mysql|mariadb):/.test(plain)) return openStore(plain, { remedy: REMEDY });
  if (!URL.canParse(plain) || !isText(plain.split('?', 1)[0]!))
    throw new UsageError(
      'the URL of the database cannot be read; it is not shown, since it may hold a password',
      'write mysql://USER:PASSWORD@HOST/DATABASE; in names and passwords @ is %40, / is %2F, : is %3A',
      EXIT.bad,
    );
  return new (await import('./mysql.ts')).MysqlDatabase(new URL(plain));
}

/** How MariaDB, PostgreSQL and SQLite say that there is no such table. */
const isTableMissing = ({ code, message }: Error & { readonly code?: string }): boolean =>
  code === 'ER_NO_SUCH_TABLE' || code === '42P01' || message.includes('no such table');

/** @returns the tables' version @throws {ExecutionError} when it is none of the `known`, or there are none */
export async function requireTables(
  session: DatabaseSession,
  name: string,
  known: readonly string[] = [NEWEST_TABLES],
): Promise<string> {
  const [row] = await session
    .all<{ version: string }>('SELECT version_num AS version FROM alembic_version')
    .catch((error) => {
      if (!isTableMissing(error)) throw error;
      throw new ExecutionError(
        `${name}: this is no database of Placement`,
        'look for its URL in placement.conf; the tables of a new one are made with placement-manage db sync',
      );
    });
  const version = row?.version ?? 'none';
  if (known.includes(version)) return version;
  throw new ExecutionError(
    `${name}: Placement's tables have version ${version}, and not ${known.join(' or ')}`,
    'bring them up to date with placement-manage db sync',
  );
}

const OF_PROVIDER = 'resource_providers p ON p.id =';

export const readDatabase = (database: Database): Promise<PlacementRows> =>
  database.read(async (session) => {
    const version = await requireTables(session, database.name, [NEWEST_TABLES, WITHOUT_TYPES]);
    const hasTypes = version === NEWEST_TABLES;
    const names = async (table: string) =>
      (await session.all<{ name: string }>(`SELECT name FROM ${table}`)).map(({ name }) => name);
    return {
      classes: await names('resource_classes'),
      traits: await names('traits'),
      providers: await session.all(
        `SELECT p.uuid, p.name, COALESCE(p.generation, 0) AS generation, q.uuid AS parent
         FROM resource_providers p LEFT JOIN resource_providers q ON q.id = p.parent_provider_id`,
      ),
      inventories: await session.all(
        `SELECT p.uuid AS provider, c.name AS class, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size,
           i.allocation_ratio
         FROM inventories i JOIN ${OF_PROVIDER} i.resource_provider_id
           JOIN resource_classes c ON c.id = i.resource_class_id`,
      ),
      providerTraits: await session.all(
        `SELECT p.uuid AS provider, t.name AS trait FROM resource_provider_traits l
           JOIN ${OF_PROVIDER} l.resource_provider_id JOIN traits t ON t.id = l.trait_id`,
      ),
      providerAggregates: await session.all(
        `SELECT p.uuid AS provider, a.uuid AS aggregate FROM resource_provider_aggregates l
           JOIN ${OF_PROVIDER} l.resource_provider_id JOIN placement_aggregates a ON a.id = l.aggregate_id`,
      ),
      consumers: (
        await session.all<Omit<PlacementRows['consumers'][number], 'user'> & { owner: string }>(
          `SELECT k.uuid, k.generation, o.external_id AS project, u.external_id AS owner,
             ${hasTypes ? 't.name' : 'NULL'} AS type
           FROM consumers k JOIN projects o ON o.id = k.project_id JOIN users u ON u.id = k.user_id
             ${hasTypes ? 'LEFT JOIN consumer_types t ON t.id = k.consumer_type_id' : ''}`,
        )
      ).map(({ owner, ...row }) => ({ ...row, user: owner })),
      allocations: await session.all(
        `SELECT p.uuid AS provider, a.consumer_id AS consumer, c.name AS class, a.used FROM allocations a
           JOIN ${OF_PROVIDER} a.resource_provider_id JOIN resource_classes c ON c.id = a.resource_class_id`,
      ),
    };
  });
