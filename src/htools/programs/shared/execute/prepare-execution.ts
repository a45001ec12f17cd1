/** What stands ahead of an execution. Loaded by every run; what it leads to is not. */
import { outliveReport } from '../../../../kit/report/output.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import { assertExecutionWords, waitSecondsOf } from './execution-words.ts';

/**
 * Looks at the words about executions, and takes the cluster for one, before anything is read: no plan is
 * made for what another execution is about to change. What is to be carried out is carried out to its end
 * from here on, also when its report cannot be written.
 * @throws ExecutionError when they do not go together, or what is written later cannot be
 * @throws ClusterChangedError when another execution does not end
 */
export async function prepareExecution(options: SomeOptions): Promise<void> {
  assertExecutionWords(options);
  const { exec, resume, outputFile } = options;
  if (!exec && resume === undefined) return;
  outliveReport();
  const [{ assertJournalPlace }, { assertFolder }, { lockCluster }, { luxiPath }] = await Promise.all([
    import('../../../ganeti/execution/state-folder.ts'),
    import('../../../../kit/files/replace-file.ts'),
    import('./cluster-lock.ts'),
    import('../../../sources/luxi/read-luxi.ts'),
  ]);
  if (outputFile !== undefined) assertFolder(outputFile);
  if (exec && !options.noJournal) assertJournalPlace(options.journal);
  await lockCluster(luxiPath(options.luxiSocket!), waitSecondsOf(options));
}
