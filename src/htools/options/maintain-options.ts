/** Maintenance: rolling reboots, switching nodes off and on, repairing instances. */
import { float, listed, optionTable } from '../../kit/cli/options/option-table.ts';

/** Multiples of the standard instance beyond which no figure of a node makes sense. */
const MAX_FACTOR = 1e6;

/** A year: nobody waits longer, and timers can. */
const LONGEST_SECONDS = 31_536_000;

export const MAINTAIN_OPTIONS = optionTable('search', {
  offlineMaintenance: {
    isEveryday: true,
    help: 'instances will be down during the maintenance',
    manual: `Plans for a maintenance during which all instances are shut down. Then only the two nodes of one mirrored instance are kept in
different rounds; without this option, so are the primaries of instances that have the same secondary, which could not take over for both.`,
  },
  nodeTags: {
    ...listed('TAG,...'),
    group: 'limits',
    isEveryday: true,
    help: 'only nodes with one of these tags',
    manual: `Plans only for nodes that have at least one of the tags.`,
  },
  printMoves: {
    group: 'output',
    isEveryday: true,
    help: 'show where instances go in the meantime',
    manual: `Shows under each round the instances that must go elsewhere first, with their new primary node and, where there is one, their new
secondary. An instance whose nodes only change places is not shown.`,
  },
  fullEvacuation: {
    isEveryday: true,
    help: 'also move secondary copies off the nodes',
    manual: `Empties the nodes of a round completely: mirrored instances fail over, and their other copies go to other nodes. Needs more rounds.`,
  },
  skipNonRedundant: {
    group: 'limits',
    isEveryday: true,
    help: 'leave out nodes of instances with no copy',
    manual: `Leaves out nodes that are primary of an instance without a second copy. With *--plan*, or when the cluster states its storage
pools, an instance on shared storage is no reason to leave a node out: it can run wherever its pool can be reached.`,
  },
  ignoreNonRedundant: {
    group: 'limits',
    help: 'act as if every instance had another copy',
    manual: `Plans as if every instance had a second copy: those without one go down with their node.`,
  },
  force: {
    short: 'f',
    help: 'continue even if it is not known which node is the master',
    manual: `Continues, with a warning, when the source does not say which node is the master; the master cannot be put last then.`,
  },
  oneStepOnly: {
    group: 'output',
    help: 'show only the first round, one node per line',
    manual: `Shows only the first round, one node per line.`,
  },
  fewest: {
    isEveryday: true,
    help: 'search for the least number of rounds',
    manual: `Searches for a division into the least number of rounds; without this option the best of three quick attempts is taken. A line on standard
error says how many are needed at least, and whether that is proven. Instances without a second copy, and *--full-evacuation*, can divide a round further.`,
  },
  minimalResources: {
    ...float('FACTOR', { atLeast: 0, atMost: MAX_FACTOR }),
    default: 2,
    unit: 'standard instances',
    label: 'minimal resources',
    isEveryday: true,
    help: 'room in standard instances below which nodes are switched on',
    manual: `Standby nodes are switched on only when some node has no room for an instance of _FACTOR_ times the standard size.`,
  },
  targetResources: {
    ...float('FACTOR', { atLeast: 0, atMost: MAX_FACTOR }),
    default: 2,
    unit: 'standard instances',
    label: 'target resources',
    isEveryday: true,
    help: 'room in standard instances that is left on every node after switching nodes off',
    manual: `Nodes are switched off only as far as every node still has room for an instance of _FACTOR_ times the standard size.`,
  },
  rebootTimeout: {
    ...float('SECONDS', { above: 0, atMost: LONGEST_SECONDS }),
    default: 1800,
    unit: 's',
    group: 'execution',
    help: 'give up when a node has not come back within SECONDS',
    manual: `Gives up when a node that is rebooted does not answer as a newly started system within _SECONDS_: nothing more is submitted then.`,
  },
  rebootCommand: {
    metavar: 'PROGRAM',
    completion: 'file',
    group: 'execution',
    help: 'reboot a node by calling PROGRAM with its name',
    manual: `Reboots a node by calling _PROGRAM_ with the node's name as its only argument, in place of *gnt-node powercycle*, which cuts the system off without
shutting it down. It must end with status 0 once the reboot is under way: a script of one line, *ssh root@"$1" reboot*, will do.`,
  },
  plan: {
    group: 'output',
    isEveryday: true,
    help: 'show who leaves, what is copied, who comes back',
    manual: `Shows the whole maintenance, round by round: which instances leave the nodes, whether the others can bear a further failure while the nodes are down, what
is copied, and which instances come back. Instances go where the rules that *hbal* keeps allow it, so a round can have fewer nodes than without this option.`,
  },
  exactSqueeze: {
    name: 'exact',
    help: 'balance the cluster for each candidate, however long it takes',
    manual: `Balances the cluster again for each candidate, as the stock program does. Without this option that is done only on clusters where candidates times
nodes times instances is no more than a million; on larger ones the instances of a node go to the nodes with the most free memory, which takes seconds where
balancing takes hours. In both cases everything that is promised is checked: instances on nodes that are on, and room on every node.`,
  },
  jobDelay: {
    ...float('SECONDS', { atLeast: -LONGEST_SECONDS, atMost: LONGEST_SECONDS }),
    default: 10,
    unit: 's',
    label: 'job delay',
    group: 'execution',
    help: 'make each repair job wait this long before it begins, so that the tags can be written first',
    manual: `Makes each repair job wait for _SECONDS_ before it begins. A repair job locks its instance, and the job that records the repair in the instance's
tags would have to wait until the repair ends. With *0* or less the repair begins at once.`,
  },
  repairDryRun: {
    name: 'dry-run',
    group: 'execution',
    isEveryday: true,
    help: 'show what would be done, and change nothing',
    manual: `Shows which jobs would be submitted and which tags written, and changes nothing. Since the state of repairs is kept in tags, only the next run can be
shown. With *--text-data* nothing can be changed in any case.`,
  },
  instanceTags: {
    ...listed('TAG,...'),
    group: 'limits',
    isEveryday: true,
    help: 'only instances with one of these tags',
    manual: `Considers only instances that themselves carry at least one of the tags. The others are neither touched nor counted.`,
  },
  repairTimeLimit: {
    name: 'time-limit',
    ...float('SECONDS', { above: 0, atMost: LONGEST_SECONDS }),
    unit: 's',
    group: 'execution',
    isEveryday: true,
    help: 'begin nothing new after SECONDS',
    manual: `Begins nothing new after _SECONDS_. A repair that has been submitted by then is still recorded in the instance's tags, without waiting for the jobs that write
them. When something is left undone, the exit status is 3.`,
  },
});
