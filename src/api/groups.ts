/** `evenkeel/groups`: work between node groups. */
export { type GroupVerdict, isReclaimable, judgeGroups } from '../htools/planners/groups/empty/compress.ts';
export {
  type GroupHealing,
  type Redistribution,
  redistribute,
} from '../htools/planners/groups/heal/redistribute.ts';
export { type Survey, survey } from '../htools/planners/groups/heal/survey.ts';
export { SuperCluster, type SuperClusterOptions } from '../htools/planners/groups/homes/super-cluster.ts';
export type { Relocation } from '../htools/planners/groups/relocate/relocation.ts';
export {
  jobSchedule,
  planOf,
  type RelocationCost,
  type RelocationLimits,
  relocationCommands,
  relocationCost,
  snapshotAfter,
} from '../htools/planners/groups/relocate/relocation-plan.ts';
export type { SpreadStep } from '../htools/planners/groups/spread/deep-spread.ts';
export { Spreading, type SpreadOptions } from '../htools/planners/groups/spread/spread.ts';
