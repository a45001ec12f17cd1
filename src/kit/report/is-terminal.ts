import { fstatSync, statSync } from 'node:fs';

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
