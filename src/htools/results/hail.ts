/** What hail writes: its answer, whose first three members are Ganeti's, and the account of `--explain`. */
import { z } from 'zod';
import { count, figure, flag, head, listOf, mib, name, names } from '../../kit/results/members.ts';
import { stranded } from './groups.ts';
import { allocPolicy, diskTemplate, failCode } from './parts/common.ts';
import { refusal } from './parts/explanation.ts';

const opcode = z.object({ OP_ID: z.string() }).loose().describe('an opcode of Ganeti with its parameters');
const moved = z.tuple([name, name, names]).describe('instance, group, nodes');
const failed = z.tuple([name, z.string()]).describe('instance, reason');

/** By the type of the request, see iallocator(7) of Ganeti. */
const result = z.union([
  names.describe('nodes: allocate, relocate; empty when the request failed'),
  name.describe('node: allocate-secondary'),
  z
    .tuple([z.array(moved), z.array(failed), z.array(z.array(opcode))])
    .describe('change-group, node-evacuate'),
  z.tuple([z.array(z.tuple([name, names])), z.array(failed)]).describe('multi-allocate'),
]);

/** Score, or what a dedicated cluster loses. */
const metric = z.union([figure, z.object({ lost: z.array(z.number()), freeDiskMib: mib })]);

const ofGroup = { instance: name.optional(), group: name, uuid: z.string(), allocPolicy };

const more = {
  groups: listOf({ ...ofGroup, nodes: names, score: metric }).optional(),
  refused: listOf({
    ...ofGroup,
    reason: z.string(),
    detail: z.string().optional(),
    failures: z.record(failCode, count).optional(),
  }).optional(),
  elsewhere: z.array(moved).optional(),
};

export const hail = z.object({ success: flag, info: z.string(), result, ...more });

const counted = refusal.extend({ count }).meta({ id: 'countedRefusal' });

export const hailExplanation = z.object({
  ...head('hail'),
  request: z.string(),
  success: flag,
  info: z.string(),
  result,
  ...more,
  allocations: listOf({
    instance: name,
    memMib: mib,
    diskMib: mib,
    vcpus: z.number(),
    diskTemplate,
    primaries: listOf({
      node: name,
      group: name,
      allowed: count,
      refusal: counted.optional(),
      best: z.object({ secondary: name.optional(), score: figure }).optional(),
      refusedSecondaries: z.record(z.string(), count).optional(),
      cannotBeEvacuatedThen: names.optional(),
    }),
    refusedAsSecondary: z.array(counted),
  }),
  evacuations: z
    .array(
      z.union([
        z.object({
          instance: name,
          from: names,
          to: names,
          moves: listOf({ kind: z.string(), node: name.optional() }),
        }),
        z.object({ instance: name, from: names, failure: z.string(), refused: z.array(refusal) }),
      ]),
    )
    .optional(),
  inOtherGroups: z.array(stranded).optional(),
});
