/** Members that documents about clusters have in common. */
import { z } from 'zod';
import { count, figure, mib, name, named, seconds } from '../../../kit/results/members.ts';

export const placement = named('placement', { primary: name.nullable(), secondary: name.nullable() });

/** What copying and restarting moves take. */
export const cost = named('cost', {
  copiedMib: mib.describe('disk data copied to other nodes'),
  migrations: count.describe('live migrations'),
  migratedMemMib: mib.describe('memory that live migrations transfer'),
  failovers: count.describe('restarts of instances that do not run or cannot migrate'),
});

/** Price of a whole plan. */
export const planCost = cost
  .extend({
    steps: count,
    jobSets: count,
    downtimeSeconds: seconds,
    seconds: seconds.describe('by the clock, job sets one after another'),
    priceSeconds: seconds.describe(
      'what plans are weighed by: seconds of network, jobs and weighed downtime',
    ),
    bandwidthMibPerSecond: z.number(),
    rates: z
      .object({
        migrationMibPerSecond: z.number(),
        rewritten: z.number().describe('how often a migration sends the memory'),
        downtime: z.number().describe('what a second of downtime counts'),
        jobSeconds: seconds,
      })
      .describe('what the price is made of, beside the bandwidth of disks'),
  })
  .meta({ id: 'planCost' });

/** One job: commands that belong together. */
export const job = z.object({ instance: name, commands: z.array(z.string()) });
/** Sets one after another; jobs of one set may run in parallel. */
export const jobSets = z.array(z.array(job));

export const clusterCounts = z.object({ nodes: count, instances: count });

/** How a group stands: whether nodes are dead, or not all N+1. */
export const groupState = z.enum(['healthy', 'weak', 'unhealthy']);
export const allocPolicy = z.enum(['preferred', 'last_resort', 'unallocable']);
export const diskTemplate = z.string();
/** One of the stock programs' codes, such as FailMem. */
export const failCode = z.string();

/** Amounts of a group; memory and disk in MiB, virtual cpus that its policy allows. */
export const amounts = named('amounts', { memMib: figure, diskMib: figure, vcpus: figure });
