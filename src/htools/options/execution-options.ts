/** Carrying plans out. */
import { optionTable } from '../../kit/cli/options/option-table.ts';
import { MAX_COUNT } from '../../kit/ranges.ts';

export const EXECUTION_OPTIONS = optionTable('execution', {
  exec: {
    short: 'X',
    kind: 'flag',
    help: 'carry the plan out (with --luxi)',
    manual: `Carries the plan out through the master daemon that *--luxi* names, one job set after another. Before each set, the cluster is read again; when it
no longer allows what the plan needs, the set is not submitted, a message says what has changed, and the exit status is 4. On SIGINT (Ctrl-C)
the running set finishes and no other is submitted; SIGTERM and SIGHUP end the program at once (status 2), and the jobs that were submitted go on.
Status 0 says that every instance was found where the plan promised it.`,
  },
  jobReason: {
    name: 'reason',
    kind: 'text',
    metavar: 'REASON',
    completion: 'none',
    help: 'the reason to write into the jobs',
    manual: `Writes _REASON_ into the reason trail of the jobs, instead of the name of the program.`,
  },
  priority: {
    kind: 'choice',
    metavar: 'PRIO',
    choices: ['low', 'normal', 'high'],
    unknownChoice: (value) => `Unknown priority '${value}'`,
    help: 'priority of the jobs: low, normal or high',
    manual: `Submits the jobs with this priority: *low*, *normal* or *high*.`,
  },
  journal: {
    kind: 'text',
    metavar: 'FILE',
    completion: 'file',
    help: 'keep a record in FILE from which --resume can continue',
    manual: `Keeps a record of the execution in _FILE_: the plan, what is about to be submitted, the jobs that were submitted, and how they ended. After a crash, a
reboot or Ctrl-C, *--resume* continues from it. A file that records another execution is not overwritten.`,
  },
  resume: {
    kind: 'text',
    metavar: 'FILE',
    completion: 'file',
    help: 'continue the execution that FILE records, without planning again',
    manual: `Continues the execution that _FILE_ records, as *--journal* wrote it, without planning again. It finds the jobs that were submitted and waits for them;
nothing is submitted a second time. Needs *--luxi*.`,
  },
  parallel: {
    kind: 'integer',
    metavar: 'N',
    range: { atLeast: 1, atMost: MAX_COUNT, fault: 'Invalid number of jobs, expected at least 1' },
    label: 'number of jobs',
    help: 'have no more than N jobs in the queue at a time',
    manual: `Keeps no more than _N_ jobs in the queue at a time; the next is submitted when one has ended. Without this option, all jobs of a set are submitted
together. In either case a node takes part in only one job at a time.`,
  },
});
