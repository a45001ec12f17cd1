/** The deep search, what a plan may cost, and which of the plans found is wanted. */
import { optionTable } from '../../kit/cli/options/option-table.ts';
import { MAX_COUNT } from '../../kit/ranges.ts';

/** A month: longer than anybody waits. */
const MAX_SECONDS = 2_678_400;
/** Millions of candidates that a month looks at, and more. */
const MAX_EFFORT = 1e8;
/** More than any cluster holds. */
const MAX_GIB = 1e12;
const MAX_HOURS = 1e6;

export const SEARCH_OPTIONS = optionTable('search', {
  search: {
    kind: 'choice',
    metavar: 'KIND',
    default: 'greedy',
    choices: ['greedy', 'deep'],
    isEveryday: true,
    help: 'greedy (move by move) or deep (better plans)',
    manual: `With *greedy*, takes the best single move, again and again; *hbal* and *hspace* take the steps of the stock program. With *deep*, looks for whole
placements and weighs what they bring against what getting there costs; see Plans and their price in *hbal*(1). *hredist* looks for plans that
heal more groups, or the same ones and copy less, *hspread* for plans that spread load as evenly and copy less,
*hcompress* for more groups to empty, or as many with less to copy and better scores of the others, and *hail* for places of all instances
that leave a node together, so that fewer stay behind; see Evacuation by the deep search in *hail*(1).`,
  },
  searchTime: {
    name: 'time-limit',
    kind: 'float',
    metavar: 'SECONDS',
    unit: 's',
    range: { above: 0, atMost: MAX_SECONDS },
    label: 'time limit',
    help: 'search deeply for this long (default: 2 to 60 s by the number of instances, hail 2 s)',
    manual: `With *--search=deep*, searches for about _SECONDS_ seconds. The default is one second for every 40 instances, but at least 2 and at most 60; for *hail* it is 2.
What is found in a given time depends on the machine; see *--effort*.`,
  },
  seed: {
    kind: 'integer',
    metavar: 'N',
    default: 1,
    range: { atLeast: 0, atMost: MAX_COUNT },
    label: 'seed',
    help: 'seed of the deep search',
    manual: `The seed of the random numbers of the deep search. Another seed finds another plan of about the same quality.`,
  },
  effort: {
    kind: 'float',
    metavar: 'N',
    unit: 'million candidates',
    range: { above: 0, atMost: MAX_EFFORT },
    label: 'effort',
    help: 'search deeply through N million candidates, in place of a time limit',
    manual: `Looks at _N_ million candidates in all in place of *--time-limit*. The answer is then the same bytes on any machine and for any *--jobs*.
A thread looks at one to two million in a second, *hspread* at about as many, *hredist* and *hcompress* at some thirty thousand.`,
  },
  maxData: {
    kind: 'float',
    metavar: 'GIB',
    unit: 'GiB',
    range: { atLeast: 0, atMost: MAX_GIB },
    label: 'max data',
    group: 'limits',
    isEveryday: true,
    help: 'copy at most this many GiB of disk',
    manual: `Copies at most _GIB_ GiB of disks to new nodes. With *0* only failovers, migrations and moves on shared storage are left.`,
  },
  maxMoves: {
    kind: 'integer',
    metavar: 'N',
    range: { atLeast: 0, atMost: MAX_COUNT },
    label: 'max moves',
    group: 'limits',
    help: 'take at most this many steps: choose among plans that are short enough',
    manual: `Takes at most _N_ steps. Unlike *--max-length*, which ends a greedy search early, it chooses among all plans found those that are short enough.`,
  },
  maxTime: {
    kind: 'float',
    metavar: 'HOURS',
    unit: 'h',
    range: { above: 0, atMost: MAX_HOURS },
    label: 'max time',
    group: 'limits',
    help: 'plans that take at most this many hours at --bandwidth',
    manual: `Takes only plans that can be carried out within _HOURS_ hours at *--bandwidth*, with job sets one after another.`,
  },
  maxDowntime: {
    kind: 'float',
    metavar: 'SECONDS',
    unit: 's',
    range: { atLeast: 0, atMost: MAX_SECONDS },
    label: 'max downtime',
    group: 'limits',
    help: 'plans whose failovers stop running instances for at most this long',
    manual: `Takes only plans whose failovers of running instances that cannot migrate (tag *htools:nomigrate*) stop them for at most _SECONDS_ seconds in
total; each failover counts 60 seconds.`,
  },
  curve: {
    kind: 'flag',
    group: 'questions',
    help: 'show what score each amount of copying buys',
    manual: `Prints, before the steps, what score each amount of copying buys: a table and a chart, with a mark at the plan that follows.`,
  },
  pick: {
    kind: 'text',
    metavar: 'SHARE',
    help: 'the cheapest plan with this share of the best gain, such as 90%, or best',
    manual: `Takes the cheapest plan that has _SHARE_ of the gain of the best one found: *90%*, or *best* for all of it. The default is *95%* for
*--search=deep*, and *best* where *--max-data*, *--max-moves*, *--max-time* or *--max-downtime* is given and for *--search=greedy*.`,
  },
  stopAtGain: {
    kind: 'text',
    metavar: 'SHARE',
    help: 'stop the greedy steps at this share of their gain, such as 99%',
    manual: `Stops the greedy steps once they have _SHARE_ of the total gain, such as *99%*: the last percent is often a third of the copying. The steps
and their order are those of the stock program, but fewer.`,
  },
  minGainPerGib: {
    kind: 'float',
    metavar: 'SCORE',
    unit: 'score per GiB',
    range: { above: 0, atMost: 1e100 },
    label: 'min gain per GiB',
    help: 'stop where copying one more GiB gains less than this',
    manual: `Ends the plan where copying one more GiB would lower the score by less than _SCORE_. Several steps count as one when only the last of them gains.`,
  },
  compact: {
    kind: 'flag',
    help: 'send each instance straight to where the greedy steps leave it',
    manual: `Takes the detours out of the greedy steps: an instance that went from A to B and on to C goes from A to C. The cluster ends up as without
*--compact*, with fewer copies, and the most useful steps come first.`,
  },
  bound: {
    kind: 'flag',
    group: 'questions',
    help: 'prove a lower bound on the score, and show how far the plan is from it',
    manual: `Prints a proven lower bound on the score of any placement that the rules allow, and how far above it the plan ends. It takes a
second on 20 nodes, about 15 on 320.`,
  },
});
