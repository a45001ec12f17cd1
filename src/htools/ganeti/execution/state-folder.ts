/** The folder of the journals that nobody gave a name. */
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ExecutionError, InputError } from '../../../kit/faults.ts';
import { assertNewJournal } from './journal-file.ts';
import { type JournalState, readJournal } from './journal-lines.ts';
import { holderOf, removeLock } from './run-lock.ts';

const ENDING = '.journal';
/** Finished journals that are kept of those that moved something, and of those that did not. */
const MOST_FINISHED = 100;
const FOLDER_MODE = 0o700;

/** What systemd gives a service, else the machine's for root, else the user's own (XDG). */
export function stateFolder(): string {
  const { STATE_DIRECTORY, XDG_STATE_HOME } = process.env;
  if (STATE_DIRECTORY) return STATE_DIRECTORY.split(':')[0]!;
  if (process.geteuid?.() === 0) return '/var/lib/evenkeel';
  return join(XDG_STATE_HOME || join(home(), '.local', 'state'), 'evenkeel');
}

/** Debian's name for that of users who have none. */
const NO_HOME = '/nonexistent';

/** The user may be one whom the system does not know. */
function home(): string {
  try {
    return homedir() || NO_HOME;
  } catch {
    return NO_HOME;
  }
}

/** Makes it where it is not there yet. @returns its name */
export function makeStateFolder(): string {
  const folder = stateFolder();
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  return folder;
}

export interface KeptJournal {
  readonly file: string;
  /** Undefined when it cannot be read. */
  readonly journal: JournalState | undefined;
  /** A process is at it. */
  readonly isRunning: boolean;
}

/** Journals in the folder, the newest first. */
export const keptJournals = (folder: string): readonly KeptJournal[] =>
  namesIn(folder).map((name) => {
    const file = join(folder, name);
    return { file, journal: journalIn(file), isRunning: holderOf(file) !== undefined };
  });

/** Names begin with the time; none where there is no folder yet. @throws ExecutionError */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ENDING))
      .sort()
      .reverse();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new ExecutionError(
      `the journals in ${folder} cannot be read: ${code}`,
      code === 'ENOTDIR'
        ? 'name a folder with STATE_DIRECTORY or XDG_STATE_HOME'
        : 'run this as the user whose journals they are, most likely root',
    );
  }
}

function journalIn(file: string): JournalState | undefined {
  try {
    return readJournal(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof InputError || 'code' in (error as object)) return undefined;
    throw error;
  }
}

const hasBegun = ({ journal }: KeptJournal): boolean =>
  journal?.jobs.some((set) => set.some(({ state }) => state !== 'planned')) === true;

/** The folder of the journals, to be written to. @throws ExecutionError when it cannot be */
function journalFolder(): string {
  try {
    const folder = makeStateFolder();
    accessSync(folder, constants.W_OK);
    return folder;
  } catch (error) {
    throw new ExecutionError(
      `the folder of the journals, ${stateFolder()}, cannot be used: ${(error as NodeJS.ErrnoException).code}`,
      'name a journal elsewhere with --journal, or have none with --no-journal',
    );
  }
}

/**
 * Whether a journal can be begun. @throws ExecutionError
 * @param named its file, unless the folder has it; that it has a place is known of every file that is written
 */
export function assertJournalPlace(named: string | undefined): void {
  if (named === undefined) journalFolder();
  else assertNewJournal(named);
}

/** The oldest journals of those done go, so that there is room for one more. */
export function tidyJournals(): void {
  const finished = keptJournals(stateFolder()).filter(
    ({ journal, isRunning }) => (journal?.outcome === 'done' || journal?.outcome === 'held') && !isRunning,
  );
  for (const has of [true, false])
    for (const { file } of finished.filter((one) => hasBegun(one) === has).slice(MOST_FINISHED - 1)) {
      rmSync(file, { force: true });
      removeLock(file);
    }
}

/** The name of a new journal there. @throws ExecutionError without a folder */
export function newJournalFile(program: string, cluster: string): string {
  const stamp = new Date().toISOString().replace(/[-:.]/g, '');
  const name = `${stamp}-${program}-${cluster.replace(/[^\w.-]/g, '_')}-${process.pid}${ENDING}`;
  return join(journalFolder(), name);
}
