/**
 * Standard output and standard error. All programs write through these two functions.
 *
 * They write at once and return when everything is written: nothing is lost when the process ends right behind, the two streams
 * keep their order, and Node's stream objects, which take a while to set up, are never made.
 */
import { writeSync } from 'node:fs';

const STDOUT = 1;
const STDERR = 2;
const EXIT_READER_GONE = 0;
const PAUSE_MS = 5;

/** Waits without running anything else. */
const pause = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, milliseconds);
};

function write(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A pipe that somebody else made non-blocking is full: its reader will get round to it.
      if (code === 'EAGAIN') pause(PAUSE_MS);
      // The reader of our output has seen enough (`hbal ... | head`); nobody is left to tell.
      else if (code === 'EPIPE') process.exit(EXIT_READER_GONE);
      else throw error;
    }
  }
}

/** Writes to standard output. Ends the process quietly when nobody reads it any more. */
export const printOut = (text: string): void => write(STDOUT, text);

/** Writes to standard error. Ends the process quietly when nobody reads it any more. */
export const printErr = (text: string): void => write(STDERR, text);
