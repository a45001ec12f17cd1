/** Work between groups. */
import { float, listed, optionTable } from '../../kit/cli/options/option-table.ts';
import { MAX_RATIO } from '../../kit/ranges.ts';

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
