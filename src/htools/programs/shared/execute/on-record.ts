/** What stands around programs that carry plans out. Loaded by every run; what it leads to is not. */
import type { SomeOptions } from '../../../options/command-options.ts';

let isOnRecord = false;

/** From here on a journal tells of this run. */
export function noteRecord(): void {
  isOnRecord = true;
}

/** Runs a program. A night that ends ahead of its journal, for whatever reason, is on the record, too. */
export async function onRecord<T>(program: string, options: SomeOptions, run: () => Promise<T>): Promise<T> {
  isOnRecord = false;
  try {
    return await run();
  } catch (error) {
    if (options.exec && options.resume === undefined && !isOnRecord && error instanceof Error)
      await (await import('./carry-out.ts')).recordHeld(program, options, error.message);
    throw error;
  }
}
