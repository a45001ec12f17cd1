/** hinfo's document. */
import { z } from 'zod';
import { count, figure, flag, head, listOf, mib, name, names, partial } from '../../kit/results/members.ts';
import { allocPolicy, amounts, clusterCounts, groupState } from './parts/common.ts';
import { changed } from './parts/explanation.ts';
import { groupRow, metric, policy, tables } from './parts/tables.ts';

export const storageReport = z.object({
  isStated: flag.describe('whether the snapshot says anything about storage'),
  isBinding: flag.describe('whether nodes list what they reach; when not, every node reaches every pool'),
  nodeCount: count,
  groupCount: count,
  pools: listOf({
    pool: z.string(),
    type: z.enum(['internal', 'external']),
    name,
    nodes: names,
    groups: names,
    instances: count,
    usedMib: mib,
    sizeMib: mib.nullable().describe('null: not known'),
    freeMib: mib.nullable(),
  }),
  misplaced: names.describe('instances whose node does not reach their pool'),
  warnings: z.array(z.string()),
});

export const n1 = z.object({
  nodes: listOf({
    node: name,
    group: name,
    isOffline: flag,
    verdict: z.enum(['yes', 'no', 'unproven']),
    instances: count.describe('that would have to start again'),
    shortfall: z
      .object({
        resource: z.enum(['access', 'memory', 'disk', 'spindles', 'room']),
        missing: z.number(),
        unit: z.string(),
      })
      .optional()
      .describe('what finds no place; where the verdict is no'),
    restarts: listOf({ instance: name, node: name, isDegraded: flag })
      .optional()
      .describe('where the verdict is yes'),
    degraded: names.describe('instances that restart against an exclusion tag or the vcpu ratio'),
  }),
  counts: z.object({ yes: count, no: count, unproven: count }),
  isHealthy: flag,
});

export const superCluster = z.object({
  partitions: listOf({ pool: z.string(), groups: names }),
  groups: listOf({
    name,
    allocPolicy,
    state: groupState,
    deadNodes: count,
    failingNodes: count,
    score: figure,
    used: amounts,
    free: amounts,
    isAlone: flag,
  }),
  alone: names,
});

export const hinfo = z.object({
  ...head('hinfo'),
  cluster: clusterCounts.extend({ tags: names }),
  policy,
  splitInstances: names.describe('instances with nodes in two groups'),
  groups: z.array(groupRow),
  score: figure,
  metrics: z.array(metric),
  storage: storageReport.optional(),
  n1: n1.optional(),
  superCluster: superCluster.optional(),
  ...changed,
  ...partial(tables),
});
