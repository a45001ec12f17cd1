/** A journal's file: each event rewrites it aside and renames it, so that a crash leaves whole lines. */
import { closeSync, existsSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExecutionError } from '../../../kit/faults.ts';
import { isFolder, readInput } from '../../../kit/files/read-input.ts';
import { OWNER_ONLY, replaceFileForGood, writingFault } from '../../../kit/files/replace-file.ts';
import { type JournalLine, type JournalState, journalLine, readJournal } from './journal-lines.ts';
import { takeLock } from './run-lock.ts';

export interface Journal {
  write(...lines: readonly JournalLine[]): void;
  close(): void;
}

/** An execution that nobody can take up again. */
export const NO_JOURNAL: Journal = { write: () => {}, close: () => {} };

/** Keeps two runs from one journal. @returns what frees it @throws ExecutionError while another run has it */
function lock(path: string): () => void {
  const taken = takeLock(path);
  if (typeof taken === 'function') return taken;
  throw new ExecutionError(
    `${taken} is carrying out the plan in ${path}`,
    'wait for it, or end it with SIGINT',
  );
}

/**
 * Plans name all that an attacker would like to know; what is there already keeps its mode.
 * @returns whether the file was made
 */
function makePrivate(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw writingFault(error, path);
    return false;
  }
}

/** @param before what the journal holds already; asked once the lock is there */
function openJournal(path: string, before: () => string): Journal {
  const unlock = lock(path);
  try {
    let content = before();
    return {
      write(...lines) {
        const time = new Date().toISOString();
        const isMade = content === '' && makePrivate(path);
        content += lines.map((line) => journalLine(line, time)).join('');
        try {
          replaceFileForGood(path, content);
        } catch (error) {
          // A disk that is full takes an empty file.
          if (isMade) rmSync(path, { force: true });
          throw error;
        }
      },
      close: unlock,
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A new journal. @throws ExecutionError when the file holds something already, or cannot be written */
export const newJournal = (path: string): Journal =>
  openJournal(path, () => {
    assertNewJournal(path);
    return '';
  });

/** @throws ExecutionError when there is an execution in the file already */
export function assertNewJournal(path: string): void {
  if (isFolder(path)) throw new ExecutionError(`${path} is a folder`, 'name a file in it');
  if (existsSync(path) && statSync(path).size > 0)
    throw new ExecutionError(
      `${path} is not empty`,
      'continue the execution in it with --resume, or name another file',
    );
}

/** A journal to go on with. @throws BackendError, InputError, ExecutionError: unreadable; none; in use */
export function oldJournal(path: string): { readonly journal: Journal; readonly state: JournalState } {
  let state: JournalState | undefined;
  // What a link leads to has the lock, and is replaced as a whole; through the link it would be written over.
  const file = existsSync(path) ? realpathSync(path) : path;
  const journal = openJournal(file, () => {
    // A journal is gone on with: a file of whatever name.
    const content = Buffer.from(readInput(resolve(file))).toString('utf8');
    state = readJournal(content, path);
    // An editor, or a copy that was cut off, may have taken the end of the last line.
    return content.replace(/\n?$/, '\n');
  });
  return { journal, state: state! };
}
