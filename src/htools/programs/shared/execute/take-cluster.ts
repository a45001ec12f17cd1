/** Taking the cluster for an execution, before anything is read. */
import { outliveReport } from '../../../../kit/report/output.ts';
import { assertJournalPlace } from '../../../ganeti/execution/state-folder.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import { luxiPath } from '../../../sources/luxi/read-luxi.ts';
import { lockCluster } from './cluster-lock.ts';
import { waitSecondsOf } from './execution-words.ts';
import { awaitMaster } from './run-work.ts';

/**
 * No plan is made for what another execution is about to change. What is to be carried out is carried out to
 * its end from here on, also when its report cannot be written.
 * @throws ExecutionError when what is written later cannot be
 * @throws BackendError when the master stays away
 * @throws ClusterChangedError when another execution does not end
 */
export async function takeCluster(options: SomeOptions): Promise<void> {
  outliveReport();
  if (options.exec && !options.noJournal) assertJournalPlace(options.journal);
  // The lock stands beside the master's socket.
  await awaitMaster(options);
  await lockCluster(luxiPath(options.luxiSocket!), waitSecondsOf(options));
}
