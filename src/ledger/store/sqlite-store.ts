/**
 * SQLite: one file, no server. Writers take turns; readers see the last committed state and wait for nobody
 * (write-ahead log).
 *
 * A process has one connection that writes and one that reads, each opened when it is first needed. Changes
 * that are asked for at the same time share a commit (group-commit.ts). Writers of several processes take
 * turns (sqlite-turn.ts). A commit is on the disk before anybody, in whichever process, can see it
 * (`synchronous = FULL`).
 */
import { closeSync, openSync, rmSync } from 'node:fs';
import { ExecutionError, InputError } from '../../kit/faults.ts';
import { CommitGroup, type Transaction } from './group-commit.ts';
import { Queue } from './queue.ts';
import { Connection } from './sqlite-connection.ts';
import { commitFault, sqliteFault } from './sqlite-faults.ts';
import { beginWriting } from './sqlite-turn.ts';
import type { FileStore, Session, Store } from './store.ts';

/** How long a writer waits for its turn. */
const DEFAULT_BUSY_SECONDS = 5;

const MS_PER_SECOND = 1000;

/** Nobody but its owner reads a ledger. SQLite gives the files beside it the same mode. */
const PRIVATE = 0o600;

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
  private isSettled = false;

  /** @param file must exist, or be made by `prepare`. */
  constructor(file: string, busySeconds = DEFAULT_BUSY_SECONDS) {
    this.name = file;
    this.busyMs = busySeconds * MS_PER_SECOND;
  }

  read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.reads.run(() =>
      this.guarded(async () => {
        this.reader ??= this.connect();
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
    return this.apart(async (connection) => {
      if (!madePrivate(file))
        throw new ExecutionError(`${file}: there is such a file already`, 'name one that is not there');
      try {
        connection.prepare('VACUUM INTO ?').run(file);
      } catch (error) {
        rmSync(file);
        throw error;
      }
    });
  }

  private prepareFile(): Promise<void> {
    return this.guarded(async () => {
      madePrivate(this.name);
      await this.apart(async (connection) => {
        const tables = await connection.all<{ name: string }>(
          "SELECT name FROM sqlite_schema WHERE type = 'table'",
        );
        if (tables.length > 0 && !tables.some(({ name }) => name === 'schema_versions'))
          throw new InputError(this.name, [
            { problem: 'this database belongs to another program', remedy: 'name a file of its own' },
          ]);
        connection.prepare('PRAGMA journal_mode = WAL').get();
      });
    });
  }

  /** Work on a connection of its own. */
  private apart(work: (connection: Connection) => Promise<void>): Promise<void> {
    return this.guarded(async () => {
      const connection = this.connect();
      try {
        await work(connection);
      } finally {
        connection.close();
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all([
      this.reads.run(async () => this.reader?.close()),
      this.writes.run(async () => {
        this.writer?.emptyLog();
        this.writer?.close();
      }),
    ]);
    this.reader = undefined;
    this.writer = undefined;
  }

  private connect(): Connection {
    const connection = new Connection(this.name, this.busyMs);
    try {
      if (!this.isSettled) connection.settle();
      this.isSettled = true;
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  private writing(): Connection {
    if (this.writer === undefined) {
      this.writer = this.connect();
      // From now on it waits in a way of its own.
      this.writer.database.exec('PRAGMA busy_timeout = 0');
    }
    return this.writer;
  }

  private writerTransaction(): Transaction {
    const writing = () => this.writing();
    return {
      begin: () => beginWriting(writing(), this.busyMs),
      run: (statement) => void writing().prepare(statement).run(),
      commit: () => {
        try {
          writing().prepare('COMMIT').run();
        } catch (error) {
          throw commitFault(error, this.name);
        }
      },
      isOpen: () => this.writer?.database.isTransaction ?? false,
      get session() {
        return writing();
      },
    };
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

/** Makes an empty file. @returns whether there was none of that name. @throws the system's error. */
function madePrivate(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', PRIVATE));
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    throw error;
  }
}
