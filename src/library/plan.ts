/** `evenkeel/plan`: what a plan costs, its job sets and commands, and whether it holds. */
export { checkPlan, type PlanFault } from '../plan/checker/check.ts';
export { moveCommands, moveNotation } from '../plan/commands.ts';
export { type Cost, planCost } from '../plan/cost.ts';
export { type JobSet, jobSets, type PlannedJob } from '../plan/jobs.ts';
export type { Plan, PlanLimits, PlanStep } from '../plan/plan.ts';
