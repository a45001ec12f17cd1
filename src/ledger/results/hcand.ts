/** hcand's document. */
import { z } from 'zod';
import { changed } from '../../htools/results/parts/explanation.ts';
import { count, figure, head, kind, listOf, name, names } from '../../kit/results/members.ts';

/** The provider that came closest to serving a slot, of those that have its classes. */
export const nearest = z.object({
  provider: name,
  step: z.enum(['room', 'trait', 'aggregate', 'tree']),
  lacks: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('amount'),
      class: z.string(),
      asked: count,
      rule: z.enum(['min_unit', 'max_unit', 'step_size', 'capacity']),
      limit: z.number().describe('the unit, the step, or what is left'),
      capacity: z.number(),
      used: z.number(),
    }),
    kind('traits', { missing: names, forbidden: names }),
    kind('aggregates', {}),
    kind('tree', {}),
  ]),
});

export const explanation = z.object({
  roots: z.object({ all: count, allowed: count }),
  slots: listOf({
    suffix: z.string(),
    classes: names.describe('one for the unsuffixed group, all of a suffixed group'),
    providers: count,
    dropped: z
      .object({ class: count, room: count, trait: count, aggregate: count, tree: count })
      .describe('providers, by the step that they fell at'),
    left: count,
    nearest: nearest.optional().describe('where nobody is left, of those that have the classes'),
  }),
  treesWithAll: count.describe('in which every slot by itself finds a provider'),
  isCutOff: z.literal(true).optional().describe('the search was cut off: there may be more'),
  blocking: z
    .array(z.enum(['room together', 'traits together', 'same_subtree', 'group policy']))
    .describe('rules between groups that alone stand in the way'),
  changes: listOf({
    parameter: z.string(),
    kind: z.enum(['without', 'at most']).describe('what to take away, or to ask at most'),
    value: z.string(),
    example: z.record(z.string(), names),
  }),
});

/** One candidate, by names. */
export const candidate = z.object({
  tree: name,
  allocations: z.record(z.string(), z.record(z.string(), z.number())).describe('provider to class to amount'),
  mappings: z.record(z.string(), names).describe('suffix to providers'),
  score: figure.optional(),
});

export const hcand = z.object({
  ...head('hcand'),
  count,
  candidates: z.array(candidate),
  explanation: explanation.optional(),
  ...changed,
  claim: z
    .discriminatedUnion('kind', [
      kind('claimed', { index: count }),
      kind('refused', {}),
      kind('conflict', { detail: z.string() }),
    ])
    .optional(),
});
