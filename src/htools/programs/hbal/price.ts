/** What a plan costs, and how far from the best it ends: a line of text each, and members of a document. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import { count } from '../../../kit/text/words.ts';
import { MIB_PER_GIB } from '../../../kit/units.ts';
import { GroupParts } from '../../model/state/group-parts.ts';
import { planCost, planDowntimeSeconds } from '../../plan/cost.ts';
import { jobSets } from '../../plan/jobs.ts';
import type { Plan } from '../../plan/plan.ts';
import { type PriceRates, planPrice, planSeconds } from '../../plan/price.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { lowerBound } from '../../planners/search/bound/lower-bound.ts';
import { type Bought, pricedBound } from '../../planners/search/bound/priced-bound.ts';
import { makeLayout } from '../../planners/search/kernel/layout.ts';
import type { planCost as planCostSchema } from '../../results/hbal.ts';
import { duration } from '../shared/groups/group-figures.ts';

/** The price of a plan: its cost, its length, and how long it takes. */
export type PlanPrice = DocumentOf<typeof planCostSchema>;

export const priceOf = (plan: Pick<Plan, 'start' | 'steps'>, rates: PriceRates): PlanPrice => ({
  ...planCost(plan),
  priceSeconds: planPrice(plan, rates),
  steps: plan.steps.length,
  jobSets: jobSets(plan.start, plan.steps).length,
  downtimeSeconds: planDowntimeSeconds(plan),
  seconds: planSeconds(plan, rates),
  bandwidthMibPerSecond: rates.bandwidth,
  rates: ratesJson(rates),
});

const gib = (mib: number): string => `${(mib / MIB_PER_GIB).toFixed(mib < 100 * MIB_PER_GIB ? 1 : 0)} GiB`;

const ratesJson = ({ migration, rewritten, downtime, job }: PriceRates) => ({
  migrationMibPerSecond: migration,
  rewritten,
  downtime,
  jobSeconds: job,
});

/** What the price is made of. */
const ratesText = ({ bandwidthMibPerSecond, rates }: PlanPrice): string =>
  `disks at ${bandwidthMibPerSecond} MiB/s, memory x${rates.rewritten} at ${rates.migrationMibPerSecond} MiB/s, ${rates.jobSeconds} s a job, downtime x${rates.downtime}`;

/** One line, and one for what it is weighed by. @param isWeighed the plan was chosen by its price */
export function priceText(price: PlanPrice, isWeighed: boolean): string {
  const { steps, jobSets: sets, seconds, downtimeSeconds, bandwidthMibPerSecond } = price;
  const parts = [
    `${gib(price.copiedMib)} copied`,
    `${count(price.migrations, 'migration')} (${gib(price.migratedMemMib)} of memory)`,
    ...(price.failovers > 0 ? [count(price.failovers, 'failover')] : []),
    ...(downtimeSeconds > 0 ? [`${duration(downtimeSeconds)} of downtime`] : []),
    `${count(steps, 'step')} in ${count(sets, 'job set')}`,
  ];
  const weighed = `Weighed as ${duration(price.priceSeconds)}: ${ratesText(price)}\n`;
  return `Price: ${parts.join(', ')}; about ${duration(seconds)} at ${bandwidthMibPerSecond} MiB/s\n${isWeighed ? weighed : ''}`;
}

/** What is proven. */
export interface Bound {
  /** No placement has a lower score. */
  readonly score: number;
  /** No placement within the plan's price has a lower score, none with its score a lower price. */
  readonly atPrice: Bought;
}

/** @param nodes positions of the group's nodes @returns undefined where there is none to prove */
export function boundOf(
  { start, initialScore, finalScore }: Plan,
  nodes: readonly number[],
  options: BalanceOptions,
  { priceSeconds }: PlanPrice,
): Bound | undefined {
  const part = new GroupParts(start).of(start.nodes[nodes[0]!]!.group);
  const layout = makeLayout(part.state, part.nodes, options);
  // The best placement is no worse than the best that is known.
  const score = lowerBound(layout, Math.min(initialScore, finalScore));
  if (score === undefined) return undefined;
  const atPrice = pricedBound(layout, { price: priceSeconds, score: finalScore }, initialScore - finalScore);
  return { score, atPrice: { ...atPrice, score: Math.max(score, atPrice.score) } };
}

/** A line, and one where there is a price. */
export function boundText(bound: Bound | undefined, reached: number, { priceSeconds }: PlanPrice): string {
  if (bound === undefined)
    return 'Lower bound: none (forthcoming instances, repeated tags or spindles of some nodes are not covered)\n';
  const { score, atPrice } = bound;
  const line = `Lower bound: no placement has a score below ${score.toFixed(8)}; the plan ends ${(reached - score).toFixed(8)} above it\n`;
  if (priceSeconds === 0) return line;
  return `${line}For at most its price (${duration(priceSeconds)}) no score is below ${atPrice.score.toFixed(8)}, and for less than ${duration(atPrice.price)} none is as low as the plan's\n`;
}
