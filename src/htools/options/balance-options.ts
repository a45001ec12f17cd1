/** The search for steps that balance a group. */
import { float, integer, listed, optionTable } from '../../kit/cli/options/option-table.ts';

/** Far beyond any score, on either side; a negative one lets every step count. */
const SCORES = { atLeast: -1e100, atMost: 1e100 } as const;
/** More threads than any machine has use for. */
const MAX_JOBS = 1024;

export const BALANCE_OPTIONS = optionTable('search', {
  group: {
    short: 'G',
    metavar: 'ID',
    completion: 'onegroup',
    group: 'limits',
    isEveryday: true,
    help: 'work on this node group (name or UUID)',
    manual: `Works on the node group with this name or UUID. Without it, and with several groups, *hbal* scores and lists all of them, and
balances the worst one that can be improved. *hredist* heals only this group, *hcompress* empties only this one, *hspread* takes load only off
this one; the other groups may still take instances.`,
  },
  allGroups: {
    help: 'balance each node group in turn, the worst score first',
    manual: `Balances each node group in turn, the worst score first. *--print-commands* and *--save* then cover all of them, and they share
what *--budget*, *--max-length* and *--time-limit* allow. The document of *--json* has a list of all of them, also where there is only one.`,
  },
  requireGroup: {
    help: 'with several node groups and no --group, stop and list them',
    manual: `Stops with an error and a list of the groups when there are several and *--group* names none, as the stock program does.`,
  },
  evacMode: {
    short: 'E',
    group: 'limits',
    isEveryday: true,
    help: 'only empty offline and drained nodes',
    manual: `Evacuation: moves only instances whose primary or secondary is an offline or drained node. Those that stay there nevertheless *hbal*
lists on standard error (and in the document of *--json*) with the reason, and its exit status is then 3.`,
  },
  restrictedMigration: {
    group: 'limits',
    help: 'never replace the primary by a third node through the secondary',
    manual: `Leaves out the moves that replace the primary by way of the secondary (fail over, replace, fail over back), and those that make a new
secondary the primary, unless the old primary is to be emptied. Together with *--evac-mode*, instances migrate only off nodes
that are drained or offline.`,
  },
  noDiskMoves: {
    group: 'limits',
    isEveryday: true,
    help: 'copy no disks: only failovers and migrations',
    manual: `Leaves out every move that copies a disk. What is left, failover and migration, is fast.`,
  },
  noInstanceMoves: {
    group: 'limits',
    help: 'leave every instance on its primary node: only new secondaries',
    manual: `Leaves every instance on its primary node; only secondaries change. Slower than migration, but the instances are not touched.`,
  },
  selectInstances: {
    ...listed('INSTS'),
    default: [],
    completion: 'manyinstances',
    group: 'limits',
    help: 'move only these instances (separated by commas)',
    manual: `Moves only these instances. Names are separated by commas and may be shortened as long as they are unambiguous.`,
  },
  excludeInstances: {
    ...listed('INSTS'),
    default: [],
    completion: 'manyinstances',
    group: 'limits',
    help: 'leave these instances where they are',
    manual: `Does not move these instances. Names are separated by commas and may be shortened as long as they are unambiguous.`,
  },
  ignoreSoftErrors: {
    group: 'limits',
    help: 'ignore soft rules (cpu and spindle ratios, exclusion tags)',
    manual: `Allows moves that break a soft rule: ratios of virtual to physical cpus and of spindles, exclusion tags. Useful when the cluster
breaks them already and nothing could move otherwise.`,
  },
  maxLength: {
    short: 'l',
    // Some write a very large number for "no limit".
    ...integer('N', { atLeast: -Number.MAX_SAFE_INTEGER, atMost: Number.MAX_SAFE_INTEGER }),
    default: -1,
    label: 'max solution length',
    group: 'limits',
    help: 'stop after N steps or allocations (negative: no limit)',
    manual: `Stops after _N_ steps or allocations. A negative number is no limit.`,
  },
  minScore: {
    short: 'e',
    ...float('EPSILON', SCORES),
    default: 1e-9,
    label: 'min score',
    help: 'stop when the score is this close to the best possible one',
    manual: `The cluster counts as balanced when its score is less than _EPSILON_ above the lowest that its N+1 reservations allow.`,
  },
  minGain: {
    short: 'g',
    ...float('DELTA', SCORES),
    default: 0.01,
    label: 'min gain',
    help: 'stop when the best step gains less than this (see --min-gain-limit)',
    manual: `Stops when the best step lowers the score by less than _DELTA_. Applies only while the score is below *--min-gain-limit*.`,
  },
  minGainLimit: {
    ...float('SCORE', SCORES),
    default: 0.1,
    label: 'min gain limit',
    help: 'the score below which --min-gain applies',
    manual: `The score below which *--min-gain* applies: on a badly balanced cluster even small steps are taken.`,
  },
  noSimulation: {
    isEveryday: true,
    help: 'check only; do not try to balance',
    manual: `Checks only the cluster as it is and does not try what balancing would change. The exit status is then always 0.`,
  },
  n1Guard: {
    metavar: 'CHOICE',
    choices: ['yes', 'no'],
    group: 'limits',
    help: 'refuse steps that break N+1 with shared storage (default: yes when pools are stated)',
    manual: `Whether to refuse steps after which a node that could fail without loss no longer could, taking shared storage into account. By
default *yes* when the snapshot states storage pools, otherwise *no*, so that the steps are those of the stock program.`,
  },
  jobs: {
    ...integer('N', { atLeast: 1, atMost: MAX_JOBS }),
    help: 'search with N threads (default: as many as pay off here)',
    manual: `Searches with _N_ threads; without this option, with as many as pay off on this machine. Where a search is over sooner than threads are
started, and with *1*, none is. The answer is the same for every _N_.`,
  },
});
