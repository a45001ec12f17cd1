/** Plans: their commands and their price. */
import { optionTable } from '../../kit/cli/options/option-table.ts';
import { MAX_MIB } from '../../kit/ranges.ts';

export const PLAN_OPTIONS = optionTable('output', {
  printCommands: {
    short: 'C',
    metavar: 'FILE',
    bare: '-',
    completion: 'none',
    isEveryday: true,
    help: 'print the Ganeti commands, or a script to FILE',
    manual: `Prints the *gnt-instance* commands that carry out the steps, grouped in job sets: the jobs of one set involve different
nodes and may run in parallel. With _FILE_ they are written there as a shell script, which stops between two jobs once the
file */tmp/stop-htools* exists. The file name must be attached: *-Cmoves.sh* or *--print-commands=moves.sh*.`,
  },
  firstJobGroup: {
    help: 'print (or with --exec carry out) only the first job set',
    manual: `Prints, or with *--exec* carries out, only the first job set: the jobs that can start at once, in parallel.`,
  },
  bandwidth: {
    kind: 'float',
    metavar: 'MIB_PER_S',
    default: 100,
    unit: 'MiB/s',
    range: { above: 0, atMost: MAX_MIB, fault: 'Invalid bandwidth, expected more than 0' },
    help: 'estimate times at this many MiB per second',
    manual: `Estimates how long the moves take when each job transfers _MIB_PER_S_ MiB of disk and memory per second. Jobs of one set run in
parallel, sets one after another.`,
  },
});
