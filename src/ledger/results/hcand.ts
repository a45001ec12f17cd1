/** hcand's document. */
import { z } from 'zod';
import { changed } from '../../htools/results/parts/explanation.ts';
import { count, figure, head, name, names } from '../../kit/results/members.ts';

const step = z.enum(['class', 'room', 'trait', 'aggregate', 'tree']);

const nearest = z.object({
  provider: name,
  step,
  lacks: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('class'), class: z.string() }),
    z.object({
      kind: z.literal('amount'),
      class: z.string(),
      asked: count,
      rule: z.enum(['min_unit', 'max_unit', 'step_size', 'capacity']),
      limit: z.number(),
      capacity: z.number(),
      used: z.number(),
    }),
    z.object({ kind: z.literal('traits'), missing: names, forbidden: names }),
    z.object({ kind: z.literal('aggregates') }),
    z.object({ kind: z.literal('tree') }),
  ]),
});

const explanation = z.object({
  roots: z.object({ all: count, allowed: count }),
  slots: z.array(
    z.object({
      suffix: z.string(),
      classes: names,
      providers: count,
      dropped: z.record(z.string(), count).describe('providers, by the step that they fell at'),
      left: count,
      nearest: nearest.optional(),
    }),
  ),
  treesWithAll: count,
  isCutOff: z.literal(true).optional().describe('the search was cut off: there may be more'),
  blocking: z.array(z.enum(['room together', 'traits together', 'same_subtree', 'group policy'])),
  changes: z.array(
    z.object({
      parameter: z.string(),
      kind: z.enum(['without', 'at most']),
      value: z.string(),
      example: z.record(z.string(), names),
    }),
  ),
});

export const hcand = z.object({
  ...head('hcand'),
  count,
  candidates: z.array(
    z.object({
      tree: name,
      allocations: z
        .record(z.string(), z.record(z.string(), z.number()))
        .describe('provider to class to amount'),
      mappings: z.record(z.string(), names).describe('suffix to providers'),
      score: figure.optional(),
    }),
  ),
  explanation: explanation.optional(),
  ...changed,
  claim: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('claimed'), index: count }),
      z.object({ kind: z.literal('refused') }),
      z.object({ kind: z.literal('conflict'), detail: z.string() }),
    ])
    .optional(),
});
