/** What became of a plan that was carried out (`--exec`, `--resume`). */
import { z } from 'zod';
import { count, type DocumentOf, head, listOf, name, named, seconds } from '../../../kit/results/members.ts';

const expectation = { instance: name, expected: z.string(), found: z.string() };

/** What of the cluster is not as the plan expects. */
export const executionChange = z.discriminatedUnion('what', [
  z.object({ what: z.literal('instance-gone'), instance: name }),
  /** It was removed, and another one was made under its name. */
  z.object({ what: z.literal('instance-remade'), instance: name }),
  z.object({ what: z.literal('instance-moved'), ...expectation }),
  z.object({ what: z.literal('template-changed'), ...expectation }),
  z.object({ what: z.literal('auto-balance-off'), instance: name }),
  z.object({ what: z.literal('node-gone'), node: name }),
  z.object({ what: z.literal('node-offline'), node: name }),
  z.object({ what: z.literal('node-online'), node: name }),
  /** A node that is to go down has been made the master. */
  z.object({ what: z.literal('node-is-master'), node: name }),
  /** There are instances on a node that is to go down. */
  z.object({ what: z.literal('node-occupied'), node: name, instances: z.array(name) }),
  z.object({ what: z.literal('not-allowed'), instance: name, rule: z.string(), why: z.string() }),
  /** The instance, its node, its group or the cluster has the tag that says so. */
  z.object({ what: z.literal('hands-off'), on: name }),
  /** Somebody's job that has not ended is about the same nodes. */
  z.object({ what: z.literal('others-job'), id: z.number(), does: z.string(), on: name }),
  /** It was shut down from inside, which the watcher has not noted yet: the job would start it. */
  z.object({ what: z.literal('would-start'), instance: name }),
  z.object({ what: z.literal('unreadable'), why: z.string() }),
]);

export const execution = named('execution', {
  outcome: z
    .enum(['done', 'stopped', 'failed', 'changed', 'broken', 'held'])
    .describe('held: nothing was begun'),
  why: z.array(z.string()).describe('why it did not come to its end'),
  jobs: listOf({
    set: count.min(1),
    job: count.min(1),
    action: z.string().optional().describe('of jobs about nodes'),
    nodes: z.array(name).optional(),
    instance: name.optional(),
    from: z.string().optional().describe('nodes before, primary:secondary'),
    to: z.string().optional(),
    id: z.number().nullable().describe('as the master numbers jobs'),
    status: z.string(),
    why: z.string().optional(),
    seconds: seconds.optional(),
    error: z.string().nullable().optional(),
    log: z.array(z.string()).optional(),
    now: z.string().optional().describe('of a job that failed: where its instance is'),
    offline: z.array(name).optional().describe('of a power job that failed: its nodes that are offline'),
  }),
  changes: z.array(executionChange),
});
export type ExecutionFacts = DocumentOf<typeof execution>;

/** The document of `--resume`. */
export const resumed = <P extends string>(program: P) => z.object({ ...head(program), execution });
