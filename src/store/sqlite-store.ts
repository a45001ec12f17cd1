/**
 * SQLite: one file, no server. Writers take turns; readers see the last committed state and wait for nobody (write-ahead log).
 *
 * A process has one connection that writes and one that reads, each opened when it is first needed. A writer that finds the file taken waits
 * without blocking the process, for a random time, so that many processes get their turns evenly.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { DatabaseSync } from '@photostructure/sqlite';
import { InputError } from '../cluster/faults.ts';
import { sqliteValues, translate } from './dialect.ts';
import { Queue } from './queue.ts';
import { isBusy, sqliteFault } from './sqlite-faults.ts';
import type { FileStore, Session, SqlValue, Store } from './store.ts';

/** How long a writer waits for its turn. */
export const DEFAULT_BUSY_SECONDS = 5;
const SHORTEST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 4;

const MS_PER_SECOND = 1000;

class Connection implements Session {
  readonly dialect = 'sqlite';
  readonly database: DatabaseSyncInstance;
  private readonly prepared = new Map<string, StatementSyncInstance>();

  constructor(file: string, busyMs: number) {
    this.database = new DatabaseSync(file);
    this.database.exec(
      `PRAGMA busy_timeout = ${busyMs}; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON`,
    );
  }

  prepare(statement: string): StatementSyncInstance {
    let prepared = this.prepared.get(statement);
    if (prepared === undefined) {
      prepared = this.database.prepare(translate('sqlite', statement));
      this.prepared.set(statement, prepared);
    }
    return prepared;
  }

  async all<Row>(statement: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.prepare(statement).all(...sqliteValues(values));
  }

  async get<Row>(statement: string, values: readonly SqlValue[] = []): Promise<Row | undefined> {
    return this.prepare(statement).get(...sqliteValues(values)) ?? undefined;
  }

  async run(statement: string, values: readonly SqlValue[] = []): Promise<number> {
    return this.prepare(statement).run(...sqliteValues(values)).changes;
  }

  async script(statements: string): Promise<void> {
    this.database.exec(translate('sqlite', statements));
  }

  close(): void {
    this.database.close();
  }
}

export class SqliteStore implements Store {
  readonly dialect = 'sqlite';
  readonly name: string;
  readonly file: FileStore = { prepare: () => this.prepareFile(), backUp: (file) => this.backUp(file) };
  private readonly busyMs: number;
  private readonly reads = new Queue();
  private readonly writes = new Queue();
  private reader: Connection | undefined;
  private writer: Connection | undefined;

  /** @param file must exist, or be made by the caller's wish: opening makes an empty database. */
  constructor(file: string, busySeconds = DEFAULT_BUSY_SECONDS) {
    this.name = file;
    this.busyMs = busySeconds * MS_PER_SECOND;
  }

  read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.reads.run(() =>
      this.guarded(async () => {
        this.reader ??= new Connection(this.name, this.busyMs);
        this.reader.prepare('BEGIN').run();
        return inside(this.reader, work, () => true);
      }),
    );
  }

  write<T>(work: (session: Session) => Promise<T>, isKept: (result: T) => boolean = () => true): Promise<T> {
    return this.writes.run(() =>
      this.guarded(async () => {
        this.writer ??= new Connection(this.name, 0);
        await this.beginWriting(this.writer);
        return inside(this.writer, work, isKept);
      }),
    );
  }

  private backUp(file: string): Promise<void> {
    return this.writes.run(() =>
      this.guarded(async () => {
        this.writer ??= new Connection(this.name, 0);
        this.writer.prepare('VACUUM INTO ?').run(file);
      }),
    );
  }

  private prepareFile(): Promise<void> {
    return this.guarded(async () => {
      const connection = new Connection(this.name, this.busyMs);
      try {
        const tables = await connection.all<{ name: string }>(
          "SELECT name FROM sqlite_schema WHERE type = 'table'",
        );
        if (tables.length > 0 && !tables.some(({ name }) => name === 'schema_versions'))
          throw new InputError(this.name, [
            { problem: 'this database belongs to another program', remedy: 'name a file of its own' },
          ]);
        connection.prepare('PRAGMA journal_mode = WAL').get();
      } finally {
        connection.close();
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all([
      this.reads.run(async () => this.reader?.close()),
      this.writes.run(async () => this.writer?.close()),
    ]);
    this.reader = undefined;
    this.writer = undefined;
  }

  private async beginWriting(writer: Connection): Promise<void> {
    const deadline = performance.now() + this.busyMs;
    for (;;) {
      try {
        writer.prepare('BEGIN IMMEDIATE').run();
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await wait(SHORTEST_WAIT_MS + Math.random() * (LONGEST_WAIT_MS - SHORTEST_WAIT_MS));
      }
    }
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw sqliteFault(error, this.name);
    }
  }
}

/** The work and the end of its transaction. */
async function inside<T>(
  connection: Connection,
  work: (session: Session) => Promise<T>,
  isKept: (result: T) => boolean,
): Promise<T> {
  try {
    const result = await work(connection);
    connection.prepare(isKept(result) ? 'COMMIT' : 'ROLLBACK').run();
    return result;
  } catch (error) {
    // Some errors (full disk) have ended the transaction already.
    if (connection.database.isTransaction) connection.prepare('ROLLBACK').run();
    throw error;
  }
}
