/** The deep search, what a plan may cost, and what it is weighed by. */
import { float, integer, listed, optionTable } from '../../kit/cli/options/option-table.ts';
import { MAX_COUNT } from '../../kit/ranges.ts';

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
    manual: `Looks at _N_ million candidates in all. Without the option that is two million for each second that a search may take: a second for every 40 instances,
from 2 to 60; *hspread* looks at half as many, *hredist* and *hcompress* at thirty thousand a second, *hail* at eight million in all.`,
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
