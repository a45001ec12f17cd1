/** Every plan is replayed by the checker before its result is printed. */
import { InternalError } from '../../../../kit/faults.ts';
import { checkPlan, type PlanFault } from '../../../plan/checker/check.ts';
import type { Plan } from '../../../plan/plan.ts';

const MOST_SHOWN = 5;

/** @throws InternalError when the checker finds anything wrong: that is our own fault, not the operator's. */
export function assertPlan(plan: Plan, check: (plan: Plan) => readonly PlanFault[] = checkPlan): void {
  const faults = check(plan);
  if (faults.length === 0) return;
  const shown = faults
    .slice(0, MOST_SHOWN)
    .map(({ step, rule, message }) => `step ${step}: ${rule}: ${message}`);
  throw new InternalError(
    `the plan breaks ${faults.length} check(s) when replayed; it must not be used\n  ${shown.join('\n  ')}`,
  );
}
