/** The search: steps that balance a group, whole plans and what they may cost, and work between groups. */
import { float, integer, listed, optionTable } from '../../kit/cli/options/option-table.ts';
import { MAX_COUNT, MAX_RATIO } from '../../kit/ranges.ts';

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
    ...integer('N', {
      atLeast: -Number.MAX_SAFE_INTEGER,
      atMost: Number.MAX_SAFE_INTEGER,
      remedy: 'give a whole number',
    }),
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
    help: 'refuse steps that break N+1 with shared storage (yes where pools are stated, else no)',
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

/** A month: longer than anybody waits. */
const MAX_SECONDS = 2_678_400;
/** Millions of candidates that a month looks at, and more. */
const MAX_EFFORT = 1e8;

export const SEARCH_OPTIONS = optionTable('search', {
  search: {
    metavar: 'KIND',
    choices: ['greedy', 'deep'],
    isEveryday: true,
    help: 'greedy (the default), or deep: better plans',
    manual: `With *greedy*, takes the best single move, again and again; *hbal* and *hspace* take the steps of the stock program. With *deep*, looks for whole
placements and weighs what they bring against their price. *hredist* looks for plans that heal more groups, or the same ones at a lower price; *hspread* for
plans that spread load as evenly at a lower price; *hcompress* for more groups to empty, or as many at a lower price; *hail* for places of all instances
that leave a node together, so that fewer stay behind.`,
  },
  searchTime: {
    name: 'time-limit',
    ...float('SECONDS', { above: 0, atMost: MAX_SECONDS }),
    unit: 's',
    help: 'end a deep search after this long, done or not',
    manual: `Ends a deep search after about _SECONDS_ seconds; what it found by then depends on the machine, and it says how much of its work was done. So does
Ctrl-C in *hbal*. Without the option a search does all of its work, see *--effort*, and gives the same answer on any machine, however busy.`,
  },
  seed: {
    ...integer('N', { atLeast: 0, atMost: MAX_COUNT }),
    help: 'seed of the deep search',
    manual: `The seed of the random numbers of the deep search; 1 without it. Another seed finds another plan of about the same quality.`,
  },
  effort: {
    ...float('N', { above: 0, atMost: MAX_EFFORT }),
    unit: 'million candidates',
    help: 'search deeply through N million candidates (default: by the number of instances)',
    manual: `Looks at _N_ million candidates in all. Without the option that is 50,000 for each instance (25,000 in *hspread*, 750 in *hredist* and *hcompress*),
as if there were 80 to 2,400 of them (on fewer than 40 twice as many for each), and eight million in *hail*. Two idle cpus need 4 s for 200 instances, and a minute for 2,400.`,
  },
  budget: {
    kind: 'repeated',
    metavar: 'BUDGET',
    group: 'limits',
    isEveryday: true,
    help: 'what it may cost: 2TiB, 4h, 50migrations, 90%',
    manual: `What the plan may cost; may be given several times, and implies *--search=deep*. *500GiB*, *2TiB*: disk data copied; *4h*, *30min*: time by
the clock, at *--bandwidth* and *--price*; *50migrations*; *20moves*; *0failovers*: failovers that stop a running instance. The plan with the lowest
score within these is taken (where failovers alone are limited, the knee), unless one says which: *90%*, the cheapest with this share of the gain of the best plan found; *2/h*, the last one whose last
hour gains as much score as this; *knee*, where moving as much as the whole cluster once more would gain less than 10 points; *best*, the lowest score.

Without the option *--search=deep* takes the knee; with *--evac-mode* the cheapest plan that leaves least behind. With *--search=greedy* a share ends the
greedy steps early, and any other budget sends each instance straight to where they leave it.`,
  },
  price: {
    ...listed('WORDS'),
    default: [],
    group: 'limits',
    help: 'what plans are weighed by: migration=100,rewritten=1.3,downtime=10,job=10',
    manual: `What plans are weighed by, beside disk data at *--bandwidth*, separated by commas: *migration*, MiB of memory a second (default 100; Ganeti
limits KVM to 32 unless told otherwise); *rewritten*, how often a migration sends the memory, what is written meanwhile included (1.3); *downtime*, what a second of
downtime of a running instance counts, a failover being 60 of them (10); *job*, seconds that each job takes beside its transfers (10).`,
  },
  bound: {
    group: 'questions',
    help: 'prove a lower bound on the score, and show how far the plan is from it',
    manual: `Prints a proven lower bound on the score of any placement that the rules allow, and how far above it the plan ends; then on
the score of any within the price of the plan, and on the price of any with its score. It takes 3 seconds on 20 nodes, 10 on 80, a minute on 320.`,
  },
});

export const GROUP_OPTIONS = optionTable('search', {
  selectGroups: {
    ...listed('GROUPS'),
    default: [],
    group: 'limits',
    isEveryday: true,
    help: 'let only these groups take part',
    manual: `Lets only these node groups take part: the others neither give instances nor take any. Names or UUIDs, separated by commas.`,
  },
  excludeGroups: {
    ...listed('GROUPS'),
    default: [],
    group: 'limits',
    help: 'leave these groups out (separated by commas)',
    manual: `Leaves these node groups out: they neither give instances nor take any. Names or UUIDs, separated by commas.`,
  },
  check: {
    group: 'questions',
    isEveryday: true,
    help: 'for cron: status 3 when a group could go',
    manual: `Prints one paragraph, or with *--json* a small document, and ends with status 3 when a group could be given back, with 0 when none
could. With *--quiet* the paragraph is printed only when a group could be given back. As long as the cluster is the same, so is the output.`,
  },
  evacuate: {
    isEveryday: true,
    help: 'plan how to empty the first group of the list',
    manual: `Plans the moves that empty the first group of the list, where that gains something, or the group of *-G* in any case; with *--all*, as many groups as can be emptied together.
*--print-commands* then gives the commands, and *--save* the cluster as the moves leave it.`,
  },
  all: {
    isEveryday: true,
    help: 'how many groups can be given back together',
    manual: `Looks for as many groups as can be emptied together, and says how many can be given back. Every instance goes straight to its final
place.`,
  },
  diskMoves: {
    group: 'limits',
    isEveryday: true,
    help: 'also move DRBD instances (copies disks twice)',
    manual: `Moves DRBD instances as well. Both of their nodes change, so each of their disks is copied twice; for instances on shared storage nothing is copied.`,
  },
  outlier: {
    ...float('SHARE', { atLeast: 0, atMost: MAX_RATIO }),
    default: 0.1,
    group: 'output',
    help: 'mark groups whose load is above the mean by more than this share',
    manual: `Marks groups whose load in some resource is above the mean of the groups by more than this share of the mean. Only the report changes.`,
  },
});
