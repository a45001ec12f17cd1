/** Repairing instances. One piece because it is a table. */
import type { OptionDefinition } from './option.ts';

/** A year: nobody waits longer, and timers can. */
const LONGEST_SECONDS = 31_536_000;

export const REPAIR_OPTIONS = {
  jobDelay: {
    name: 'job-delay',
    kind: 'float',
    argument: 'required',
    metavar: 'SECONDS',
    default: 10,
    unit: 's',
    range: { atLeast: -LONGEST_SECONDS, atMost: LONGEST_SECONDS },
    label: 'job delay',
    completion: 'float',
    group: 'execution',
    help: 'have each repair job wait so long before it begins, so that the tags can be written meanwhile',
    manual: `Has each repair job wait for _SECONDS_ before it begins. A job that repairs an instance holds it, and the job that notes the repair in the instance's
tags would have to wait for its end. With *0* or less the repair begins at once.`,
  },
  repairDryRun: {
    name: 'dry-run',
    kind: 'flag',
    argument: 'none',
    completion: 'none',
    group: 'execution',
    help: 'show what would be done, and change nothing',
    manual: `Shows which jobs would be submitted and which tags written, and changes nothing. Since the state of repairs is kept in tags, only the next run can be
looked at.`,
  },
  instanceTags: {
    name: 'instance-tags',
    kind: 'names',
    argument: 'required',
    metavar: 'TAG,...',
    completion: 'string',
    group: 'search',
    help: 'only instances with one of these tags',
    manual: `Looks only at instances that carry at least one of the tags themselves. The others are neither touched nor counted.`,
    isAddition: true,
  },
  repairTimeLimit: {
    name: 'time-limit',
    kind: 'float',
    argument: 'required',
    metavar: 'SECONDS',
    unit: 's',
    range: { above: 0, atMost: LONGEST_SECONDS },
    label: 'time limit',
    completion: 'float',
    group: 'execution',
    help: 'begin nothing new after SECONDS',
    manual: `Begins nothing new after _SECONDS_. A repair that is submitted by then is still noted in the instance's tags, without waiting for the jobs that write
them. When something is left undone, the exit status is 3.`,
    isAddition: true,
  },
} as const satisfies Record<string, OptionDefinition>;
