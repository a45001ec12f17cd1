/**
 * The file of a journal: each event rewrites it beside its place and renames it, so that a crash leaves whole
 * lines.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { ExecutionError } from '../../../kit/faults.ts';
import { readInput } from '../../../kit/files/read-input.ts';
import { replaceFileForGood, writeBeside, writingFault } from '../../../kit/files/replace-file.ts';
import { type JournalLine, type JournalState, journalLine, readJournal } from './journal-lines.ts';

/** Where an execution writes what it does. */
export interface Journal {
  write(...lines: readonly JournalLine[]): void;
  /** Nothing more is written. */
  close(): void;
}

/** An execution that nobody can take up again. */
export const NO_JOURNAL: Journal = { write: () => {}, close: () => {} };

/** Field of /proc/PID/stat that holds the start time, counted behind the name in parentheses. */
const START_TIME = 19;
const OWNER_ONLY = 0o600;

/** What tells a process from a later one with the same number; empty where the system does not say. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME] ?? '';
  } catch {
    return '';
  }
}

function isAlive(pid: number, startTime: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return startTimeOf(pid) === startTime;
}

/** What a lock says: number and start time of the process that holds it; undefined when nobody does. */
function holderOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Makes a file at once with all that is in it. @returns whether there was none yet */
function createWhole(file: string, content: string): boolean {
  let beside: string | undefined;
  try {
    beside = writeBeside(file, content, OWNER_ONLY);
    linkSync(beside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw writingFault(error, file);
  } finally {
    if (beside !== undefined) rmSync(beside, { force: true });
  }
}

/** Takes a dead process's lock away; not the one that somebody else has put in its place meanwhile. */
function removeStale(file: string, stale: string): void {
  const aside = `${file}.${randomUUID()}.stale`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const taken = holderOf(aside);
  rmSync(aside, { force: true });
  if (taken !== undefined && taken !== stale) createWhole(file, taken);
}

/**
 * Keeps two runs from one journal.
 * @returns what gives it free
 * @throws ExecutionError while another run has it
 */
function lock(path: string): () => void {
  const file = `${path}.lock`;
  while (!createWhole(file, `${process.pid} ${startTimeOf(process.pid)}\n`)) {
    const holder = holderOf(file);
    if (holder === undefined) continue;
    const [pid = '', startTime = ''] = holder.trim().split(' ');
    if (Number(pid) > 0 && isAlive(Number(pid), startTime)) {
      throw new ExecutionError(
        `process ${pid} is carrying out the plan in ${path}`,
        'wait for it, or end it with SIGINT',
      );
    }
    removeStale(file, holder);
  }
  return () => rmSync(file, { force: true });
}

/** @param before what the journal holds already; asked once the lock is there */
function openJournal(path: string, before: () => string): Journal {
  const unlock = lock(path);
  try {
    let content = before();
    return {
      write(...lines) {
        const time = new Date().toISOString();
        content += lines.map((line) => journalLine(line, time)).join('');
        replaceFileForGood(path, content);
      },
      close: unlock,
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A new journal. @throws ExecutionError when the file holds something already, or cannot be written */
export function newJournal(path: string): Journal {
  return openJournal(path, () => {
    assertNewJournal(path);
    return '';
  });
}

/** @throws ExecutionError when there is an execution in the file already */
export function assertNewJournal(path: string): void {
  if (existsSync(path) && statSync(path).size > 0)
    throw new ExecutionError(
      `${path} is not empty`,
      'continue the execution in it with --resume, or name another file',
    );
}

/**
 * A journal to go on with.
 * @throws BackendError when it cannot be read
 * @throws InputError when it is none
 * @throws ExecutionError while another run is at it
 */
export function oldJournal(path: string): { readonly journal: Journal; readonly state: JournalState } {
  let state: JournalState | undefined;
  const journal = openJournal(path, () => {
    const content = Buffer.from(readInput(path)).toString('utf8');
    state = readJournal(content, path);
    return content;
  });
  return { journal, state: state! };
}
