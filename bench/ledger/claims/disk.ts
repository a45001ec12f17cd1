/** How often a second the disk can be waited for: no durable commit, one after the other, is quicker. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';

/** As much as a claim of three classes writes to the log: 17 pages. */
const COMMIT = Buffer.alloc(17 * 4096, 1);
/** Written again and again, as the log is. */
const LOG_BYTES = 4 * 1024 * 1024;
const SECONDS = 2;

/** @param file a new one on the disk in question. */
export function commitsOfDisk(file: string): number {
  const descriptor = openSync(file, 'wx');
  try {
    for (let at = 0; at < LOG_BYTES; at += COMMIT.length) writeSync(descriptor, COMMIT, 0, COMMIT.length, at);
    fdatasyncSync(descriptor);
    const begin = performance.now();
    let count = 0;
    for (; performance.now() - begin < SECONDS * 1000; count++) {
      writeSync(descriptor, COMMIT, 0, COMMIT.length, (count * COMMIT.length) % LOG_BYTES);
      fdatasyncSync(descriptor);
    }
    return Math.round(count / SECONDS);
  } finally {
    closeSync(descriptor);
  }
}
