/** `evenkeel/groups`: work between node groups. */
export { type GroupVerdict, isReclaimable, judgeGroups } from '../planners/groups/empty/compress.ts';
export {
  type GroupHealing,
  type Redistribution,
  redistribute,
} from '../planners/groups/heal/redistribute.ts';
export { type Survey, survey } from '../planners/groups/heal/survey.ts';
export { SuperCluster, type SuperClusterOptions } from '../planners/groups/homes/super-cluster.ts';
export {
  jobSchedule,
  type RelocationCost,
  relocationCost,
} from '../planners/groups/relocate/job-schedule.ts';
export type { Relocation } from '../planners/groups/relocate/relocation.ts';
export { relocationCommands } from '../planners/groups/relocate/relocation-commands.ts';
export { planOf, type RelocationLimits, snapshotAfter } from '../planners/groups/relocate/relocation-plan.ts';
export { Spreading, type SpreadOptions } from '../planners/groups/spread/spread.ts';
export type { SpreadStep } from '../planners/groups/spread/spread-step.ts';
