/** Documents of hroller, hsqueeze and hscan. */
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
  names,
} from '../../kit/results/members.ts';
import { job, jobSets, placement, planCost } from './parts/common.ts';
import { execution, resumed } from './parts/execution.ts';
import { changed } from './parts/explanation.ts';
import { tables } from './parts/tables.ts';

const verdict = z.object({
  isRedundant: flag,
  failing: names,
  onOneCopy: count.describe('running instances with a copy on a node that is down'),
});
const passage = z.object({
  isForced: flag,
  cost: planCost,
  jobSets: z.array(z.array(job.extend({ from: placement, to: placement }))),
});

/** Of `--plan`: a whole rolling maintenance. */
export const hrollerPlan = z.object({
  ...head('hroller'),
  plan: z.object({
    before: verdict,
    cost: planCost,
    rounds: listOf({
      nodes: names,
      leave: passage,
      goDown: names,
      meanwhile: verdict,
      comeBack: passage.nullable(),
    }),
    leftOut: listOf({
      node: name,
      reason: z.literal('hands-off'),
      instances: names.describe('those that are to be left alone; none where the node itself is'),
    }).describe('nodes that are meant, but not rebooted'),
  }),
  execution: execution.optional(),
  ...changed,
});
export type MaintenancePlan = DocumentOf<typeof hrollerPlan>;

const round = count.min(1);
const conflicts = listOf({
  node: name,
  rule: z
    .enum(['mirror', 'common-secondary'])
    .describe('instances have both nodes there, or would fail over to one node'),
  instances: names,
}).describe('nodes that must not be down with it');
const roundFacts = {
  round,
  conflicts,
  hasRoom: flag.describe('what has to leave these nodes together finds room elsewhere'),
};

export const hrollerRounds = z.object({
  ...head('hroller'),
  colourings: listOf({ name: z.string(), colours: count }),
  fewest: z.object({ colours: count, atLeast: count, isProven: flag }).optional(),
  rounds: listOf({
    nodes: names,
    moves: listOf({ instance: name, primary: name, secondary: name.nullable() }),
  }),
  explanation: listOf({
    node: name,
    round,
    isMaster: flag.describe('goes last whatever room there is'),
    earlier: listOf(roundFacts),
  })
    .optional()
    .describe('what keeps nodes out of earlier rounds'),
  ...changed,
});
export type RebootDocument = DocumentOf<typeof hrollerRounds>;

/** `--why` and `--try`: a node's round, what may not be down with it, whether another round would do. */
export const hrollerAnswers = z.object({
  ...head('hroller'),
  ...changed,
  why: listOf({ node: name, round: round.nullable(), conflicts }).optional(),
  try: listOf({ node: name, at: round.nullable(), isAllowed: flag, ...roundFacts }).optional(),
});
export type RoundAnswers = DocumentOf<typeof hrollerAnswers>;

export const hroller = z.union([hrollerRounds, hrollerPlan, resumed('hroller'), hrollerAnswers]);

export const hsqueezePlan = z.object({
  ...head('hsqueeze'),
  action: z.enum(['offline', 'online', 'none']),
  nodes: names,
  isEnough: flag,
  candidates: z.object({ offline: names, online: names }),
  saved: z.object({ nodes: count, memMib: mib, cpus: z.number() }),
  staying: listOf({ node: name, reason: z.string(), instances: names }),
  groups: listOf({ group: name, initialScore: figure, finalScore: figure, steps: count }).optional(),
  jobSets: jobSets.optional(),
  execution: execution.optional(),
  ...changed,
});
export type SqueezeDocument = DocumentOf<typeof hsqueezePlan>;

export const hsqueeze = z.union([hsqueezePlan, resumed('hsqueeze')]);

/** Figures of a cluster; bad nodes are online and fail N+1, and the score is that of all nodes together. */
export const scanned = z.object({
  nodes: count,
  instances: count,
  badNodes: count,
  badInstances: count,
  totalMemMib: mib,
  freeMemMib: mib,
  totalDiskMib: mib,
  freeDiskMib: mib,
  score: figure,
});
export type ClusterFigures = DocumentOf<typeof scanned>;

export const hscan = z.object({
  ...head('hscan'),
  clusters: z.array(
    z.union([
      z.object({ name, file: z.string(), ...scanned.shape, nodeTable: tables.nodes.optional() }),
      z.object({ name, error: z.string() }),
    ]),
  ),
});
