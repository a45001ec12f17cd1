/** Plans: their commands, how long they take, carrying them out. */
import { FILE, float, integer, optionTable, WRITTEN_FILE } from '../../kit/cli/options/option-table.ts';
import { MAX_COUNT, MAX_MIB } from '../../kit/ranges.ts';

export const EXECUTION_OPTIONS = optionTable('execution', {
  printCommands: {
    short: 'C',
    metavar: 'FILE',
    bare: '-',
    isWritten: true,
    completion: 'none',
    group: 'output',
    isEveryday: true,
    help: 'print the Ganeti commands, or a script to FILE',
    manual: `Prints the *gnt-instance* commands that carry out the steps, grouped in job sets: the jobs of one set involve different
nodes and may run in parallel. With _FILE_ they are written there as a shell script, which stops between two jobs once the
file */tmp/stop-htools* exists (*-Cmoves.sh*, *--print-commands=moves.sh*).`,
  },
  firstJobGroup: {
    group: 'output',
    help: 'print (or with --exec carry out) only the first job set',
    manual: `Prints, or with *--exec* carries out, only the first job set: the jobs that can start at once, in parallel.`,
  },
  bandwidth: {
    ...float('MIB_PER_S', { above: 0, atMost: MAX_MIB }),
    default: 100,
    unit: 'MiB/s',
    group: 'output',
    help: 'estimate times at this many MiB per second',
    manual: `Estimates how long the moves take when each job transfers _MIB_PER_S_ MiB of disk and memory per second. Jobs of one set run in
parallel, sets one after another.`,
  },
  exec: {
    short: 'X',
    isEveryday: true,
    help: 'carry the plan out (with --luxi)',
    manual: `Carries the plan out through the master daemon that *--luxi* names, one job set after another. Before each set, the cluster is read again; when it
no longer allows what the plan needs, the set is not submitted, a message says what has changed, and the exit status is 4. On SIGINT (Ctrl-C)
the running set finishes and no other is submitted (a master that is away is no longer waited for); SIGTERM and SIGHUP end the program at once (status 2), and the jobs that were submitted go on.
Status 0 says that every instance was found where the plan promised it.`,
  },
  jobReason: {
    name: 'reason',
    metavar: 'REASON',
    completion: 'none',
    help: 'the reason to write into the jobs',
    manual: `Writes _REASON_ into the reason trail of the jobs, instead of the name of the program.`,
  },
  priority: {
    metavar: 'PRIO',
    choices: ['low', 'normal', 'high'],
    unknownChoice: (value) => `Unknown priority '${value}'`,
    help: 'priority of the jobs: low, normal or high',
    manual: `Submits the jobs with this priority: *low*, *normal* or *high*.`,
  },
  journal: {
    ...WRITTEN_FILE,
    help: 'keep the record from which --resume can continue in FILE',
    manual: `Keeps the record of the execution in _FILE_: the plan, what is about to be submitted, the jobs that were submitted, and how they ended. After a crash, a
reboot or Ctrl-C, *--resume* continues from it. A file that records another execution is not overwritten. Without this option the record is a new file, for its owner alone, in
*/var/lib/evenkeel* for root, in *~/.local/state/evenkeel* for others (*XDG_STATE_HOME*), or where *STATE_DIRECTORY* says; the last hundred that were brought to their
end are kept there, and all that were not.`,
  },
  noJournal: {
    help: 'keep no record of the execution',
    manual: `Keeps no record of the execution: nothing can continue it.`,
  },
  config: {
    ...FILE,
    bare: '/etc/evenkeel/cluster.yaml',
    group: 'general',
    help: 'take options from FILE (otherwise /etc/evenkeel/cluster.yaml)',
    manual: `Takes options from the section of this program in _FILE_, or in */etc/evenkeel/cluster.yaml*; what the command line says comes behind them, and counts:
where it asks for a form (*--json*, *--format*), those of the file do not, nor its *output-file*. The file is YAML: under the
name of a program (*hbal*, *harep*, *hcheck*, *hcompress*) long names of its options, each with its value; *true* stands for an option alone. When anything is wrong
anywhere in the file, all of it is said, and nothing is done.`,
  },
  checkConfig: {
    ...FILE,
    bare: '/etc/evenkeel/cluster.yaml',
    group: 'general',
    help: 'only say what is wrong in a file for --config',
    manual: `Only says what is wrong in _FILE_, or in */etc/evenkeel/cluster.yaml*: for *--config*, with line, option, value and a remedy, in all sections at once.`,
  },
  history: {
    aliases: ['journals'],
    help: 'show what became of the executions whose records are kept',
    manual: `Shows what the records say that all programs keep where *--journal* names no other place, the newest first: how each execution stands, when it began, the
program and the cluster, jobs done and wanted, GiB copied, how long it took, the score before and after, the file, and why it ended so. It stands as *running*,
*done*, *stopped*, *failed*, *changed* (the cluster was not as the plan assumes), *broken* (the master or the journal could not be used any more), *held* (nothing
was begun), or *broken off*, when its program ended without a word. With *--format=prometheus*: the last execution of each program on each cluster.`,
  },
  execDryRun: {
    name: 'dry-run',
    help: 'with --exec: do all but submit jobs, and record what would have been done',
    manual: `With *--exec*: does all that comes ahead of the first job, *--worth* and *--calm* included, and records the plan (*--journal*), but carries nothing out.`,
  },
  until: {
    kind: 'time',
    metavar: 'HH:MM',
    help: 'begin no job set that would not be done by this time of day',
    manual: `Begins no job set that would not be done by this time of day, by its copies, one minute for each change, and half an hour for a node that starts; what is left can be continued with *--resume*. A master that is away as the
run begins is waited for as long. The time is the next _HH:MM_ by the clock of this machine.`,
  },
  calm: {
    help: 'carry out nothing while the cluster is in trouble',
    manual: `Carries out nothing, with exit status 4 and the reasons, while the watcher is paused, the job queue is drained, nodes are offline (other than drained ones, and those that
*hsqueeze* switched off), instances are not as they should be, or mirrored disks are degraded, as a job finds out. Unfinished jobs of others are waited for first, wherever they are in the
cluster (*--wait*): what they are about is not as it should be meanwhile. With *--resume* own jobs that are under way end first, too.`,
  },
  worth: {
    ...float('PERCENT', { atLeast: 0, atMost: 100 }),
    unit: '%',
    help: 'carry out only a plan that lowers the score by so many percent',
    manual: `Carries out only a plan that lowers the score by at least _PERCENT_ percent (of all groups together with *--all-groups*); any other is shown and left.`,
  },
  letRest: {
    ...float('HOURS', { atLeast: 0, atMost: 8784 }),
    unit: 'h',
    help: 'leave instances alone that an execution has moved within so many hours',
    manual: `Leaves instances where they are that any execution has begun to move within so many hours, by the records that are kept (*--history*): what was done last night is not
undone tonight. With *--exec* it is said where no run is on record of this time and a day more: after a master failover the journals are on the old master.`,
  },
  wait: {
    ...float('MINUTES', { atLeast: 0, atMost: 10_080 }),
    default: 10,
    unit: 'min',
    help: 'wait so long for other executions, and for unfinished jobs of others on the same nodes',
    manual: `Waits so long, before anything is read, for another execution or run of *harep* on this cluster to end, and before each job set for unfinished jobs of others that are about the same nodes or
instances there; also for Ganeti's watcher to note that an instance was shut down by its user, which a job would start again until then. When they have not ended by then, nothing more is submitted, and the exit status is 4. With 0 nothing is waited for.`,
  },
  resume: {
    ...FILE,
    isEveryday: true,
    help: 'continue the execution that FILE records',
    manual: `Continues the execution that _FILE_ records, as *--journal* wrote it, without planning again. It finds the jobs that were submitted and waits for them;
nothing is submitted a second time. Needs *--luxi*. Where jobs have failed it tells of them again, and *--retry*, *--skip-failed* and *--way-home* are the ways on.`,
  },
  retry: {
    help: 'with --resume: submit again what has failed, from where it has left the instances',
    manual: `With *--resume*: submits the jobs that have failed once more, of those that were done in part only the rest, and then what was left of the plan.`,
  },
  skipFailed: {
    help: 'with --resume: leave out what has failed, or can no longer be done',
    manual: `With *--resume*: goes on without the jobs that have failed, and without those whose instance others have moved or removed, or whose nodes are gone, offline or did not come up, nor that which is next and which the rules no longer allow; also without other jobs of these instances.`,
  },
  wayHome: {
    help: 'with --resume: bring all instances back to where they were before the plan',
    manual: `With *--resume*: begins nothing more of the plan, and brings every instance that it has moved back to the nodes where it was before, those that were moved last
first. Nodes that *hsqueeze*(1) has switched off are switched on ahead of that.`,
  },
  parallel: {
    ...integer('N', { atLeast: 1, atMost: MAX_COUNT }),
    help: 'have no more than N jobs in the queue at a time',
    manual: `Keeps no more than _N_ jobs in the queue at a time; the next is submitted when one has ended. Without this option, all jobs of a set are submitted
together. In either case a node takes part in only one job at a time. The time that a plan is said to take counts with it.`,
  },
});
