/** Nodes and instances as `-p` and `--print-instances` show them, groups, metrics. */
import { z } from 'zod';
import {
  count,
  type DocumentOf,
  figure,
  flag,
  listOf,
  mib,
  name,
  named,
  names,
} from '../../../kit/results/members.ts';

const load = z.object({ cpu: z.number(), mem: z.number(), disk: z.number(), net: z.number() });

const loadSource = z.enum(['measured', 'dynu-file', 'mond', 'what-if', 'assumed']);

export const nodeRow = named('node', {
  index: count,
  name,
  alias: name.describe('without the ending that all names have in common'),
  isOffline: flag,
  failsNPlusOne: flag,
  totalMemMib: mib,
  nodeMemMib: mib,
  missingMemMib: mib.describe('memory that neither the node nor its instances account for'),
  freeMemMib: mib,
  unallocatedMemMib: mib.describe('free memory for placing instances'),
  instanceMemMib: mib,
  reservedMemMib: mib.describe('kept for the failover of the worst peer'),
  availableMemMib: mib,
  totalDiskMib: mib,
  freeDiskMib: mib,
  totalCpus: z.number(),
  usedVcpus: z.number(),
  primaries: z.array(count).describe('indices of its instances, the one that came last first'),
  secondaries: z.array(count),
  freeMemShare: figure,
  freeDiskShare: figure,
  vcpuRatio: figure.describe('virtual cpus a cpu'),
  load,
  primaryTags: z.record(z.string(), count).describe('exclusion tags of its primaries with their number'),
  peers: z
    .array(z.tuple([count, mib]))
    .describe('node index and memory reserved for its failover, largest first'),
  spindles: z.number(),
  maxSpindles: z.number(),
  instanceSpindles: z.number(),
});
export type NodeRow = DocumentOf<typeof nodeRow>;

export const instanceRow = named('instance', {
  index: count,
  name,
  isRunning: flag,
  primary: name.nullable(),
  secondary: name.nullable(),
  isAutoBalanced: flag,
  vcpus: z.number(),
  memMib: mib,
  diskMib: mib,
  load,
  loadSources: z
    .object({ cpu: loadSource, mem: loadSource, disk: loadSource, net: loadSource })
    .optional()
    .describe('where each load comes from; with --load'),
});
export type InstanceRow = DocumentOf<typeof instanceRow>;

/** All columns of the tables. */
export const tables = { nodes: z.array(nodeRow), instances: z.array(instanceRow) };

/** One part of the score. */
export const metric = z.object({ name: z.string(), value: figure, weight: z.number() });
export type Coefficient = DocumentOf<typeof metric>;

const groupCounts = {
  name,
  nodes: count,
  instances: count,
  badNodes: count,
  badInstances: count,
  isNPlusOneHappy: flag,
  score: figure,
};
export const groupRow = z.object(groupCounts);
/** In a list that one is chosen from. */
export const groupChoice = z.object({ ...groupCounts, isChosen: flag });
export type ChoosableGroup = DocumentOf<typeof groupChoice>;

const specification = named('specification', {
  memMib: mib,
  vcpus: z.number(),
  diskMib: mib,
  disks: z.number(),
  nics: z.number(),
  spindleUse: z.number(),
});

/** What instances a policy admits. */
export const policy = z.object({
  ranges: listOf({ min: specification, max: specification }),
  standard: specification,
  diskTemplates: names,
  vcpuRatio: z.number(),
  spindleRatio: z.number(),
});
export type PolicyFacts = DocumentOf<typeof policy>;

/** A size of instances. */
export const sizeMembers = { memMib: mib, diskMib: mib, vcpus: z.number(), spindles: z.number() };
export const size = z.object(sizeMembers);
