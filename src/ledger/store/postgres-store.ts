/** PostgreSQL through a pool of connections. Hosts share the database; writers meet at single rows. */
import type { Socket } from 'node:net';
import pg from 'pg';
import { kept } from '../../kit/kept.ts';
import { translate } from './dialect.ts';
import {
  isAfterwards,
  isConnectionLost,
  isOfServer,
  isOutdated,
  isUnsent,
  postgresFault,
  shownUrl,
  unreadableUrl,
} from './postgres-faults.ts';
import { giveUpOnSilence } from './postgres-silence.ts';
import { requireStorable } from './storable.ts';
import { OutcomeUnknown, type Session, type SqlValue, type Store } from './store.ts';

const INT8 = 20;
const NUMERIC = 1700;
const MAX_CONNECTIONS = 10;
const MAX_PORT = 65_535;
const CONNECT_TIMEOUT_MS = 5000;
/** How long a server may be silent before the system asks whether its machine is still there. */
const SILENT_MS = 10_000;

/** Sums and identities come as text from the driver; ours stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
};

const ignore = (): void => {};

/** Statements by our text: the server's text, and the name under which each connection keeps it. */
const prepared = new Map<string, { readonly name: string; readonly text: string }>();

const preparedFor = (statement: string): { readonly name: string; readonly text: string } =>
  kept(prepared, statement, () => ({
    name: `evenkeel_${prepared.size}`,
    text: translate('postgres', statement),
  }));

class ClientSession implements Session {
  readonly dialect = 'postgres';
  private hasBegun = false;
  private isHeldUp = false;
  /** The first error: it ended the transaction, and statements that were sent behind it fail for that. */
  cause: unknown;

  /** @param begun the statement that begins the transaction, under way. */
  constructor(
    private readonly client: pg.PoolClient,
    private readonly begun: Promise<unknown>,
  ) {
    begun.then(
      () => {
        this.hasBegun = true;
      },
      () => {},
    );
  }

  /**
   * Statements go in their order. Those that read follow the beginning on its heels; what writes, and all
   * behind it, waits for a transaction that can be taken back.
   */
  private async query<Row extends pg.QueryResultRow>(
    statement: string,
    values: readonly SqlValue[],
  ): Promise<pg.QueryResult<Row>> {
    requireStorable(values);
    const send = async () => {
      try {
        return await this.client.query<Row>({ ...preparedFor(statement), values: values as unknown[] });
      } catch (error) {
        this.cause ??= error;
        throw error;
      }
    };
    if (this.hasBegun) return send();
    if (statement.startsWith('SELECT') && !this.isHeldUp)
      return Promise.all([send(), this.begun]).then(([result]) => result);
    this.isHeldUp = true;
    return this.begun.then(send);
  }

  async all<Row extends object>(statement: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return (await this.query<Row & pg.QueryResultRow>(statement, values)).rows;
  }

  async get<Row extends object>(
    statement: string,
    values: readonly SqlValue[] = [],
  ): Promise<Row | undefined> {
    return (await this.all<Row>(statement, values))[0];
  }

  async run(statement: string, values: readonly SqlValue[] = []): Promise<number> {
    return (await this.query(statement, values)).rowCount ?? 0;
  }

  async script(statements: string): Promise<void> {
    await this.begun;
    await this.client.query(translate('postgres', statements));
  }
}

/** Ahead: where the driver throws over a port, the pool cannot be closed any more. @throws {UsageError} */
function requireReadable(url: string): void {
  try {
    const { port } = new pg.Client(url);
    if (port >= 0 && port <= MAX_PORT) return;
  } catch (error) {
    // Files of certificates that are not there are told when they are needed.
    if (!(error instanceof URIError)) return;
  }
  throw unreadableUrl();
}

/** The driver verifies for these as for `verify-full`, and warns on stderr that it will not for ever. */
const WEAKER_MODES = /^(?!.*[?&]uselibpqcompat=true)(.*[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

export class PostgresStore implements Store {
  readonly dialect = 'postgres';
  readonly name: string;
  private readonly pool: pg.Pool;
  private readonly url: string;

  /** @param given as libpq reads it (`postgres:///db?host=/run/postgresql`); certificates are verified */
  constructor(given: string) {
    this.name = shownUrl(given);
    const url = given.replace(WEAKER_MODES, '$1verify-full');
    requireReadable(url);
    this.url = url;
    this.pool = new pg.Pool({
      connectionString: url,
      max: MAX_CONNECTIONS,
      types,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'evenkeel',
      // Else who waits for a server that has lost its power waits for ever.
      keepAlive: true,
      keepAliveInitialDelayMillis: SILENT_MS,
      // Statements are sent without waiting for the answers of those before.
      pipeline: true,
    });
    // A connection that breaks while nobody uses it is replaced when one is needed. In between it may belong
    // neither to the pool nor to who asked for it: the server's first words can already say that it stops.
    // Who uses it hears of the error from the statement.
    this.pool.on('error', ignore);
    this.pool.on('connect', (client) => client.on('error', ignore));
  }

  read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    // What was only read is not waited for.
    return this.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work, () => false);
  }

  write<T>(work: (session: Session) => Promise<T>, isKept: (result: T) => boolean = () => true): Promise<T> {
    return this.transaction('BEGIN ISOLATION LEVEL READ COMMITTED', work, isKept);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  /** Whether the server says anything to somebody new, if only that it does not let him in. */
  private async answers(): Promise<boolean> {
    try {
      const asking = new pg.Client({
        connectionString: this.url,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      });
      asking.on('error', ignore);
      await asking.connect();
      asking.end().catch(ignore);
      return true;
    } catch (error) {
      return !isConnectionLost(error) || isOfServer(error);
    }
  }

  private async transaction<T>(
    begin: string,
    work: (session: Session) => Promise<T>,
    isKept: (result: T) => boolean,
  ): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw postgresFault(error, this.name);
    }
    let broken: Error | undefined;
    let isCommitting = false;
    let session: ClientSession | undefined;
    const unwatch = giveUpOnSilence(client.connection.stream as Socket, () => this.answers());
    try {
      const begun = client.query(begin);
      // Whoever waits for it hears of a failure; it must not be nobody.
      begun.catch(ignore);
      session = new ClientSession(client, begun);
      const result = await work(session);
      await begun;
      isCommitting = isKept(result);
      await client.query(isCommitting ? 'COMMIT' : 'ROLLBACK');
      return result;
    } catch (thrown) {
      const error = isAfterwards(thrown) ? (session?.cause ?? thrown) : thrown;
      if (isConnectionLost(error)) broken = error as Error;
      // Whoever takes this back has not made the change.
      else await client.query('ROLLBACK').catch((lost: Error) => (broken = lost));
      if (broken && isCommitting && !isUnsent(error))
        throw new OutcomeUnknown(
          `${this.name}: the connection broke at the last moment; whether the change was made is not known`,
          'look before you repeat it',
        );
      // Another connection makes its own plans.
      if (isOutdated(error)) broken = error as Error;
      throw postgresFault(error, this.name);
    } finally {
      unwatch();
      client.release(broken);
    }
  }
}
