/** Files that say which process is at something; what dead ones have left behind is taken over. */
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import { ExecutionError } from '../../../kit/faults.ts';
import { writeBeside, writingFault } from '../../../kit/files/replace-file.ts';
import { once } from '../../../kit/kept.ts';
import { MS_PER_S, S_PER_HOUR } from '../../../kit/units.ts';

/** Members of the daemons' group execute beside root: each has to see whether the other is at it. */
const FOR_ALL_TO_READ = 0o644;

/** What the system tells; empty where it does not. */
const systemText = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return '';
  }
};

/** Field of /proc/PID/stat that holds the start time, counted behind the name in parentheses. */
const START_TIME = 19;

/** What tells a process from a later one with the same number; empty where the system does not say. */
const startTimeOf = (pid: number): string => {
  const stat = systemText(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME] ?? '';
};

/** Whose numbers of processes these are: containers have their own. */
const ownSpace = once(() => systemText(() => readlinkSync('/proc/self/ns/pid')));

/** So long a lock counts whose process cannot be seen from here: no execution is to be held up for ever. */
const UNSEEN_MS = 24 * S_PER_HOUR * MS_PER_S;

function isYoung(file: string): boolean {
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Math.abs(Date.now() - made) < UNSEEN_MS;
}

function isAlive(pid: number, startTime: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startTimeOf(pid);
  // A system may hide other users' processes (hidepid): this one is there.
  return now === '' || now === startTime;
}

/**
 * What a lock says: number and start time of the process that holds it, and where that counts; undefined
 * when nobody does.
 * @throws ExecutionError when it is there, but cannot be read
 */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ExecutionError(
      `the lock ${file} cannot be read: ${code}`,
      'run this as its owner, or remove it once its process has ended',
    );
  }
}

/** Makes a file at once with all that is in it. @returns whether there was none yet */
function createWhole(file: string, content: string): boolean {
  let beside: string | undefined;
  try {
    beside = writeBeside(file, content, FOR_ALL_TO_READ);
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
  const taken = textOf(aside);
  rmSync(aside, { force: true });
  if (taken !== undefined && taken !== stale) createWhole(file, taken);
}

const lockOf = (path: string): string => `${path}.lock`;

/** Who has a lock. @param text what its file says */
function holderIn(file: string, text: string | undefined): string | undefined {
  const [pid = '', startTime = '', space = ownSpace()] = (text ?? '').trim().split(' ');
  const who = `process ${pid}`;
  if (!(Number(pid) > 0)) return undefined;
  if (space === ownSpace()) return isAlive(Number(pid), startTime) ? who : undefined;
  return isYoung(file) ? `${who} of another container (if it has ended, remove ${file})` : undefined;
}

export const holderOf = (path: string): string | undefined => holderIn(lockOf(path), textOf(lockOf(path)));

export const removeLock = (path: string): void => rmSync(lockOf(path), { force: true });

/** Takes a lock. @returns what frees it, or who has it @throws ExecutionError if unwritable */
export function takeLock(path: string): (() => void) | string {
  const file = lockOf(path);
  while (!createWhole(file, `${process.pid} ${startTimeOf(process.pid)} ${ownSpace()}\n`)) {
    const text = textOf(file);
    if (text === undefined) continue;
    const holder = holderIn(file, text);
    if (holder !== undefined) return holder;
    removeStale(file, text);
  }
  return () => rmSync(file, { force: true });
}
