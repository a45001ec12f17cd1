/** Work between groups. */

import type { OptionDefinition } from '../../kit/cli/options/option.ts';
import { MAX_RATIO } from '../../kit/ranges.ts';

export const GROUP_OPTIONS = {
  selectGroups: {
    name: 'select-groups',
    kind: 'names',
    argument: 'required',
    metavar: 'GROUPS',
    default: [],
    completion: 'string',
    group: 'search',
    help: 'let only these groups take part (separated by commas)',
    manual: `Lets only these node groups take part: the others neither give instances nor take any. Names or UUIDs, separated by commas.`,
    isAddition: true,
  },
  excludeGroups: {
    name: 'exclude-groups',
    kind: 'names',
    argument: 'required',
    metavar: 'GROUPS',
    default: [],
    completion: 'string',
    group: 'search',
    help: 'leave these groups out (separated by commas)',
    manual: `Leaves these node groups out: they neither give instances nor take any. Names or UUIDs, separated by commas.`,
    isAddition: true,
  },
  check: {
    name: 'check',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'output',
    help: 'for cron: one paragraph; exit status 3 when a group could be given back',
    manual: `Prints one paragraph, or with *--json* a small document, and ends with status 3 when a group could be given back, with 0 when none
could. With *--quiet* the paragraph is printed only when a group could be given back. As long as the cluster is the same, so is the output.`,
    isAddition: true,
  },
  evacuate: {
    name: 'evacuate',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'search',
    help: 'plan how to empty the first group of the list (with --all: as many as possible)',
    manual: `Plans the moves that empty the first group of the list that can be emptied; with *--all*, as many groups as can be emptied together.
*--print-commands* then gives the commands, and *--save* the cluster as the moves leave it.`,
    isAddition: true,
  },
  all: {
    name: 'all',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'search',
    help: 'find out how many groups can be given back together',
    manual: `Looks for as many groups as can be emptied together, and says how many can be given back. Every instance goes straight to its final
place.`,
    isAddition: true,
  },
  diskMoves: {
    name: 'disk-moves',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'search',
    help: 'also move DRBD instances, which copies their disks twice',
    manual: `Moves DRBD instances as well. Both of their nodes change, so each of their disks is copied twice; for instances on shared storage nothing is copied.`,
    isAddition: true,
  },
  outlier: {
    name: 'outlier',
    kind: 'float',
    argument: 'required',
    metavar: 'SHARE',
    default: 0.1,
    range: { atLeast: 0, atMost: MAX_RATIO, fault: 'Invalid share, expected at least 0' },
    label: 'outlier',
    completion: 'float',
    group: 'output',
    help: 'mark groups whose load is above the mean by more than this share',
    manual: `Marks groups whose load in some resource is above the mean of the groups by more than this share of the mean. Only the report changes.`,
    isAddition: true,
  },
} as const satisfies Record<string, OptionDefinition>;
