/** harep's document. */
import { z } from 'zod';
import { count, type DocumentOf, flag, head, listOf, name, names } from '../../kit/results/members.ts';

const type = z.enum(['fix-storage', 'migrate', 'failover', 'reinstall']);
const state = z.enum(['healthy', 'failed', 'pending', 'needs-repair']);

const record = z.object({
  type,
  id: z.string(),
  time: z.number().describe('seconds since 1970, as the tag has it'),
  jobs: z.array(z.number()),
  result: z.enum(['enoperm', 'success', 'failure']).nullable(),
  tag: z.string(),
});

/** Why nothing is done about an instance with which not all is well. */
const leftAlone = z.enum([
  'not-enabled',
  'suspended',
  'not-permitted',
  'failed-before',
  'pending',
  'hands-off',
  'busy',
  'no-repair',
  'drained',
  'out-of-time',
  'stopped',
]);

export const repaired = z.object({
  instance: name,
  state,
  record: record.nullable(),
  allowed: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('enabled'), upTo: type }),
    z.object({ kind: z.literal('suspended'), until: z.number().nullable() }),
    z.object({ kind: z.literal('not-enabled') }),
  ]),
  damage: z
    .object({
      offlineNodes: names,
      repair: type.nullable().describe('null: there is none for instances of its disk template'),
      opcodes: z.array(z.object({}).loose()).describe('opcodes of Ganeti with their parameters'),
    })
    .nullable(),
  changes: listOf({
    what: z.enum(['settled', 'repair', 'not-permitted']),
    addedTag: z.string(),
    removedTags: z.array(z.string()),
  }).describe('what was done about it; with --dry-run, what would be'),
  leftAlone: leftAlone.nullable(),
});
export type Repaired = DocumentOf<typeof repaired>;

export const harep = z.object({
  ...head('harep'),
  isDryRun: flag,
  why: z.array(z.string()).describe('why it did not come to its end'),
  counts: z.object({ healthy: count, failed: count, pending: count, 'needs-repair': count }),
  instances: z.array(repaired),
});
