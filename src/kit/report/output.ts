/**
 * Standard output and error, for all programs. Writes return when all is written: nothing is lost when the
 * process ends, the streams keep their order, and Node's stream objects, slow to set up, are never made.
 */
import { closeSync, fstatSync, statSync, writeSync } from 'node:fs';
import { ExecutionError } from '../faults.ts';
import { pause } from '../pause.ts';
import { printable, printableLines } from '../printable.ts';

export const STDOUT = 1;
export const STDERR = 2;

/** Whether somebody looks at a stream. Node's `tty` brings all of its streams and takes 3 ms to load. */
export function isTerminal(descriptor: number): boolean {
  try {
    const stream = fstatSync(descriptor);
    return (
      stream.isCharacterDevice() &&
      stream.rdev !== statSync('/dev/null').rdev &&
      process.getBuiltinModule('node:tty').isatty(descriptor)
    );
  } catch {
    // Not open.
    return false;
  }
}

const STDIN = 0;
const PAUSE_MS = 5;

/** What a write meets when its reader has left: a pipe, and a socket on which a write was waiting. */
const READER_GONE = new Set<string | undefined>(['EPIPE', 'ECONNRESET']);

const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Writes all of `text`; the error of the operating system is thrown. */
function write(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      // A pipe that somebody else made non-blocking is full: its reader will get round to it.
      if (errorCode(error) !== 'EAGAIN') throw error;
      pause(PAUSE_MS);
    }
  }
}

type Painter = (text: string) => string;

const plain: Painter = (text) => text;
const painters = { out: plain, err: plain };

/** What is done to the text of a stream before it is written: colour, on terminals. */
export function setPainter(stream: keyof typeof painters, painter: Painter): void {
  painters[stream] = painter;
}

/** What is to be written: nothing that a terminal would obey but our own colours. */
const painted = (stream: keyof typeof painters, text: string): string =>
  painters[stream](printableLines(text));

let needsReport = true;
let isLossTold = false;

/** From now on the work matters more than its report: what cannot be written is lost, and nothing ends. */
export function outliveReport(): void {
  needsReport = false;
  const terminals = [STDIN, STDOUT, STDERR].filter(isTerminal);
  process.once('exit', () => {
    // Node puts terminals back as it ends, and aborts where one has gone away: it is to find none.
    for (const descriptor of terminals) if (!isTerminal(descriptor)) closeSync(descriptor);
  });
}

let held: string[] | undefined;

/** Keeps standard output, for a file or a caller. @returns gives what came, and lets go */
export function holdOut(): () => string {
  const kept: string[] = [];
  held = kept;
  return () => {
    held = undefined;
    return kept.join('');
  };
}

/**
 * Writes to standard output. Where nobody reads any more (`hbal ... | head`) the program goes on: its files
 * and status are wanted. @returns whether somebody may have read it @throws {ExecutionError} when it cannot
 * be written, as on a full disk.
 */
export function printOut(text: string): boolean {
  if (held) {
    held.push(printableLines(text));
    return true;
  }
  try {
    write(STDOUT, painted('out', text));
    return true;
  } catch (error) {
    if (READER_GONE.has(errorCode(error))) return false;
    const lost = `cannot write to standard output: ${(error as Error).message}`;
    if (needsReport) throw new ExecutionError(lost);
    if (!isLossTold) printErr(`Warning: ${lost}\n`);
    isLossTold = true;
    return false;
  }
}

/** Writes to standard error. Never fails: a remark that nobody gets is no reason to withhold a result. */
export function printErr(text: string): void {
  try {
    write(STDERR, painted('err', text));
  } catch {
    // There is no other place to tell.
  }
}

/** Puts the cursor of a terminal back to the beginning of an empty line. */
const CLEAR_LINE = '\r\x1b[K';

/** Shows `text` in place of the last line of standard error, a terminal; empty: takes that away. */
export function redrawErr(text: string): void {
  try {
    write(STDERR, CLEAR_LINE + printable(text));
  } catch {
    // Progress is for whoever looks; nobody does.
  }
}
