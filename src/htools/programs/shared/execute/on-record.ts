/** What stands around programs that carry plans out. Loaded by every run; what it leads to is not. */
import type { SomeOptions } from '../../../options/command-options.ts';
import { planningRecord } from './record-note.ts';

/** Runs a program. A night that ends ahead of its journal, for whatever reason, is on the record, too. */
export async function onRecord<T>(program: string, options: SomeOptions, run: () => Promise<T>): Promise<T> {
  if (!options.exec || options.resume !== undefined) return run();
  await (await import('./carry-out.ts')).recordPlanning(program, options);
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error) planningRecord.end(error.message);
    throw error;
  } finally {
    planningRecord.end();
  }
}
