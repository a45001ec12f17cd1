/** Every plan is replayed by the checker before its result is printed. */
import { InternalError } from '../../../../kit/faults.ts';
import { checkPlan, type PlanFault } from '../../../plan/checker/check.ts';
import type { Plan } from '../../../plan/plan.ts';

const MOST_SHOWN = 5;

/** @throws InternalError when the checker finds anything wrong: that is our own fault, not the operator's. */
export const assertPlan = (plan: Plan): void => assertNoFaults(checkPlan(plan));

/** The same of what it has found already. */
export function assertNoFaults(faults: readonly PlanFault[], what = 'the plan'): void {
  if (faults.length === 0) return;
  const shown = faults
    .slice(0, MOST_SHOWN)
    .map(({ step, rule, message }) => `step ${step}: ${rule}: ${message}`);
  throw new InternalError(
    `${what} breaks ${faults.length} check(s) when replayed; it must not be used\n  ${shown.join('\n  ')}`,
  );
}
