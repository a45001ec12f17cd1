/** One connection to an SQLite file: statements are prepared once and kept. */
import { closeSync, fdatasyncSync, openSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { DatabaseSync } from '@photostructure/sqlite';
import { heldOff } from '../../kit/end-gate.ts';
import { kept } from '../../kit/kept.ts';
import { sqliteValues, translate } from './dialect.ts';
import { requireStorable } from './storable.ts';
import type { Session, SqlValue } from './store.ts';

/**
 * At 16 MiB the log is moved to the database: two waits for the disk, and pages that changed often are
 * written once. With SQLite's thousand pages every eightieth claim pays for it. A log that grew is cut again.
 */
const PAGES_OF_LOG = 4000;
const BYTES_OF_LOG = 16 * 1024 * 1024;

export class Connection implements Session {
  readonly dialect = 'sqlite';
  readonly database: DatabaseSyncInstance;
  private readonly prepared = new Map<string, StatementSyncInstance>();
  private readonly opened: number | undefined;

  /** @param file must exist. @param busyMs how long a statement waits for another writer, standing still. */
  constructor(
    private readonly file: string,
    busyMs: number,
  ) {
    this.opened = inodeOf(file);
    // As it stands SQLite would take `:memory:` for no file at all; and of one that is away it would make
    // an empty one, open to all, and stay with that once the ledger is back.
    const url = `${pathToFileURL(file).href}?mode=rw`;
    this.database = heldOff(new DatabaseSync(url), ['prepare', 'exec', 'close']);
    this.database.exec(
      `PRAGMA busy_timeout = ${busyMs}; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
       PRAGMA wal_autocheckpoint = ${PAGES_OF_LOG}; PRAGMA journal_size_limit = ${BYTES_OF_LOG}`,
    );
  }

  prepare(statement: string): StatementSyncInstance {
    return kept(this.prepared, statement, () =>
      heldOff(this.database.prepare(translate('sqlite', statement)), ['run', 'get', 'all']),
    );
  }

  async all<Row>(statement: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.prepare(statement).all(...storable(values)) as Row[];
  }

  async get<Row>(statement: string, values: readonly SqlValue[] = []): Promise<Row | undefined> {
    return (this.prepare(statement).get(...storable(values)) as Row | undefined) ?? undefined;
  }

  async run(statement: string, values: readonly SqlValue[] = []): Promise<number> {
    return Number(this.prepare(statement).run(...storable(values)).changes);
  }

  async script(statements: string): Promise<void> {
    this.database.exec(translate('sqlite', statements));
  }

  /** Whether the file is still where it was opened: not moved away, and no other one put in its place. */
  isInPlace(): boolean {
    return inodeOf(this.file) === this.opened;
  }

  /** Reads the file with its log, once nobody has it for himself; nor does anybody until this is closed. */
  look(): void {
    this.database.prepare('SELECT COUNT(*) AS count FROM sqlite_schema').get();
  }

  /**
   * Waits until the disk has the log, once `look` has read it: commits do, but where every process was ended
   * at work, the next one reads what the last wrote and did not wait for.
   */
  settle(): void {
    // SQLite resolves links before it puts the log beside the file.
    const { file } = this.database
      .prepare("SELECT file FROM pragma_database_list WHERE name = 'main'")
      .get() as { file: string };
    const log = openedOrNot(`${file}-wal`);
    if (log === undefined) return;
    try {
      fdatasyncSync(log);
    } finally {
      closeSync(log);
    }
  }

  /** Moves the log to the database and empties it, unless others are at work. What stays is not lost. */
  emptyLog(): void {
    this.database.exec('PRAGMA busy_timeout = 0');
    try {
      this.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    } catch {
      // A full or read-only disk: the log keeps everything.
    }
  }

  /** Ends all statements, too. Who closes a file last moves its log to the database, and removes it. */
  close(): void {
    this.prepared.clear();
    this.database.close();
  }
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;

/** No log: nothing to wait for. One that may not be read: SQLite says so. */
function openedOrNot(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch {
    return undefined;
  }
}

function storable(values: readonly SqlValue[]): readonly (string | number | null)[] {
  requireStorable(values);
  return sqliteValues(values);
}
