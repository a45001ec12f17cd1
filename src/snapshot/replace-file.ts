/** Writes files as a whole: beside their place first, then renamed, so that nobody ever finds half of one. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { ExecutionError } from '../cluster/faults.ts';

/**
 * Writes a file, taking the place of one of that name.
 * @throws ExecutionError when it cannot be written; then nothing is left behind.
 */
export function replaceFile(path: string, content: string): void {
  const draft = `${path}.${process.pid}.new`;
  try {
    writeFileSync(draft, content);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ExecutionError(`cannot write ${path}: ${reason}`, 'check the folder and its permissions');
  }
}
