/** Writes files as a whole: beside their place first, then renamed, so that nobody ever finds half of one. */
import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExecutionError } from '../faults.ts';

/**
 * Writes a file, taking the place of one of that name, with its mode. What is no ordinary file, such as a
 * device or a symbolic link (`/dev/stderr`), stays and is written to: renaming would put a file in the place
 * of `/dev/null`.
 * @throws ExecutionError when it cannot be written; then nothing is left behind.
 */
export function replaceFile(path: string, content: string): void {
  try {
    const known = lstatSync(path, { throwIfNoEntry: false });
    if (known && !known.isFile()) writeFileSync(path, content);
    else renameInto(path, content, known?.mode);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ExecutionError(`cannot write ${path}: ${reason}`, 'check the folder and its permissions');
  }
}

/** Like replaceFile, and returns only when the file would outlast a power cut. */
export function replaceFileForGood(path: string, content: string): void {
  replaceFile(path, content);
  for (const place of [path, dirname(path)]) settle(place);
}

/** Has the system write a file or folder to the disk; not every file system can be asked. */
function settle(path: string): void {
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

function renameInto(path: string, content: string, mode: number | undefined): void {
  const draft = `${path}.${process.pid}.new`;
  try {
    writeFileSync(draft, content, mode === undefined ? {} : { mode });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
