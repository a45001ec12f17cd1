/** What is done with an SQLite file as a whole: made, copied, compacted, and replaced by a copy. */
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ExecutionError, InputError } from '../../kit/faults.ts';
import {
  draftName,
  isDraftOf,
  OWNER_ONLY,
  settleFolder,
  writingFault,
} from '../../kit/files/replace-file.ts';
import { Connection } from './sqlite-connection.ts';
import { isBusy, isFull, isUnreadable, sqliteFault } from './sqlite-faults.ts';
import type { FileStore } from './store.ts';
import { takeUnused } from './unused-name.ts';

/** What SQLite keeps beside a file that is in use. */
const LOG = '-wal';
const INDEX_OF_LOG = '-shm';

/** Work on a connection of its own; what goes wrong is a fault. */
type Apart = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

export class SqliteFile implements FileStore {
  constructor(
    private readonly name: string,
    private readonly apart: Apart,
  ) {}

  async prepare(): Promise<void> {
    try {
      madePrivate(this.name);
    } catch (error) {
      throw sqliteFault(error, this.name);
    }
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
  }

  backUp(file: string): Promise<void> {
    return this.apart(async (connection) => {
      try {
        await withDraft(file, async (draft) => {
          madePrivate(draft);
          connection.prepare('VACUUM INTO ?').run(resolve(draft));
          settle(draft);
          nameAnew(draft, file);
        });
      } catch (error) {
        throw this.fault(error, file);
      }
    });
  }

  compact(): Promise<{ readonly before: number; readonly after: number }> {
    return this.apart(async (connection) => {
      const before = this.bytes();
      connection.prepare('VACUUM').run();
      connection.emptyLog();
      return { before, after: this.bytes() };
    });
  }

  /** @param file that was being made, perhaps on another disk. */
  private fault(error: unknown, file: string): unknown {
    const isOfSystem = (error as { syscall?: string }).syscall !== undefined;
    return isOfSystem ? writingFault(error, file) : sqliteFault(error, isFull(error) ? file : this.name);
  }

  private bytes(): number {
    const sizes = ['', LOG].map((ending) => statSync(this.name + ending, { throwIfNoEntry: false })?.size);
    return sizes.reduce<number>((sum, size = 0) => sum + size, 0);
  }

  async restore(bring: (draft: string) => Promise<void>, keptAs: string): Promise<string | undefined> {
    const present = existsSync(this.name) ? realpathSync(this.name) : undefined;
    const place = present ?? this.name;
    let owner: Connection | undefined;
    try {
      return await withDraft(place, async (draft) => {
        await bring(draft);
        const copy = new Connection(draft, 0);
        copy.prepare('PRAGMA journal_mode = WAL').get();
        copy.close();
        if (present !== undefined) {
          const { uid, gid } = statSync(present);
          chownSync(draft, uid, gid);
          owner = takenAlone(present);
        }
        const kept = present && (await takeUnused(keptAs, '.', (name) => linked(present, name)));
        // A log that is still there belongs to what was, and could not be read.
        for (const ending of [LOG, INDEX_OF_LOG])
          if (existsSync(place + ending)) renameSync(place + ending, (kept ?? draftName(place)) + ending);
        renameSync(draft, place);
        settleFolder(dirname(place));
        return kept;
      });
    } catch (error) {
      // What stays is to be read and written at the same time, as before.
      owner?.prepare('PRAGMA journal_mode = WAL').get();
      throw this.fault(error, this.name);
    } finally {
      // Who waits for the file looks again where it is (sqlite-store.ts).
      owner?.close();
    }
  }
}

/** Locked by who makes the draft: where nobody is, its maker was ended at work. */
const LOCK = '-lock';

/** Work on a draft beside its place, of which nothing stays; nor of those whose makers were ended. */
async function withDraft<T>(place: string, work: (draft: string) => Promise<T>): Promise<T> {
  removeLeftovers(place);
  const draft = draftName(place);
  const lock = draft + LOCK;
  madePrivate(lock);
  const maker = locked(lock);
  try {
    return await work(draft);
  } finally {
    for (const file of [draft, lock]) rmSync(file, { force: true });
    maker.close();
  }
}

function removeLeftovers(place: string): void {
  const [folder, file] = [dirname(place), basename(place)];
  try {
    const names = readdirSync(folder);
    for (const lock of names.filter((name) => name.endsWith(LOCK))) {
      const draft = lock.slice(0, -LOCK.length);
      if (!isDraftOf(draft, file)) continue;
      const maker = locked(join(folder, lock));
      const rest = names.filter((name) => name.startsWith(draft) && name !== lock);
      for (const name of [...rest, lock]) rmSync(join(folder, name), { force: true });
      maker.close();
    }
  } catch {
    // Somebody is at work, or may do there what this user may not.
  }
}

/** A connection that has the file for itself. @throws where somebody has it. */
function locked(file: string): Connection {
  const connection = new Connection(file, 0);
  try {
    connection.database.exec('BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Makes an empty file, also behind a link, unless there is one of that name. @throws the system's error. */
function madePrivate(file: string): void {
  // One that is there is not opened: closing it would take away the locks that this process has on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
}

/** Waits until the disk has the file. */
function settle(file: string): void {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function nameAnew(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch {
    if (existsSync(file))
      throw new ExecutionError(`${file}: there is such a file already`, 'name one that is not there');
    // Not every file system knows two names for one file.
    renameSync(draft, file);
  }
  settleFolder(dirname(file));
}

/** Whether the file has a second name now; not where somebody has it. */
async function linked(file: string, name: string): Promise<boolean> {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * A connection that keeps everybody else out, with the log moved to the database. undefined for a file that
 * nobody can work with. @throws {ExecutionError} when somebody has it open.
 */
function takenAlone(file: string): Connection | undefined {
  let connection: Connection | undefined;
  try {
    connection = new Connection(file, 0);
    connection.database.exec('PRAGMA locking_mode = EXCLUSIVE');
    connection.prepare('PRAGMA journal_mode = DELETE').get();
    connection.database.exec('BEGIN EXCLUSIVE; COMMIT');
    return connection;
  } catch (error) {
    connection?.close();
    if (isUnreadable(error)) return undefined;
    if (!isBusy(error)) throw error;
    throw new ExecutionError(
      `${file}: somebody has the ledger open; nothing was changed`,
      'end what works with it (hplaced, hclaim watch...); fuser tells who that is',
    );
  }
}
