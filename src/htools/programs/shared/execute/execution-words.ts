/**
 * The options about carrying plans out, and which of them go together. Loaded by every run; what they lead to
 * is not.
 */

import { ExecutionError } from '../../../../kit/faults.ts';
import { outliveReader } from '../../../../kit/report/output.ts';
import { assertNewJournal } from '../../../ganeti/execution/journal-file.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import type { SourceWords } from '../cluster/load-cluster.ts';

/** What of the command line decides how a plan is carried out. */
export type ExecutionWords = SourceWords &
  SomeOptions<
    | 'format'
    | 'exec'
    | 'jobReason'
    | 'priority'
    | 'journal'
    | 'noJournal'
    | 'resume'
    | 'retry'
    | 'skip'
    | 'wayHome'
    | 'wait'
    | 'until'
    | 'calm'
    | 'execDryRun'
    | 'worth'
    | 'bandwidth'
    | 'parallel'
    | 'offline'
    | 'maxCpu'
    | 'minDisk'
    | 'rebootTimeout'
    | 'why'
    | 'tryMove'
  >;

const SECONDS_PER_MINUTE = 60;

export const waitSecondsOf = ({ wait = 0 }: ExecutionWords): number => wait * SECONDS_PER_MINUTE;

/**
 * Looks at the words about executions, and takes the cluster for one, before anything is read: no plan is
 * made for what another execution is about to change. What is to be carried out is carried out to its end
 * from here on, also when whoever reads its report (`| head`) has gone.
 * @throws ExecutionError when they do not go together
 * @throws ClusterChangedError when another execution does not end
 */
export async function prepareExecution(options: ExecutionWords): Promise<void> {
  assertExecutionWords(options);
  const { exec, resume, journal } = options;
  if (!exec && resume === undefined) return;
  outliveReader();
  if (exec && journal !== undefined) assertNewJournal(journal);
  const [{ lockCluster }, { luxiPath }] = await Promise.all([
    import('./cluster-lock.ts'),
    import('../../../sources/luxi/read-luxi.ts'),
  ]);
  await lockCluster(luxiPath(options.luxiSocket!), waitSecondsOf(options));
}

/** @throws ExecutionError when they do not go together */
export function assertExecutionWords(options: ExecutionWords): void {
  const {
    exec,
    journal,
    noJournal,
    parallel,
    resume,
    luxiSocket,
    until,
    worth,
    calm,
    execDryRun,
    why = [],
    tryMove = [],
  } = options;
  if (noJournal && (journal !== undefined || resume !== undefined))
    throw new ExecutionError('--no-journal, and a journal is named', 'leave one of them out');
  const ways = [options.retry, options.skip, options.wayHome].filter(Boolean).length;
  if (ways > 1 || (ways === 1 && resume === undefined))
    throw new ExecutionError(
      '--retry, --skip and --way-home are ways on from one journal',
      'give one of them, with --resume',
    );
  if (resume !== undefined) {
    if (luxiSocket === undefined)
      throw new ExecutionError('--resume continues jobs of a live cluster', 'add -L, on its master node');
    if (journal !== undefined)
      throw new ExecutionError(
        '--resume writes to the journal that it continues from',
        'leave --journal out',
      );
  } else if (exec) {
    if (luxiSocket === undefined)
      throw new ExecutionError(
        '--exec: Execution of commands possible only on LUXI',
        'add -L, on the master node, or take the commands with --print-commands',
      );
    if (why.length + tryMove.length > 0)
      throw new ExecutionError('--exec carries plans out, and --why and --try only ask', 'leave --exec out');
  } else if (
    [journal, parallel, until, worth].some((word) => word !== undefined) ||
    noJournal ||
    calm ||
    execDryRun
  ) {
    throw new ExecutionError(
      '--journal, --no-journal, --parallel, --until, --worth, --calm and --dry-run apply only when a plan is carried out',
      'add --exec',
    );
  }
}
