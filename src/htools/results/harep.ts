/** harep's document. */
import { z } from 'zod';
import { count, flag, head, name, names } from '../../kit/results/members.ts';

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

export const harep = z.object({
  ...head('harep'),
  isDryRun: flag,
  counts: z.object({ healthy: count, failed: count, pending: count, 'needs-repair': count }),
  instances: z.array(
    z.object({
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
          repair: type.nullable(),
          opcodes: z.array(z.object({}).loose()).describe('opcodes of Ganeti with their parameters'),
        })
        .nullable(),
      changes: z.array(z.unknown()),
      leftAlone: z.unknown(),
    }),
  ),
});
