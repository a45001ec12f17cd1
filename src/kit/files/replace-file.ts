/** Writes files as a whole: beside their place first, then renamed, so that nobody ever finds half of one. */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ExecutionError } from '../faults.ts';

/**
 * Writes a file in the place of one of that name, with its mode. Devices and symbolic links (`/dev/stderr`)
 * stay and are written to: renaming would replace `/dev/null`. @throws ExecutionError when it cannot be
 * written; then nothing is left behind.
 */
export const replaceFile = (path: string, content: string): void => replace(path, content, false);

/** Like replaceFile; returns when the file would outlast a power cut. Before that the old one does. */
export const replaceFileForGood = (path: string, content: string): void => replace(path, content, true);

function replace(path: string, content: string, isForGood: boolean): void {
  try {
    const known = lstatSync(path, { throwIfNoEntry: false });
    if (known?.isSymbolicLink() && isPlanted(known, dirname(path)))
      throw new ExecutionError(
        `cannot write ${path}: it is a symbolic link that somebody else put into a folder where everybody may write`,
        'remove it, or name a file in a folder of your own',
      );
    if (known && !known.isFile()) writeFileSync(path, content);
    else renameInto(path, content, known?.mode, isForGood);
  } catch (error) {
    throw writingFault(error, path);
  }
}

/** @throws ExecutionError when no file could be put there, as far as can be told ahead */
export function assertPlace(path: string): void {
  try {
    const known = lstatSync(path, { throwIfNoEntry: false });
    if (known?.isDirectory()) throw writingFault({ code: 'EISDIR' }, path);
    accessSync(known && !known.isFile() ? path : dirname(path), constants.W_OK);
  } catch (error) {
    throw writingFault(error, path);
  }
}

const STICKY_FOR_ALL = 0o1002;

/** As the kernel has it (fs.protected_symlinks), which not every system asks for. */
function isPlanted(link: Stats, folder: string): boolean {
  const { mode, uid } = statSync(folder);
  const isForAll = (mode & STICKY_FOR_ALL) === STICKY_FOR_ALL;
  return isForAll && link.uid !== process.geteuid?.() && link.uid !== uid;
}

function renameInto(path: string, content: string, mode: number | undefined, isForGood: boolean): void {
  const draft = writeBeside(path, content, mode, isForGood);
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  if (isForGood) settleFolder(dirname(path));
}

const NAME_BYTES = 6;
/** Mode of files that nobody else may read. */
export const OWNER_ONLY = 0o600;
/** For those who may do anything with it; the process's mask takes away from that. */
const USUAL_MODE = 0o666;
const PERMISSIONS = 0o7777;

/** A name beside `path` that nobody has, or can foresee. */
export const draftName = (path: string): string => `${path}.${randomBytes(NAME_BYTES).toString('hex')}.new`;

/** Whether it is a name that `draftName` gives to a draft of `path`. */
export const isDraftOf = (name: string, path: string): boolean =>
  name.startsWith(path) && /^\.[0-9a-f]{12}\.new$/.test(name.slice(path.length));

/**
 * A new file beside `path`, of a name that nobody can foresee, through no link: somebody may have put one
 * there. @param isForGood to outlast a power cut @returns its name; on failure nothing is left
 */
export function writeBeside(
  path: string,
  content: string,
  mode: number | undefined,
  isForGood = false,
): string {
  const draft = draftName(path);
  const descriptor = openSync(draft, 'wx', mode ?? USUAL_MODE);
  try {
    if (mode !== undefined) fchmodSync(descriptor, mode & PERMISSIONS);
    writeFileSync(descriptor, content);
    if (isForGood) fsyncSync(descriptor);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return draft;
}

/** Has the system write a folder to the disk; not every file system can be asked. */
export function settleFolder(path: string): void {
  try {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // What is written is there for every other program, and that is what can be had here.
  }
}

const FULL = ['the disk is full', 'free some room there, or name a file on another disk'] as const;
const REASONS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: ['nothing can be written on that file system', 'name a file elsewhere'],
  ENOENT: ['there is no such folder', 'make it, or check its name'],
  ENOTDIR: ['what should be a folder is a file', 'name a file in a folder'],
  EISDIR: ['it is a folder', 'name a file in it'],
  EACCES: ['that is not allowed', 'check the permissions of the folder'],
  ENAMETOOLONG: ['the name is too long', 'give a shorter one'],
};

/** What the operating system says about writing a file, as a fault; what is one already, as it is. */
export function writingFault(error: unknown, path: string): ExecutionError {
  if (error instanceof ExecutionError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const [reason, remedy] = REASONS[code] ?? [undefined, 'check the folder and its permissions'];
  return new ExecutionError(`cannot write ${path}: ${reason ? `${reason} (${code})` : code}`, remedy);
}
