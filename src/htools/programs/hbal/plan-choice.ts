/** What the command line says about plans: how to search, what they may cost, and which one is wanted. */
import type { ProgramOptions } from '../../options/command-options.ts';
import { amountsBy, CAP_NAMES, type PlanAmounts } from '../../plan/plan.ts';
import { kneeOf, LOWEST, type PickRule } from '../../planners/search/pick.ts';
import { type Budget, budgetOf } from '../shared/balance/budget.ts';
import { searchOf } from '../shared/balance/search-limits.ts';

export type PlanOptions = ProgramOptions<'hbal'>;

/** Whether the greedy steps of the stock program are not simply what is wanted. */
export const choosesPlans = (options: PlanOptions): boolean =>
  searchOf(options) === 'deep' || options.budget.length > 0;

const hasCaps = (budget: Budget): boolean =>
  budget.caps.stops < Number.POSITIVE_INFINITY || boundsThePrice(budget);

/** Failovers are stopped instances: a plan without them may still copy everything. */
const boundsThePrice = ({ caps, seconds }: Budget): boolean =>
  seconds < Number.POSITIVE_INFINITY ||
  CAP_NAMES.some((what) => what !== 'stops' && caps[what] < Number.POSITIVE_INFINITY);

/** Whether greedy steps stay in their own order: nothing but an early stop is asked for. */
export function keepsGreedyOrder({ budget }: PlanOptions): boolean {
  const asked = budgetOf(budget);
  const { share, minGainPerSecond, isKnee } = asked;
  return share !== undefined && share < 1 && minGainPerSecond === undefined && !isKnee && !hasCaps(asked);
}

/** Which point of the curve is wanted. @param whole price of moving everything once */
export function pickRuleOf(options: PlanOptions, whole: number): PickRule {
  const budget = budgetOf(options.budget);
  const { share, minGainPerSecond, isKnee } = budget;
  if (share !== undefined || minGainPerSecond !== undefined || isKnee) {
    const rule = isKnee ? kneeOf(whole) : LOWEST;
    return {
      ...rule,
      gainShare: share ?? 1,
      minGainPerSecond: Math.max(minGainPerSecond ?? 0, rule.minGainPerSecond),
    };
  }
  if (boundsThePrice(budget) || searchOf(options) === 'greedy') return LOWEST;
  // Nodes are to be emptied at the lowest price: by the cheapest plan that does so, unless more is asked.
  return options.evacMode ? { ...LOWEST, gainShare: 0 } : kneeOf(whole);
}

/** What the groups before have used of what one plan may do for all of them (`--all-groups`). */
export interface Spent extends PlanAmounts {
  /** By the clock. */
  readonly seconds: number;
}

export const spentBy = (of: (what: keyof Spent) => number): Spent => ({
  ...amountsBy(of),
  seconds: of('seconds'),
});

export const NOTHING_SPENT = spentBy(() => 0);
