/** hspace's document. */
import { z } from 'zod';
import {
  count,
  type DocumentOf,
  figure,
  flag,
  head,
  listOf,
  mib,
  name,
  named,
  names,
  partial,
} from '../../kit/results/members.ts';
import { clusterCounts, diskTemplate, failCode } from './parts/common.ts';
import { changed } from './parts/explanation.ts';
import { size, sizeMembers, tables } from './parts/tables.ts';

export const resources = named('resources', {
  freeMemMib: mib,
  freeDiskMib: mib,
  freeSpindles: z.number(),
  availableMemMib: mib.describe('free and not reserved for failovers'),
  availableDiskMib: mib.describe('free and not kept free by --min-disk'),
  largestMemMib: mib.describe('the most that one node has available'),
  largestDiskMib: mib,
  instanceMemMib: mib,
  instanceDiskMib: mib,
  instanceSpindles: z.number(),
  instanceVcpus: z.number(),
  totalMemMib: mib,
  totalDiskMib: mib,
  totalSpindles: z.number(),
  totalCpus: z.number(),
  totalVcpus: z.number().describe('virtual cpus that the policies allow'),
  usedCpus: figure.describe('virtual cpus in use as physical ones'),
  missingMemMib: mib.describe('that no record explains'),
  nodeMemMib: mib.describe("of the nodes' own systems"),
  instances: count,
  score: figure,
  efficiency: z.object({ memory: figure, disk: figure, vcpu: figure, spindles: figure }),
});

const pools = listOf({
  pool: z.string(),
  nodes: count,
  instances: count,
  usedMib: mib,
  sizeMib: mib.nullable(),
  freeMib: mib.nullable(),
});

export const delta = named('delta', {
  vcpus: z.number(),
  cpus: figure,
  memMib: mib,
  diskMib: mib,
  spindles: z.number(),
});

const allocation = z.object({
  kind: z.enum(['tiered', 'standard']),
  size,
  diskTemplate,
  requiredNodes: count,
  instanceCount: count,
  sizes: listOf({ ...sizeMembers, count }),
  reasons: listOf({ mode: failCode, count }).describe('why it stopped, the most frequent reason first'),
  resources,
  delta: z.object({ used: delta, allocated: delta, unavailable: delta }),
  pools: pools.optional(),
  instances: listOf({ name, primary: name, secondary: name.nullable(), ...sizeMembers }),
  nodes: tables.nodes.optional().describe('after the allocation, where -p asks for them'),
});

/**
 * One rule that stops the next instance of a size in one role, as in docs/reference/rules.md;
 * `global-n-plus-one`: some node could not be emptied onto the others any more. Nothing lacks where it is no
 * matter of amounts.
 */
export const obstacle = z.object({
  rule: z.string(),
  role: z.enum(['primary', 'secondary', 'any']),
  detail: z.string().optional(),
  nodes: names,
  least: z
    .object({
      node: name,
      needed: z.number(),
      available: z.number(),
      /** How much more would do, at least 1; with `mustLeaveSome` some of what is needed is left over. */
      missing: z.number(),
      unit: z.string(),
      mustLeaveSome: flag,
    })
    .nullable()
    .describe('the node that lacks least'),
});
export type CapacityObstacle = DocumentOf<typeof obstacle>;

/** A change of the cluster that lets more instances of a size in; `isAtLeast`: the count stopped there. */
export const capacityLift = z.object({
  lift: z.array(z.string()).describe('in the words of --what-if'),
  gain: z.number(),
  isAtLeast: flag,
});
export type CapacityLift = DocumentOf<typeof capacityLift>;

const explanation = z.object({
  size,
  usableNodes: count,
  stoppedBy: names.describe('nodes that fail N+1 at the start, so that nothing was tried'),
  obstacles: z.array(obstacle),
  lifts: z.array(capacityLift),
  chart: listOf({ ...sizeMembers, count, isAtLeast: flag }),
});

export const hspace = z.object({
  ...head('hspace'),
  afterBalancing: listOf({
    group: name,
    initialScore: figure,
    finalScore: figure,
    steps: count,
    copiedMib: mib,
  })
    .optional()
    .describe('what balancing took, with --after-balancing'),
  cluster: clusterCounts.extend({ resources, pools: pools.optional() }),
  ...partial({ nodes: tables.nodes }),
  allocations: z.array(allocation),
  explanation: explanation.optional(),
  ...changed,
});
