/**
 * Getting commits onto the disk after the file is free for the next writer.
 *
 * There are two ways, and which one is better depends on the disk:
 *
 * - Under the lock: SQLite's own durable commit (`synchronous = FULL`). Everybody else is kept out until the
 *   disk has it.
 * - Beside the others (`synchronous = NORMAL`): a commit only writes to the log, the lock is given back, and
 *   then the process that has committed waits until the disk has the log; only then is the change answered.
 *   Processes that wait at the same time wait together.
 *
 * On a slow disk the second way makes several times as many changes. On a quick one it makes fewer: whoever
 * waits beside the next writer holds up that one's writes to the same file, and finds its own pages stale
 * when its turn comes again. So now and then some commits wait under the lock, where nobody else's writes are
 * in the figure, and how long they take decides about the next ones.
 *
 * The log is one file that only grows until it is moved to the database, so what is on the disk is always a
 * beginning of it: nobody's change is there without all changes before it, whoever waited for them in
 * whichever way. With `NORMAL`, SQLite sees to the rest (sqlite.org/pragma.html#pragma_synchronous): the log
 * is on the disk before its pages are moved, and these are before the log begins anew.
 *
 * Readers may see a change in the moment before the disk has it. If the power fails in that moment, it was
 * never answered as made.
 */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { BackendError } from '../../kit/faults.ts';
import type { Connection } from './sqlite-connection.ts';

/**
 * So long is the log when it is moved to the database, 16 MiB. That takes two waits for the disk, and writes
 * a page once that changed often: with SQLite's own thousand pages every eightieth claim pays for it.
 */
const PAGES_OF_LOG = 4000;

/**
 * A commit that waits under the lock is quick when it takes less. With a wait of 0.65 ms, eight processes
 * beside each other make 1.4 times the changes of one, with 0.25 ms 0.7 times.
 */
const QUICK_MS = 0.5;

/**
 * So many commits wait beside the others before the other way is tried first: most processes make one change
 * and end.
 */
const FIRST_BESIDE = 16;
/**
 * So many wait under the lock before they are judged, by the quickest: others' work delays some on any disk.
 */
const JUDGED = 8;
/** So many wait beside the others after that on a slow disk. */
const BESIDE = 256;

/** What commits wait for. */
export interface Disk {
  /** Waits until the disk has what was written to an open file. @throws the system's error. */
  sync(descriptor: number): void;
  /** Milliseconds since some moment. */
  now(): number;
}

const REAL_DISK: Disk = { sync: fdatasyncSync, now: () => performance.now() };

export class CommitLog {
  private readonly connection: Connection;
  private readonly file: string;
  private readonly disk: Disk;
  private readonly descriptor: number;
  private failure: BackendError | undefined;
  private waitsUnderLock = false;
  /** Commits until the way is chosen anew. */
  private left = FIRST_BESIDE;
  /** Milliseconds of the quickest commit under the lock since the way was chosen. */
  private least = Infinity;

  private constructor(connection: Connection, file: string, descriptor: number, disk: Disk) {
    this.connection = connection;
    this.file = file;
    this.descriptor = descriptor;
    this.disk = disk;
  }

  /**
   * Takes over the connection's waits for the disk: commits have to go through `commit`. The connection must
   * stay open until `close`: SQLite removes the log with the last one.
   * @returns undefined for a file without a log, or with one that cannot be opened: commits stay durable by
   *   themselves, or SQLite says what is wrong with the file.
   */
  static takeOver(connection: Connection, disk = REAL_DISK): CommitLog | undefined {
    const { database } = connection;
    // Asked from the file, so that the log is open afterwards.
    const { journal_mode } = database.prepare('PRAGMA journal_mode').get() as { journal_mode: string };
    if (journal_mode !== 'wal') return undefined;
    // SQLite resolves links before it puts the log beside the file.
    const { file } = database.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").get() as {
      file: string;
    };
    const descriptor = openedOrNot(`${file}-wal`);
    if (descriptor === undefined) return undefined;
    database.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${PAGES_OF_LOG}`);
    return new CommitLog(connection, file, descriptor, disk);
  }

  /**
   * @throws {BackendError} when an earlier wait failed: the log on the disk may have a hole then, and what
   *   comes after it would be lost.
   */
  requireWhole(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  /**
   * Ends the transaction, and waits until the disk has it.
   * @throws the database's error, and then nothing was made.
   * @throws {BackendError} when it was, and the disk does not take it.
   */
  commit(): void {
    const started = this.disk.now();
    this.connection.prepare('COMMIT').run();
    if (this.waitsUnderLock) this.least = Math.min(this.least, this.disk.now() - started);
    else this.settle();
    if (--this.left === 0) this.chooseWay();
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private settle(): void {
    try {
      this.disk.sync(this.descriptor);
    } catch (error) {
      this.failure = new BackendError(
        `${this.file}: the disk did not take the last changes (${(error as Error).message}); whether they were made is not known`,
        'look at the disk; then look before you repeat them',
      );
      throw this.failure;
    }
  }

  /** Under the lock next, to stay while that is quick. */
  private chooseWay(): void {
    const isUnderLock = !this.waitsUnderLock || this.least < QUICK_MS;
    if (isUnderLock !== this.waitsUnderLock)
      this.connection.database.exec(`PRAGMA synchronous = ${isUnderLock ? 'FULL' : 'NORMAL'}`);
    this.waitsUnderLock = isUnderLock;
    this.left = isUnderLock ? JUDGED : BESIDE;
    this.least = Infinity;
  }
}

function openedOrNot(file: string): number | undefined {
  try {
    return openSync(file, 'r+');
  } catch {
    return undefined;
  }
}
