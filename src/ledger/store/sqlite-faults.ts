/** What SQLite's errors mean for the user. Result codes: sqlite.org/rescode.html. */
import { BackendError, type Fault, InputError } from '../../kit/faults.ts';
import { OutcomeUnknown, StoreConflict } from './store.ts';

const PRIMARY_CODE_MASK = 0xff;
const BUSY = 5;
const READONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;
/** The index of the log could not grow. */
const SHARED_MEMORY_SIZE = 4874;

const WORDS: Readonly<Record<number, readonly [problem: (detail: string) => string, remedy: string]>> = {
  [BUSY]: [
    () => 'another program is writing and did not come to an end',
    'try again, or see who has the file open (fuser)',
  ],
  [READONLY]: [
    (detail) => `the file or its folder cannot be written (${detail})`,
    'check owner and mode; SQLite keeps two more files beside it (-wal, -shm)',
  ],
  [IO_ERROR]: [(detail) => `reading or writing failed (${detail})`, 'look at the disk and its space'],
  [CORRUPT]: [
    (detail) => `the database is damaged (${detail})`,
    'take the last backup, or save what can be read: sqlite3 FILE .recover',
  ],
  [FULL]: [() => 'no space left on the disk; nothing was changed', 'make room, then try again'],
  [CANNOT_OPEN]: [
    (detail) => `cannot be opened (${detail})`,
    'check that the folder exists and may be entered and written',
  ],
};

/** SQLite's extended result code; 0 of any other error. */
const sqliteCode = (error: unknown): number => {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : 0;
};

const primaryCode = (error: unknown): number => sqliteCode(error) & PRIMARY_CODE_MASK;

export const isBusy = (error: unknown): boolean => primaryCode(error) === BUSY;

export const isFull = (error: unknown): boolean => primaryCode(error) === FULL;

export const isUnreadable = (error: unknown): boolean =>
  [CORRUPT, NOT_A_DATABASE].includes(primaryCode(error));

/** An error of COMMIT: where the disk did not take it, the log's next reader may find it all the same. */
export const commitFault = (error: unknown, file: string): unknown =>
  primaryCode(error) === IO_ERROR
    ? new OutcomeUnknown(
        `${file}: the disk did not take the last changes (${(error as Error).message}); whether they were made is not known`,
        'look at the disk; then look before you repeat them',
      )
    : error;

/** The fault, or the conflict, that `error` means; other errors come back as they are. */
export function sqliteFault(error: unknown, file: string): Fault | StoreConflict | unknown {
  const code = sqliteCode(error);
  if (code === 0) return fileFault(error, file);
  const detail = (error as Error).message;
  const primary = code === SHARED_MEMORY_SIZE ? FULL : primaryCode(error);
  if (primary === CONSTRAINT) return new StoreConflict(detail);
  if (primary === NOT_A_DATABASE)
    return new InputError(file, [{ problem: 'this is not an SQLite database', remedy: 'name another file' }]);
  const words = WORDS[primary];
  return words ? new BackendError(`${file}: ${words[0](detail)}`, words[1]) : error;
}

/** The file that was to be made, or its log. */
function fileFault(error: unknown, file: string): unknown {
  const { code, syscall, message } = error as { code?: string; syscall?: string; message: string };
  if (syscall === undefined) return error;
  const [problem, remedy] = WORDS[code === 'ENOSPC' ? FULL : CANNOT_OPEN]!;
  return new BackendError(`${file}: ${problem(message)}`, remedy);
}
