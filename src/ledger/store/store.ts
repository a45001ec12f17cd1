/**
 * A database behind a small interface: an SQLite file, or PostgreSQL, with the same statements. They have `?`
 * for each value, `IN_NUMBERS(?)` or `IN_TEXTS(?)` for a list (see dialect.ts). Each text is prepared once a
 * connection and kept, so it must not be made anew for every value. All is asynchronous, for PostgreSQL is.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { BackendError } from '../../kit/faults.ts';

/** What a statement takes; a list only for `IN_NUMBERS(?)` and `IN_TEXTS(?)`. Whole numbers up to 2^53. */
export type SqlValue = string | number | null | readonly number[] | readonly string[];

/**
 * A connection inside a transaction, for as long as the work it was given to. Statements run in their order;
 * those that need not wait for each other may be given at once (`Promise.all`), which saves time.
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
  /** Makes it a file for readers and a writer at a time. @throws {InputError} when it is somebody else's. */
  prepare(): Promise<void>;
  /** A copy of the database as of one moment, whole or not at all. @param file must not exist */
  backUp(file: string): Promise<void>;
  /** Leaves out what is unused. @returns the bytes that the files take, before and after. */
  compact(): Promise<{ readonly before: number; readonly after: number }>;
  /**
   * Puts a copy in the place of the database, which may be damaged or missing. @param bring makes the copy,
   * under that name. @param keptAs name, or the next free one, for what was before. @returns that name;
   * undefined: there was nothing. @throws {ExecutionError} when somebody has it open.
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
   * Runs `work` as one transaction, on SQLite as the only writer, on PostgreSQL at read committed, all or
   * nothing: nothing when it throws or `isKept` says no. @throws {StoreConflict} when another writer was
   * first; try again @throws a Fault when the database cannot be used
   */
  write<T>(work: (session: Session) => Promise<T>, isKept?: (result: T) => boolean): Promise<T>;
  close(): Promise<void>;
}

/** Another writer was first (deadlock, serialization, uniqueness): nothing changed, and it may be retried. */
export class StoreConflict extends Error {}

/** The last word of the disk or the server about a change is missing: it may have been made, or not. */
export class OutcomeUnknown extends BackendError {}

/** Tries of one change before it is given up as a conflict. */
const MAX_TRIES = 10;
const FIRST_WAIT_MS = 4;

/** Repeats it while it is a conflict or throws one, with random waits whose bound doubles. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  isConflict: (result: T) => boolean = () => false,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      const result = await attempt();
      if (tries === MAX_TRIES || !isConflict(result)) return result;
    } catch (error) {
      if (tries === MAX_TRIES || !(error instanceof StoreConflict)) throw error;
    }
    await wait(Math.random() * FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 5));
  }
}
