/** The options about carrying plans out, and which of them go together. */
import { allSaid, refuseAs } from '../../../../kit/cli/all-said.ts';
import { ExecutionError } from '../../../../kit/faults.ts';
import { S_PER_MINUTE } from '../../../../kit/units.ts';
import type { SomeOptions } from '../../../options/command-options.ts';

export const waitSecondsOf = ({ wait = 0 }: SomeOptions): number => wait * S_PER_MINUTE;

const refuse = refuseAs((message, remedy) => new ExecutionError(message, remedy));

/** @throws ExecutionError with all that does not go together */
export function assertExecutionWords(options: SomeOptions): void {
  const { journal, resume, luxiSocket, why = [], tryMove = [], noJournal = false } = options;
  const isResumed = resume !== undefined;
  const isExecuted = options.exec === true && !isResumed;
  const isJournalNamed = journal !== undefined;
  const less = options.execDryRun ? '--dry-run' : options.firstJobGroup ? '--first-job-group' : undefined;
  const ways = [options.retry, options.skipFailed, options.wayHome].filter(Boolean).length;
  const saysHow = [journal, noJournal, options.parallel, options.until, options.worth, options.calm];
  allSaid(
    refuse(
      isResumed && less !== undefined,
      `--resume carries out all that is left of the plan, and ${less} asks for less`,
      `leave ${less} out; the file says what is left, and SIGINT ends it behind the running job set`,
    ),
    refuse(
      noJournal && (isJournalNamed || isResumed),
      '--no-journal, and a journal is named',
      'leave one of them out',
    ),
    refuse(
      ways > 1 || (ways === 1 && !isResumed),
      '--retry, --skip-failed and --way-home are ways on from one journal',
      'give one of them, with --resume',
    ),
    refuse(
      isResumed && luxiSocket === undefined,
      '--resume continues jobs of a live cluster',
      'add -L, on its master node',
    ),
    refuse(
      isResumed && isJournalNamed,
      '--resume writes to the journal that it continues from',
      'leave --journal out',
    ),
    refuse(
      isExecuted && luxiSocket === undefined,
      '--exec: Execution of commands possible only on LUXI',
      'add -L, on the master node, or take the commands with --print-commands',
    ),
    refuse(
      isExecuted && why.length + tryMove.length > 0,
      '--exec carries plans out, and --why and --try only ask',
      'leave --exec out',
    ),
    refuse(
      !(isExecuted || isResumed) &&
        (options.execDryRun === true || saysHow.some((said) => said !== undefined && said !== false)),
      '--journal, --no-journal, --parallel, --until, --worth, --calm and --dry-run apply only when a plan is carried out',
      'add --exec',
    ),
  );
}
