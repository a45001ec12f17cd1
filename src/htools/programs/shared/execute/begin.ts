/** How programs that carry plans out begin. Loaded by every run; what it leads to is not. */
import { allSaid, faultAmong } from '../../../../kit/cli/all-said.ts';
import type { Fault } from '../../../../kit/faults.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import { assertExecutionWords } from './execution-words.ts';
import { planningRecord } from './record-note.ts';

/**
 * Goes on with what `--resume` names, or plans. A night that ends ahead of its journal, for whatever reason,
 * is on the record, too. @param check throws a Fault for what the options must not say
 * @returns the exit status
 */
export async function begin<Options extends SomeOptions>(
  program: string,
  options: Options,
  plan: (options: Options) => Promise<number>,
  check: (options: Options) => void = () => {},
): Promise<number> {
  if (options.resume !== undefined) {
    assertExecutionWords(options);
    const { resume, takeCluster } = await import('./carry-out.ts');
    await takeCluster(options);
    return resume(program, options);
  }
  const execution = options.exec ? await import('./carry-out.ts') : undefined;
  await execution?.recordPlanning(program, options);
  try {
    allSaid(
      () => check(options),
      () => assertExecutionWords(options),
    );
    await execution?.takeCluster(options);
    return await plan(options);
  } catch (error) {
    if (error instanceof Error) planningRecord.end(error);
    throw error;
  } finally {
    planningRecord.end();
  }
}

/** What keeps a night from beginning at all is on the record, too, or told with why that has no place. */
export async function notBegun(program: string, options: SomeOptions, fault: Fault): Promise<Fault> {
  const { exec, resume, checkConfig, history, luxiSocket, noJournal, journal } = options;
  if (!exec || resume !== undefined || checkConfig !== undefined || history) return fault;
  await (await import('./carry-out.ts')).recordPlanning(program, options);
  planningRecord.end(fault);
  // A file that is named is one of those that have no place.
  if (luxiSocket === undefined || noJournal || journal !== undefined) return fault;
  const { assertJournalPlace } = await import('../../../ganeti/execution/state-folder.ts');
  const tell = (): never => {
    throw fault;
  };
  return faultAmong(tell, () => assertJournalPlace(undefined)) ?? fault;
}
