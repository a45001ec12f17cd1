/**
 * Getting commits onto the disk after the file is free for the next writer.
 *
 * SQLite's own durable commit (`synchronous = FULL`) waits for the disk while it keeps everybody else out. Here a commit only writes to the
 * log, the lock is given back, and then the process that has committed waits until the disk has the log; only then is the change
 * answered. Processes that wait at the same time wait together. The log is one file that only grows until it is moved to the database, so
 * what is on the disk is always a beginning of it: nobody's change is there without all changes before it. `synchronous = NORMAL`
 * sees to the rest (sqlite.org/pragma.html#pragma_synchronous): the log is on the disk before its pages are moved, and these are before
 * the log begins anew.
 *
 * Readers may see a change in the moment before the disk has it. If the power fails in that moment, it was never answered as made.
 */
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { BackendError } from '../cluster/faults.ts';
import type { Connection } from './sqlite-connection.ts';

/**
 * So long is the log when it is moved to the database, 16 MiB. That takes two waits for the disk, and writes a page once that changed
 * often: with SQLite's own thousand pages every eightieth claim pays for it.
 */
const PAGES_OF_LOG = 4000;

/** Waits until the disk has what was written to an open file. @throws the system's error. */
export type Sync = (descriptor: number) => void;

export class CommitLog {
  private readonly file: string;
  private readonly sync: Sync;
  private readonly descriptor: number;
  private failure: BackendError | undefined;

  private constructor(file: string, descriptor: number, sync: Sync) {
    this.file = file;
    this.descriptor = descriptor;
    this.sync = sync;
  }

  /**
   * Takes the wait for the disk out of the connection's commits. The connection must stay open until `close`: SQLite removes the log with
   * the last one.
   * @returns undefined for a file without a log, or with one that cannot be opened: commits stay durable by themselves, or SQLite says what
   * is wrong with the file.
   */
  static takeOver({ database }: Connection, sync: Sync = fdatasyncSync): CommitLog | undefined {
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
    return new CommitLog(file, descriptor, sync);
  }

  /** @throws {BackendError} when an earlier wait failed: the log on the disk may have a hole then, and what comes after it would be lost. */
  requireWhole(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  /** Waits until the disk has all commits so far. @throws {BackendError} when it does not take them. */
  settle(): void {
    try {
      this.sync(this.descriptor);
    } catch (error) {
      this.failure = new BackendError(
        `${this.file}: the disk did not take the last changes (${(error as Error).message}); whether they were made is not known`,
        'look at the disk; then look before you repeat them',
      );
      throw this.failure;
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

function openedOrNot(file: string): number | undefined {
  try {
    return openSync(file, 'r+');
  } catch {
    return undefined;
  }
}
