/** How programs that carry plans out begin. Loaded by every run; what it leads to is not. */
import { Fault } from '../../../../kit/faults.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import { prepareExecution } from './prepare-execution.ts';

/**
 * Prepares an execution and reads the cluster. A night on which that cannot be done is on the record, too.
 * @throws as prepareExecution and `load` do
 */
export async function loadToExecute<T>(
  program: string,
  options: SomeOptions,
  load: () => Promise<T>,
): Promise<T> {
  try {
    await prepareExecution(options);
    return await load();
  } catch (fault) {
    if (options.exec && fault instanceof Fault)
      await (await import('./carry-out.ts')).recordHeld(program, options, fault);
    throw fault;
  }
}
