/** Reading files, standard input, and files that nobody else may read. */
import { closeSync, fstatSync, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { BackendError, Fault, InputError } from '../faults.ts';
import { pause } from '../pause.ts';

/** Many times the largest cluster; what is larger is the wrong file, or has no end. */
const MAX_BYTES = 256 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;
const STANDARD_INPUT = 0;
/** How long to wait before asking an empty, non-blocking standard input again. */
const RETRY_MILLISECONDS = 5;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'permission denied',
  EISDIR: 'is a directory',
};

/**
 * @param path `-` is standard input.
 * @throws BackendError when it cannot be read, InputError when it is too large to be what it should be.
 */
export const readInput = (path: string): Uint8Array =>
  path === '-' ? readStandardInput() : withOpen(path, (descriptor) => readAll(descriptor, path));

function withOpen<T>(path: string, read: (descriptor: number) => T): T {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    return read(descriptor);
  } catch (error) {
    throw readingFault(error, path);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** What is there; undefined where nothing is, or where it cannot be looked at. */
export function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

export const isFolder = (path: string): boolean => statusOf(path)?.isDirectory() === true;

let isStandardInputRead = false;

function readStandardInput(): Uint8Array {
  if (isStandardInputRead)
    throw new BackendError('-: standard input is read already', 'name a file in one of the places');
  isStandardInputRead = true;
  try {
    return readAll(STANDARD_INPUT, '-');
  } catch (error) {
    throw readingFault(error, 'standard input');
  }
}

function readAll(descriptor: number, name: string): Uint8Array {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readChunk(descriptor, chunk);
    if (count === 0) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, total);
    total += count;
    if (total > MAX_BYTES) {
      const problem = `larger than ${MAX_BYTES / 2 ** 20} MiB`;
      throw new InputError(name, [{ problem, remedy: 'this is not a description of a cluster' }]);
    }
    chunks.push(chunk.subarray(0, count));
  }
}

function readChunk(descriptor: number, chunk: Uint8Array): number {
  for (;;) {
    try {
      return readSync(descriptor, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      pause(RETRY_MILLISECONDS);
    }
  }
}

/** What the system says about a file, as a fault; what is one already, or no such error, as it is. */
function readingFault(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof Fault || code === undefined) return error;
  return new BackendError(
    `cannot read ${path}: ${REASONS[code] ?? code}`,
    'check the name and the permissions',
  );
}

/** May a file be read or written by others than its owner. */
const OTHERS_MASK = 0o077;
const OCTAL = 8;

/** @param what is in it @throws BackendError when it cannot be read, or may be read by others */
export const readPrivate = (path: string, what: string): string =>
  withOpen(path, (descriptor) => {
    // The open file is asked, and not its name, which could mean another file by the time it is read.
    const status = fstatSync(descriptor);
    const { mode } = status;
    if ((mode & OTHERS_MASK) === 0 || status.isDirectory()) return readFileSync(descriptor, 'utf8');
    throw new BackendError(
      `users other than its owner may read the ${what} in ${path} (its mode is 0${(mode & 0o777).toString(OCTAL)})`,
      `run: chmod 600 ${path}`,
    );
  });
