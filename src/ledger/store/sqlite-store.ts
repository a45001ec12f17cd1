/**
 * SQLite: one file, no server. Readers see the last committed state and wait for nobody (write-ahead log). A
 * process has one connection that reads and one that writes, opened when needed; changes at the same time
 * share a commit (group-commit.ts), processes take turns (`beginWriting`), and a commit is on the disk before
 * anybody can see it (`synchronous = FULL`).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { BackendError } from '../../kit/faults.ts';
import { MS_PER_S } from '../../kit/units.ts';
import { CommitGroup, type Transaction } from './group-commit.ts';
import { Connection } from './sqlite-connection.ts';
import { commitFault, isBusy, sqliteFault } from './sqlite-faults.ts';
import { SqliteFile } from './sqlite-file.ts';
import type { FileStore, Session, Store } from './store.ts';

/** So long somebody waits for another writer. */
const BUSY_MS = 5 * MS_PER_S;

export class SqliteStore implements Store {
  readonly dialect = 'sqlite';
  readonly name: string;
  readonly file: FileStore;
  private readonly reads = new Queue();
  private readonly writes = new Queue();
  private readonly group = new CommitGroup(this.writerTransaction());
  private reader: Connection | undefined;
  private writer: Connection | undefined;
  private isSettled = false;

  /** @param file must exist, or be made by `prepare`. */
  constructor(file: string) {
    this.name = file;
    this.file = new SqliteFile(file, (work) =>
      this.guarded(async () => {
        const connection = this.connect();
        try {
          return await work(connection);
        } finally {
          connection.close();
        }
      }),
    );
  }

  read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.reads.run(() =>
      this.guarded(async () => {
        this.reader ??= this.connect();
        const { reader } = this;
        this.requireInPlace(reader);
        reader.prepare('BEGIN').run();
        try {
          return await work(reader);
        } finally {
          if (reader.database.isTransaction) reader.prepare('ROLLBACK').run();
        }
      }),
    );
  }

  write<T>(work: (session: Session) => Promise<T>, isKept: (result: T) => boolean = () => true): Promise<T> {
    const result = this.guarded(() => this.group.add(work, isKept));
    void this.writes.run(() => this.group.commit());
    return result;
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
    const connection = new Connection(this.name, BUSY_MS);
    try {
      connection.look();
      if (connection.isInPlace()) {
        if (!this.isSettled) connection.settle();
        this.isSettled = true;
        return connection;
      }
    } catch (error) {
      connection.close();
      throw error;
    }
    // While it waited, a copy was put in the place of the file; or there was none.
    connection.close();
    return this.connect();
  }

  /** What is written to a file that has lost its name is gone when the last program closes it. */
  private requireInPlace(connection: Connection): void {
    if (!connection.isInPlace())
      throw new BackendError(
        `${this.name}: the file was moved or replaced while it was open here; nothing was changed`,
        'put it back, or start this program anew; hclaim restore replaces a ledger while nobody has it open',
      );
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
      begin: () => {
        this.requireInPlace(writing());
        return beginWriting(writing());
      },
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

/** Lets one work at a time use a connection, in the order in which they asked. */
class Queue {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => {});
    return result;
  }
}

/**
 * Half as long to half as long again before the second try, then doubling up to the longest. Shorter naps
 * cost eight processes on two cpus twice the cpu, for no more changes a second.
 */
const FIRST_NAP_MS = 1;
const LONGEST_NAP_MS = 32;
/** After so long naps are as short as the first one. */
const EAGER_AFTER_MS = 1000;

/**
 * Begins a transaction as the only writer, until the disk has the changes. Who waits tries again soon, then
 * less and less often, at random: each try takes cpu from the writer at work, who finds its pages still in
 * memory. But between a busy writer's changes the file is free for a twentieth of the time, so who waited for
 * long tries often. SQLite's own wait would hold up the process.
 * @throws `busy` when no turn came in time.
 */
async function beginWriting(writer: Connection): Promise<void> {
  const started = performance.now();
  for (let tries = 0; ; tries++) {
    const waitedMs = performance.now() - started;
    try {
      writer.prepare('BEGIN IMMEDIATE').run();
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs > BUSY_MS) throw error;
    }
    const napMs =
      waitedMs > EAGER_AFTER_MS ? FIRST_NAP_MS : Math.min(FIRST_NAP_MS * 2 ** tries, LONGEST_NAP_MS);
    await wait(napMs * (0.5 + Math.random()));
  }
}
