/** MariaDB and MySQL, as far as Placement's database is read and filled: less than a Store. */
import mysql from 'mysql2/promise';
import { BackendError, Fault } from '../../kit/faults.ts';
import { readInput } from '../../kit/files/read-input.ts';
import type { Session, SqlValue } from '../store/store.ts';

export type DatabaseSession = Pick<Session, 'all' | 'run'>;

export interface Database {
  /** The URL without its password. */
  readonly name: string;
  read<T>(work: (session: DatabaseSession) => Promise<T>): Promise<T>;
  write<T>(work: (session: DatabaseSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const REMEDIES: Readonly<Record<string, string>> = {
  ER_ACCESS_DENIED_ERROR: 'check user and password (in the URL, or in the environment variable MYSQL_PWD)',
  ER_DBACCESS_DENIED_ERROR: 'grant the user its rights on the database',
  ER_TABLEACCESS_DENIED_ERROR: 'grant the user its rights on the tables',
  ER_BAD_DB_ERROR: "look for the database's name in placement.conf",
};

export class MysqlDatabase implements Database {
  readonly name: string;

  /** @param url `mysql://USER:PASSWORD@HOST:PORT/DATABASE`, with `?unix_socket=` or `?ssl_ca=`. */
  constructor(private readonly url: URL) {
    this.name = `mysql://${url.host}${url.pathname}`;
  }

  read<T>(work: (session: DatabaseSession) => Promise<T>): Promise<T> {
    return this.transaction('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY', 'ROLLBACK', work);
  }

  write<T>(work: (session: DatabaseSession) => Promise<T>): Promise<T> {
    return this.transaction('START TRANSACTION', 'COMMIT', work);
  }

  async close(): Promise<void> {}

  private async transaction<T>(
    begin: string,
    end: string,
    work: (session: DatabaseSession) => Promise<T>,
  ): Promise<T> {
    let connection: mysql.Connection | undefined;
    try {
      connection = await this.connect();
      const open = connection;
      await open.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await open.query(begin);
      const query = async (statement: string, values: readonly SqlValue[] = []) =>
        (await open.query(statement, values as unknown[]))[0];
      const result = await work({
        all: async (statement, values) => (await query(statement, values)) as never,
        run: async (statement, values) =>
          ((await query(statement, values)) as mysql.ResultSetHeader).affectedRows,
      });
      await open.query(end);
      return result;
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (error instanceof Fault || code === undefined) throw error;
      throw new BackendError(
        `${this.name}: ${message || code}`,
        REMEDIES[code] ?? 'check that the server runs; then try again',
      );
    } finally {
      // What was not committed is taken back by the server.
      connection?.destroy();
    }
  }

  private connect(): Promise<mysql.Connection> {
    const { hostname, port, username, password, pathname, searchParams } = this.url;
    const socket = searchParams.get('unix_socket');
    const authority = searchParams.get('ssl_ca');
    return mysql.createConnection({
      ...(socket === null ? { host: hostname, port: Number(port || 3306) } : { socketPath: socket }),
      ...(authority === null ? {} : { ssl: { ca: Buffer.from(readInput(authority)) } }),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password) || (process.env.MYSQL_PWD ?? ''),
      database: decodeURIComponent(pathname.slice(1)),
      charset: 'utf8mb4',
    });
  }
}
