/**
 * A database behind a small interface: one SQLite file, or PostgreSQL. The same statements run on both.
 *
 * Statements are written with `?` for each value; a list of values is `IN_NUMBERS(?)` or `IN_TEXTS(?)` (see
 * dialect.ts). Each text is prepared once a connection and then kept, so it must not be made anew for every
 * value.
 *
 * All functions are asynchronous, because PostgreSQL is. SQLite answers at once; what is awaited is done by
 * then.
 */
import { BackendError } from '../../kit/faults.ts';

/** What a statement takes; a list only for `IN_NUMBERS(?)` and `IN_TEXTS(?)`. Whole numbers up to 2^53. */
export type SqlValue = string | number | null | readonly number[] | readonly string[];

/**
 * A connection inside a transaction. Not to be used after the work it was given to has ended. Statements run
 * in the order in which they are given; those that need not wait for each other's answers may be given at
 * once (`Promise.all`), which saves time on a network.
 */
export interface Session {
  readonly dialect: DialectName;
  all<Row extends object>(statement: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, or undefined when there is none. */
  get<Row extends object>(statement: string, values?: readonly SqlValue[]): Promise<Row | undefined>;
  /** Number of rows changed. */
  run(statement: string, values?: readonly SqlValue[]): Promise<number>;
  /** Several statements without values, parted by `;`: for migrations. */
  script(statements: string): Promise<void>;
}

export type DialectName = 'sqlite' | 'postgres';

/** What only a store that is one file can do. */
export interface FileStore {
  /**
   * Makes the file one that readers and a writer can use at the same time.
   * @throws {InputError} when it is somebody else's database.
   */
  prepare(): Promise<void>;
  /** A copy of the database as of one moment, whole or not at all. @param file must not exist */
  backUp(file: string): Promise<void>;
  /** Leaves out what is unused. @returns the bytes that the files take, before and after. */
  compact(): Promise<{ readonly before: number; readonly after: number }>;
  /**
   * Puts a copy in the place of the database, which may be damaged or missing.
   * @param bring makes the copy, under the name that it is given.
   * @param keptAs where what was before is kept: this name, or the next one that nobody has.
   * @returns that name; undefined when there was nothing.
   * @throws {ExecutionError} when somebody has the database open.
   */
  restore(bring: (draft: string) => Promise<void>, keptAs: string): Promise<string | undefined>;
}

export interface Store {
  readonly dialect: DialectName;
  /** File name, or URL without its password: for messages. */
  readonly name: string;
  /** undefined for a server. */
  readonly file?: FileStore;
  /** Runs `work` on one consistent state of the database, which it may only read. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Runs `work` as one transaction: SQLite begins it as the only writer, PostgreSQL at read committed. All of
   * it is kept, or, when `work` throws or `isKept` says no to its result, nothing.
   * @throws {StoreConflict} when another writer came first; the same work may be tried again.
   * @throws a Fault when the database cannot be used (full disk, read-only, damaged, gone).
   */
  write<T>(work: (session: Session) => Promise<T>, isKept?: (result: T) => boolean): Promise<T>;
  close(): Promise<void>;
}

/** Another writer was first (deadlock, serialization, uniqueness): nothing changed, and it may be retried. */
export class StoreConflict extends Error {
  readonly code = 'STORE_CONFLICT';
}

/** The last word of the disk or the server about a change is missing: it may have been made, or not. */
export class OutcomeUnknown extends BackendError {
  readonly isOutcomeUnknown = true;
}

/** Whether an error is an OutcomeUnknown, whichever copy of this module made it. */
export const isOutcomeUnknown = (error: unknown): error is OutcomeUnknown =>
  (error as { isOutcomeUnknown?: unknown } | null)?.isOutcomeUnknown === true;

/** Whether an error is a StoreConflict, whichever copy of this module made it. */
export const isStoreConflict = (error: unknown): error is StoreConflict =>
  (error as { code?: unknown } | null)?.code === 'STORE_CONFLICT';
