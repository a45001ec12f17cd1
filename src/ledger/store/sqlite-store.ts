/**
 * SQLite: one file, no server. Writers take turns; readers see the last committed state and wait for nobody
 * (write-ahead log).
 *
 * A process has one connection that writes and one that reads, each opened when it is first needed. Changes
 * that are asked for at the same time share a commit (group-commit.ts). Writers of several processes take
 * turns (sqlite-turn.ts), and wait for a slow disk together (sqlite-log.ts).
 */
import { InputError } from '../../kit/faults.ts';
import { CommitGroup, type Transaction } from './group-commit.ts';
import { Queue } from './queue.ts';
import { Connection } from './sqlite-connection.ts';
import { sqliteFault } from './sqlite-faults.ts';
import { CommitLog, type Disk } from './sqlite-log.ts';
import { beginWriting } from './sqlite-turn.ts';
import type { FileStore, Session, Store } from './store.ts';

/** How long a writer waits for its turn. */
const DEFAULT_BUSY_SECONDS = 5;

const MS_PER_SECOND = 1000;

/** The connection that writes. */
interface Writer {
  readonly connection: Connection;
  readonly log: CommitLog | undefined;
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
  private writer: Writer | undefined;
  private readonly disk: Disk | undefined;

  /**
   * @param file must exist, or be made by the caller's wish: opening makes an empty database.
   * @param disk for tests of failing and slow ones.
   */
  constructor(file: string, busySeconds = DEFAULT_BUSY_SECONDS, disk?: Disk) {
    this.name = file;
    this.disk = disk;
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
    return this.apart(async (connection) => void connection.prepare('VACUUM INTO ?').run(file));
  }

  private prepareFile(): Promise<void> {
    return this.apart(async (connection) => {
      const tables = await connection.all<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table'",
      );
      if (tables.length > 0 && !tables.some(({ name }) => name === 'schema_versions'))
        throw new InputError(this.name, [
          { problem: 'this database belongs to another program', remedy: 'name a file of its own' },
        ]);
      connection.prepare('PRAGMA journal_mode = WAL').get();
    });
  }

  /** Work on a connection of its own. */
  private apart(work: (connection: Connection) => Promise<void>): Promise<void> {
    return this.guarded(async () => {
      const connection = new Connection(this.name, this.busyMs);
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
        this.writer?.log?.close();
        this.writer?.connection.close();
      }),
    ]);
    this.reader = undefined;
    this.writer = undefined;
  }

  private writing(): Writer {
    if (this.writer === undefined) {
      const connection = new Connection(this.name, this.busyMs);
      try {
        this.writer = { connection, log: CommitLog.takeOver(connection, this.disk) };
      } catch (error) {
        connection.close();
        throw error;
      }
      // From now on it waits in a way of its own.
      connection.database.exec('PRAGMA busy_timeout = 0');
    }
    return this.writer;
  }

  private writerTransaction(): Transaction {
    const writing = () => this.writing();
    return {
      begin: () => {
        const { connection, log } = writing();
        log?.requireWhole();
        return beginWriting(connection, this.busyMs);
      },
      run: (statement) => void writing().connection.prepare(statement).run(),
      commit: () => {
        const { connection, log } = writing();
        if (log === undefined) connection.prepare('COMMIT').run();
        else log.commit();
      },
      isOpen: () => this.writer?.connection.database.isTransaction ?? false,
      get session() {
        return writing().connection;
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
