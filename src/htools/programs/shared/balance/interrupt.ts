/** A search that Ctrl-C ends with what it has found so far. */
import { printErr } from '../../../../kit/report/output.ts';
import { int32 } from '../../../../kit/shared-arrays.ts';

/** @param work told to end by shared memory that is no longer 0; a second Ctrl-C ends the program */
export async function interruptible<T>(work: (stop: Int32Array) => Promise<T>): Promise<T> {
  const stop = int32(1);
  const onInterrupt = (): void => {
    Atomics.store(stop, 0, 1);
    printErr('Ending the search with the best plan so far; once more to leave at once\n');
  };
  process.once('SIGINT', onInterrupt);
  try {
    return await work(stop);
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}
