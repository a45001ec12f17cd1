/** What stands around programs that carry plans out. Loaded by every run; what it leads to is not. */
import type { SomeOptions } from '../../../options/command-options.ts';
import { recordNote } from './record-note.ts';

/** Runs a program. A night that ends ahead of its journal, for whatever reason, is on the record, too. */
export async function onRecord<T>(program: string, options: SomeOptions, run: () => Promise<T>): Promise<T> {
  recordNote.isMade = false;
  try {
    return await run();
  } catch (error) {
    if (options.exec && options.resume === undefined && !recordNote.isMade && error instanceof Error)
      await (await import('./carry-out.ts')).recordHeld(program, options, error.message);
    throw error;
  }
}
