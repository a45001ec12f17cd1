/** The options about carrying plans out, and which of them go together. */
import { ExecutionError } from '../../../../kit/faults.ts';
import { S_PER_MINUTE } from '../../../../kit/units.ts';
import type { SomeOptions } from '../../../options/command-options.ts';

export const waitSecondsOf = ({ wait = 0 }: SomeOptions): number => wait * S_PER_MINUTE;

/** @throws ExecutionError when they do not go together */
export function assertExecutionWords(options: SomeOptions): void {
  const { exec, journal, noJournal, resume, luxiSocket, why = [], tryMove = [] } = options;
  const less = options.execDryRun ? '--dry-run' : options.firstJobGroup ? '--first-job-group' : undefined;
  if (resume !== undefined && less !== undefined)
    throw new ExecutionError(
      `--resume carries out all that is left of the plan, and ${less} asks for less`,
      `leave ${less} out; the file says what is left, and SIGINT ends it behind the running job set`,
    );
  if (noJournal && (journal !== undefined || resume !== undefined))
    throw new ExecutionError('--no-journal, and a journal is named', 'leave one of them out');
  const ways = [options.retry, options.skipFailed, options.wayHome].filter(Boolean).length;
  if (ways > 1 || (ways === 1 && resume === undefined))
    throw new ExecutionError(
      '--retry, --skip-failed and --way-home are ways on from one journal',
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
    (journal ?? options.parallel ?? options.until ?? options.worth) !== undefined ||
    noJournal ||
    options.calm ||
    options.execDryRun
  ) {
    throw new ExecutionError(
      '--journal, --no-journal, --parallel, --until, --worth, --calm and --dry-run apply only when a plan is carried out',
      'add --exec',
    );
  }
}
