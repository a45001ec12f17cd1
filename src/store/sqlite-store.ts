/**
 * SQLite: one file, no server. Writers take turns; readers see the last committed state and wait for nobody (write-ahead log).
 *
 * A process has one connection that writes and one that reads, each opened when it is first needed. Changes that are asked for at the same
 * time share a commit (group-commit.ts). Writers of several processes get their turns evenly (see beginWriting).
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { DatabaseSync } from '@photostructure/sqlite';
import { InputError } from '../cluster/faults.ts';
import { sqliteValues, translate } from './dialect.ts';
import { CommitGroup, type Transaction } from './group-commit.ts';
import { Queue } from './queue.ts';
import { isBusy, sqliteFault } from './sqlite-faults.ts';
import type { FileStore, Session, SqlValue, Store } from './store.ts';

/** How long a writer waits for its turn. */
export const DEFAULT_BUSY_SECONDS = 5;
/**
 * SQLite tries for so long by itself, which costs less than an error and a timer for each try, but the process stands still meanwhile; then
 * it looks after other things, up to PAUSE_MS. SQLite's own waits grow, so that who waits long would wait ever longer: they begin anew.
 */
const STANDSTILL_MS = 10;
const PAUSE_MS = 2;
/**
 * On a slow disk a writer has the file nearly all the time, and others seldom try in the moment between two of its commits. Who has waited for
 * so long, and again for so long, tries without any pause, each time for longer, until that is longer than a commit takes: then it meets
 * that moment.
 */
const PATIENCE_MS = 500;
const PRESSING_MS = 60;

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
  private readonly group = new CommitGroup(this.writerTransaction());
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
        return reading(this.reader, work);
      }),
    );
  }

  write<T>(work: (session: Session) => Promise<T>, isKept: (result: T) => boolean = () => true): Promise<T> {
    const result = this.guarded(() => this.group.add(work, isKept));
    void this.writes.run(() => this.group.commit());
    return result;
  }

  private backUp(file: string): Promise<void> {
    return this.writes.run(() =>
      this.guarded(async () => {
        this.writing().prepare('VACUUM INTO ?').run(file);
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

  private writing(): Connection {
    this.writer ??= new Connection(this.name, STANDSTILL_MS);
    return this.writer;
  }

  private writerTransaction(): Transaction {
    const writing = () => this.writing();
    return {
      begin: () => this.beginWriting(),
      run: (statement) => void writing().prepare(statement).run(),
      isOpen: () => this.writer?.database.isTransaction ?? false,
      get session() {
        return writing();
      },
    };
  }

  /** Waits for this process's turn. @throws the database's error when it did not come in time. */
  private async beginWriting(): Promise<void> {
    const started = performance.now();
    let pressAt = PATIENCE_MS;
    let pressMs = PRESSING_MS;
    for (;;) {
      const error = this.tryToBegin();
      if (error === undefined) return;
      const waited = performance.now() - started;
      if (!isBusy(error) || waited > this.busyMs) throw error;
      if (waited > pressAt) {
        if (this.press(pressMs)) return;
        pressAt = performance.now() - started + PATIENCE_MS;
        pressMs += PRESSING_MS;
      }
      await wait(Math.random() * PAUSE_MS);
    }
  }

  /** @returns why it did not begin. */
  private tryToBegin(): unknown {
    try {
      this.writing().prepare('BEGIN IMMEDIATE').run();
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Tries without any pause for a while. @returns whether the transaction has begun. */
  private press(forMs: number): boolean {
    const { database } = this.writing();
    database.exec('PRAGMA busy_timeout = 0');
    try {
      for (const started = performance.now(); performance.now() - started < forMs; )
        if (this.tryToBegin() === undefined) return true;
      return false;
    } finally {
      database.exec(`PRAGMA busy_timeout = ${STANDSTILL_MS}`);
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
async function reading<T>(connection: Connection, work: (session: Session) => Promise<T>): Promise<T> {
  try {
    return await work(connection);
  } finally {
    if (connection.database.isTransaction) connection.prepare('ROLLBACK').run();
  }
}
