/** hbal's documents. */
import { z } from 'zod';
import {
  count,
  type DocumentOf,
  figure,
  flag,
  head,
  listOf,
  maybe,
  mib,
  name,
  named,
  names,
  partial,
  seconds,
} from '../../kit/results/members.ts';
import { clusterCounts, cost, failCode, job, placement, planCost } from './parts/common.ts';
import { execution, resumed } from './parts/execution.ts';
import { answers, changed, mending, planExplanation } from './parts/explanation.ts';
import { groupChoice, metric, tables } from './parts/tables.ts';

const cluster = clusterCounts.extend({ tags: names });

export const step = named('step', {
  step: count.min(1),
  instance: name,
  move: z.string().describe('kind of the move'),
  notation: z.string().describe('as the text has it: f, r:NODE, ...'),
  from: placement,
  to: placement,
  jobSet: count.min(1),
  score: figure.describe('of the group, after the step'),
  gain: figure.describe('by which the score falls'),
  cost,
  isDetour: flag.optional().describe('room for later steps, of no gain by itself'),
  commands: z.array(z.string()),
});
export type StepFacts = DocumentOf<typeof step>;

const curvePoint = z.object({
  priceSeconds: seconds,
  copiedGib: z.number(),
  migrations: count,
  migratedMemGib: z.number(),
  score: figure,
  steps: count,
  gainShare: figure.describe('of the gain of the best plan found'),
  isPicked: flag,
  isKnee: flag.optional(),
});

const free = z.object({ memMib: mib, diskMib: mib }).describe('free on the nodes of the group');

const picture = z.object({ score: figure, metrics: z.array(metric), free, ...partial(tables) });

export const hbalLeftBehind = z.object({
  node: name,
  instance: name,
  role: z.enum(['primary', 'secondary']),
  reason: z.string(),
  explanation: z.string(),
});
export type LeftBehindFacts = DocumentOf<typeof hbalLeftBehind>;

export const hbalGroup = named('groupPlan', {
  ...head('hbal'),
  cluster,
  group: clusterCounts.extend({ name }),
  health: z.object({
    badNodes: names,
    badInstances: count,
    policyViolations: listOf({ name, broken: failCode.describe('what of the policy it breaks') }),
  }),
  optimum: figure.describe('lowest score that N+1 reservations allow'),
  minScore: z.number(),
  wasBalanced: flag,
  initial: picture,
  final: picture,
  steps: z.array(step),
  jobSets: z.array(z.array(job.extend({ step: count.min(1) }))),
  cost: planCost,
  hash: z.string().describe('SHA-256 of the steps: the same for the same plan'),
  search: z
    .object({
      kind: z.string(),
      seed: z.number(),
      workShare: figure.describe('less than 1: time or somebody ended the search'),
    })
    .optional(),
  curve: z.array(curvePoint).optional(),
  rules: mending.optional().describe('with --only-rules'),
  explanation: planExplanation.optional(),
  bound: z
    .object({ score: maybe, scoreAtPrice: maybe, priceSeconds: maybe })
    .optional()
    .describe(
      'no placement has a lower score, none of at most the price of the plan, and none with its score a lower price; null: none is proven',
    ),
});
export type GroupPlan = DocumentOf<typeof hbalGroup>;

const more = {
  groups: z.array(groupChoice).optional(),
  leftBehind: z.array(hbalLeftBehind).optional(),
  execution: execution.optional(),
  ...changed,
};

/** Of a cluster without instances. */
const empty = z.object({ ...head('hbal'), cluster, steps: z.array(step).max(0), ...changed });
const single = hbalGroup.extend(more);
const all = z.object({ ...head('hbal'), ...more, balanced: z.array(hbalGroup) });

export const hbal = z.union([single, all, empty, resumed('hbal'), answers('hbal')]);
