/** What a plan costs: text, and members of a document. */
import { duration, wrapped } from '../../../../kit/report/sentences.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { count } from '../../../../kit/text/words.ts';
import { planCost, planDowntimeSeconds } from '../../../plan/cost.ts';
import { jobSets } from '../../../plan/jobs.ts';
import type { Plan } from '../../../plan/plan.ts';
import { type PriceRates, planPrice, planSeconds } from '../../../plan/price.ts';
import type { planCost as planCostSchema } from '../../../results/parts/common.ts';
import { costText } from './said.ts';

export type PlanPrice = DocumentOf<typeof planCostSchema>;

export const priceOf = (plan: Pick<Plan, 'start' | 'steps'>, rates: PriceRates): PlanPrice => ({
  ...planCost(plan),
  priceSeconds: planPrice(plan, rates),
  steps: plan.steps.length,
  jobSets: jobSets(plan.start, plan.steps).length,
  downtimeSeconds: planDowntimeSeconds(plan),
  seconds: planSeconds(plan, rates),
  bandwidthMibPerSecond: rates.bandwidth,
  rates: {
    migrationMibPerSecond: rates.migration,
    rewritten: rates.rewritten,
    downtime: rates.downtime,
    jobSeconds: rates.job,
  },
});

const ratesText = ({ bandwidthMibPerSecond, rates }: PlanPrice): string =>
  `disks at ${bandwidthMibPerSecond} MiB/s, memory x${rates.rewritten} at ${rates.migrationMibPerSecond} MiB/s, ${rates.jobSeconds} s a job, downtime x${rates.downtime}`;

/** Whether they stop anything is what is asked at night. */
const failoversText = ({ failovers, downtimeSeconds }: PlanPrice): string =>
  downtimeSeconds > 0
    ? `${count(failovers, 'failover')} (${duration(downtimeSeconds)} of downtime)`
    : `${count(failovers, 'failover')} of stopped instances`;

/** A sentence, and one for what it is weighed by. @param isWeighed the plan was chosen by its price */
export function priceText(price: PlanPrice, isWeighed: boolean): string {
  const { steps, jobSets: sets, seconds, bandwidthMibPerSecond } = price;
  if (steps === 0) return 'Price: nothing\n';
  const costs = wrapped(
    '',
    `Price: ${costText(price, failoversText(price))}, ${count(steps, 'step')} in ${count(sets, 'job set')}; about ${duration(seconds)} at ${bandwidthMibPerSecond} MiB/s`,
  );
  return isWeighed
    ? costs + wrapped('', `Weighed as ${duration(price.priceSeconds)}: ${ratesText(price)}`)
    : costs;
}
