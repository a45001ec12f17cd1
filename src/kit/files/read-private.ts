/** Reads files with secrets. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { BackendError } from '../faults.ts';
import { readingFault } from './read-input.ts';

/** May a file be read or written by others than its owner. */
const OTHERS_MASK = 0o077;
const OCTAL = 8;

/**
 * @param what is in it, for the message
 * @throws BackendError when it cannot be read, or may be read by others
 */
export function readPrivate(path: string, what: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    // The open file is asked, and not its name, which could mean another file by the time it is read.
    const { mode } = fstatSync(descriptor);
    if ((mode & OTHERS_MASK) === 0) return readFileSync(descriptor, 'utf8');
    throw new BackendError(
      `users other than its owner may read the ${what} in ${path} (its mode is 0${(mode & 0o777).toString(OCTAL)})`,
      `run: chmod 600 ${path}`,
    );
  } catch (error) {
    throw readingFault(error, path);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
