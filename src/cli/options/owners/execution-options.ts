/** Carrying plans out. One piece because it is a table. */
import { MAX_COUNT } from '../../../cluster/ranges.ts';
import type { OptionDefinition } from './option.ts';

export const EXECUTION_OPTIONS = {
  exec: {
    name: 'exec',
    short: 'X',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'execution',
    help: 'carry the plan out (with --luxi)',
    manual: `Carries the plan out through the master daemon that *--luxi* names, one job set after another. Before each set, the cluster is read again; when it
no longer allows what the plan wants, the set is not submitted, what has changed is said, and the exit status is 4. SIGINT (Ctrl-C) lets the
running set end and submits no other; SIGTERM ends the program at once (status 2), and the jobs that were submitted go on.`,
  },
  jobReason: {
    name: 'reason',
    kind: 'text',
    argument: 'required',
    metavar: 'REASON',
    completion: 'none',
    group: 'execution',
    help: 'the reason to write into the jobs',
    manual: `Writes _REASON_ into the reason trail of the jobs, in place of the name of the program.`,
  },
  priority: {
    name: 'priority',
    kind: 'choice',
    argument: 'required',
    metavar: 'PRIO',
    completion: { choices: ['low', 'normal', 'high'] },
    unknownChoice: (value) => `Unknown priority '${value}'`,
    group: 'execution',
    help: 'priority of the jobs: low, normal or high',
    manual: `Submits the jobs with this priority: *low*, *normal* or *high*.`,
  },
  journal: {
    name: 'journal',
    kind: 'text',
    argument: 'required',
    metavar: 'FILE',
    completion: 'file',
    group: 'execution',
    help: 'keep a record in FILE from which --resume goes on',
    manual: `Keeps a record of the execution in _FILE_: the plan, what is about to be submitted, the jobs that were, and how they ended. After a crash, a reboot
or Ctrl-C, *--resume* goes on from it. A file that holds another execution is not overwritten.`,
    isAddition: true,
  },
  resume: {
    name: 'resume',
    kind: 'text',
    argument: 'required',
    metavar: 'FILE',
    completion: 'file',
    group: 'execution',
    help: 'go on with the execution that FILE records, without planning anew',
    manual: `Goes on with the execution that _FILE_ records, as *--journal* wrote it, without planning anew. Jobs that were submitted are found again and awaited; nothing
is submitted a second time. Needs *--luxi*.`,
    isAddition: true,
  },
  parallel: {
    name: 'parallel',
    kind: 'integer',
    argument: 'required',
    metavar: 'N',
    range: { atLeast: 1, atMost: MAX_COUNT, fault: 'Invalid number of jobs, expected at least 1' },
    label: 'number of jobs',
    completion: 'integer',
    group: 'execution',
    help: 'have no more than N jobs at one time',
    manual: `Has no more than _N_ jobs in the queue at one time; the next is submitted when one has ended. Without it, all jobs of a set are submitted together. A node
takes part in one job at a time in either case.`,
    isAddition: true,
  },
} as const satisfies Record<string, OptionDefinition>;
