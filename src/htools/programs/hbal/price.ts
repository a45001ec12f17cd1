/** What a plan costs, and how far from the best it ends: a line of text each, and members of a document. */

import type { DocumentOf } from '../../../kit/results/members.ts';
import { MIB_PER_GIB } from '../../../kit/units.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { ClusterState } from '../../model/state/state.ts';
import { planCost, planDowntimeSeconds, planSeconds } from '../../plan/cost.ts';
import { jobSets } from '../../plan/jobs.ts';
import type { Plan } from '../../plan/plan.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { lowerBound } from '../../planners/search/bound/lower-bound.ts';
import { makeLayout } from '../../planners/search/kernel/layout.ts';
import type { planCost as planCostSchema } from '../../results/hbal.ts';
import { count, duration } from '../shared/groups/group-figures.ts';

/** The price of a plan: its cost, its length, and how long it takes. */
export type PlanPrice = DocumentOf<typeof planCostSchema>;

/** @param bandwidth MiB a second */
export const priceOf = (plan: Pick<Plan, 'start' | 'steps'>, bandwidth: number): PlanPrice => ({
  ...planCost(plan),
  steps: plan.steps.length,
  jobSets: jobSets(plan.start, plan.steps).length,
  downtimeSeconds: planDowntimeSeconds(plan),
  seconds: planSeconds(plan, bandwidth),
  bandwidthMibPerSecond: bandwidth,
});

const gib = (mib: number): string => `${(mib / MIB_PER_GIB).toFixed(mib < 100 * MIB_PER_GIB ? 1 : 0)} GiB`;

/** One line. */
export function priceText(price: PlanPrice): string {
  const { steps, jobSets: sets, seconds, downtimeSeconds, bandwidthMibPerSecond } = price;
  const parts = [
    `${gib(price.copiedMib)} copied`,
    `${count(price.migrations, 'migration')} (${gib(price.migratedMemMib)} of memory)`,
    ...(price.failovers > 0 ? [count(price.failovers, 'failover')] : []),
    ...(downtimeSeconds > 0 ? [`${duration(downtimeSeconds)} of downtime`] : []),
    `${count(steps, 'step')} in ${count(sets, 'job set')}`,
  ];
  return `Price: ${parts.join(', ')}; about ${duration(seconds)} at ${bandwidthMibPerSecond} MiB/s\n`;
}

/** The bound; no score where there is none to prove. */
export interface Bound {
  readonly score: number | undefined;
}

/**
 * @param nodes positions of the nodes of the group
 * @param reached score at the plan's end
 */
export function boundOf(
  snapshot: Snapshot,
  nodes: readonly number[],
  options: BalanceOptions,
  reached: number,
): Bound {
  return { score: lowerBound(makeLayout(new ClusterState(snapshot), nodes, options), reached) };
}

/** One line. */
export function boundText({ score }: Bound, reached: number): string {
  if (score === undefined)
    return 'Lower bound: none (forthcoming instances, repeated tags or spindles of some nodes are not covered)\n';
  return `Lower bound: no placement has a score below ${score.toFixed(8)}; the plan ends ${(reached - score).toFixed(8)} above it\n`;
}
