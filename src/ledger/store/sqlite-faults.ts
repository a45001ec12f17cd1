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

/** SQLite's extended result code, or undefined for any other error. */
const sqliteCode = (error: unknown): number | undefined => {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
};

/** Whether another connection is writing. */
export const isBusy = (error: unknown): boolean => ((sqliteCode(error) ?? 0) & PRIMARY_CODE_MASK) === BUSY;

/** Whether the file is too damaged to be worked with. */
export const isUnreadable = (error: unknown): boolean =>
  [CORRUPT, NOT_A_DATABASE].includes((sqliteCode(error) ?? 0) & PRIMARY_CODE_MASK);

/** An error of COMMIT: where the disk did not take it, the log's next reader may find it all the same. */
export const commitFault = (error: unknown, file: string): unknown =>
  ((sqliteCode(error) ?? 0) & PRIMARY_CODE_MASK) === IO_ERROR
    ? new OutcomeUnknown(
        `${file}: the disk did not take the last changes (${(error as Error).message}); whether they were made is not known`,
        'look at the disk; then look before you repeat them',
      )
    : error;

/** The fault, or the conflict, that `error` means; other errors come back as they are. */
export function sqliteFault(error: unknown, file: string): Fault | StoreConflict | unknown {
  const code = sqliteCode(error);
  if (code === undefined) return fileFault(error, file);
  const detail = (error as Error).message;
  if (code === SHARED_MEMORY_SIZE) return fullDisk(file);
  switch (code & PRIMARY_CODE_MASK) {
    case CONSTRAINT:
      return new StoreConflict(detail);
    case BUSY:
      return new BackendError(
        `${file}: another program is writing and did not come to an end`,
        'try again, or see who has the file open (fuser)',
      );
    case READONLY:
      return new BackendError(
        `${file}: the file or its folder cannot be written (${detail})`,
        'check owner and mode; SQLite keeps two more files beside it (-wal, -shm)',
      );
    case FULL:
      return fullDisk(file);
    case CANNOT_OPEN:
      return new BackendError(
        `${file}: cannot be opened (${detail})`,
        'check that the folder exists and may be entered',
      );
    case NOT_A_DATABASE:
      return new InputError(file, [
        { problem: 'this is not an SQLite database', remedy: 'name another file' },
      ]);
    case CORRUPT:
      return new BackendError(
        `${file}: the database is damaged (${detail})`,
        'take the last backup, or save what can be read: sqlite3 FILE .recover',
      );
    case IO_ERROR:
      return new BackendError(
        `${file}: reading or writing failed (${detail})`,
        'look at the disk and its space',
      );
    default:
      return error;
  }
}

const fullDisk = (file: string): Fault =>
  new BackendError(`${file}: no space left on the disk; nothing was changed`, 'make room, then try again');

/** The file that was to be made, or its log. */
function fileFault(error: unknown, file: string): unknown {
  const { code, syscall, message } = error as { code?: string; syscall?: string; message: string };
  if (syscall === undefined) return error;
  if (code === 'ENOSPC') return fullDisk(file);
  return new BackendError(
    `${file}: cannot be opened (${message})`,
    'check that the folder exists and may be entered and written',
  );
}
