/** `evenkeel/plan`: what a plan costs, its job sets and commands, and whether it holds. */
export { checkPlan, type PlanFault } from '../htools/plan/checker/check.ts';
export { moveCommands, moveNotation } from '../htools/plan/commands.ts';
export { type Cost, planCost } from '../htools/plan/cost.ts';
export { type JobSet, jobSets, type PlannedJob } from '../htools/plan/jobs.ts';
export type { Plan, PlanLimits, PlanStep } from '../htools/plan/plan.ts';
