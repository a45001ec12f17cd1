/** How programs that carry plans out begin. Loaded by every run; what it leads to is not. */
import { outliveReport } from '../../../../kit/report/output.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import { assertExecutionWords, waitSecondsOf } from './execution-words.ts';
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
    await prepare(options);
    return (await import('./carry-out.ts')).resume(program, options);
  }
  if (options.exec) await (await import('./carry-out.ts')).recordPlanning(program, options);
  try {
    check(options);
    await prepare(options);
    return await plan(options);
  } catch (error) {
    if (error instanceof Error) planningRecord.end(error.message);
    throw error;
  } finally {
    planningRecord.end();
  }
}

/**
 * Looks at the words about executions, and takes the cluster for one, before anything is read: no plan is
 * made for what another execution is about to change. What is to be carried out is carried out to its end
 * from here on, also when its report cannot be written.
 * @throws ExecutionError when they do not go together, or what is written later cannot be
 * @throws ClusterChangedError when another execution does not end
 */
async function prepare(options: SomeOptions): Promise<void> {
  assertExecutionWords(options);
  const { exec, resume, outputFile } = options;
  if (!exec && resume === undefined) return;
  outliveReport();
  const [{ assertJournalPlace }, { assertFolder }, { lockCluster }, { awaitMaster }, { luxiPath }] =
    await Promise.all([
      import('../../../ganeti/execution/state-folder.ts'),
      import('../../../../kit/files/replace-file.ts'),
      import('./cluster-lock.ts'),
      import('./run-work.ts'),
      import('../../../sources/luxi/read-luxi.ts'),
    ]);
  if (outputFile !== undefined) assertFolder(outputFile);
  if (exec && !options.noJournal) assertJournalPlace(options.journal);
  // The lock stands beside the master's socket.
  await awaitMaster(options);
  await lockCluster(luxiPath(options.luxiSocket!), waitSecondsOf(options));
}
