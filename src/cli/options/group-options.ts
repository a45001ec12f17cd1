/** Work between groups. One piece because it is a table. */
import { MAX_RATIO } from '../../cluster/ranges.ts';
import type { OptionDefinition } from './option.ts';

export const GROUP_OPTIONS = {
  check: {
    name: 'check',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'output',
    help: 'for cron: one paragraph; exit status 1 when a group could be given back',
    manual: `Prints one paragraph, or with *--json* a small document, and ends with status 1 when a group could be given back, else 0. The output
is the same as long as the cluster is.`,
    isAddition: true,
  },
  evacuate: {
    name: 'evacuate',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'search',
    help: 'plan the emptying of the first group of the list (with --all: of as many as possible)',
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
    manual: `After one group has been emptied, tries the next, and says how many groups can be given back together.`,
    isAddition: true,
  },
  diskMoves: {
    name: 'disk-moves',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'search',
    help: 'move DRBD instances, too, which copies their disks twice',
    manual: `Moves DRBD instances as well. Both nodes change, so each of their disks is copied twice; instances on shared storage copy nothing.`,
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
    manual: `Marks groups whose load in some resource lies above the mean of the groups by more than this share of it. Only the report changes.`,
    isAddition: true,
  },
} as const satisfies Record<string, OptionDefinition>;
