/** What steps use of all that may be limited, detours and all, and how far limits let them go. */
import { placementAfter } from '../../../model/moves/kinds.ts';
import { CAP_NAMES, type PlanAmounts } from '../../../plan/plan-amounts.ts';
import { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import type { Prices } from '../walk/prices.ts';
import type { OrderedStep } from './attempt.ts';

/** Amounts are sums of fractions. */
const ROUNDING = 1e-6;

/** One figure for each of what may be limited. */
export const eachAmount = (of: (what: keyof PlanAmounts) => number): PlanAmounts =>
  Object.fromEntries(CAP_NAMES.map((what) => [what, of(what)])) as unknown as PlanAmounts;

/** What steps use. */
export const amountsOf = (prices: Prices, steps: readonly OrderedStep[]): PlanAmounts =>
  eachAmount((what) =>
    steps.reduce((sum, { instance, kind }) => sum + prices.amountOfStep(what, instance, kind), 0),
  );

/** How many of the steps caps allow, and the score after these. */
export function withinCaps(
  layout: SearchLayout,
  prices: Prices,
  steps: readonly OrderedStep[],
  caps: PlanAmounts,
): { readonly count: number; readonly score: number } {
  const limited = CAP_NAMES.filter((what) => caps[what] < Number.POSITIVE_INFINITY);
  const used = limited.map(() => 0);
  const kernel = new Kernel(layout);
  const { primary, secondary } = kernel.books;
  for (const [count, { instance: i, kind, target }] of steps.entries()) {
    for (const [k, what] of limited.entries()) {
      used[k]! += prices.amountOfStep(what, i, kind);
      if (used[k]! > caps[what] + ROUNDING) return { count, score: kernel.score };
    }
    const [P, S] = placementAfter(kind, primary[i]!, secondary[i]!, target);
    kernel.apply(i, P, S);
  }
  return { count: steps.length, score: kernel.score };
}
