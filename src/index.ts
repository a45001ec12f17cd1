/**
 * Evenkeel as a library: load a cluster, score it, balance it, check a plan. The programs are made of the same parts.
 * The README has an example, which the tests run.
 */
export { type BalanceOptions, DEFAULT_BALANCE_OPTIONS } from './balance/options.ts';
export {
  BackendError,
  ExecutionError,
  Fault,
  InputError,
  type InputProblem,
  InternalError,
  UsageError,
} from './cluster/faults.ts';
export { movedSnapshot } from './cluster/moved-snapshot.ts';
export { type PreparedSnapshot, type PrepareOptions, prepareSnapshot } from './cluster/prepare.ts';
export { groupScope, type Scope, wholeScope } from './cluster/scope.ts';
export type {
  Group,
  Instance,
  InstancePolicy,
  InstanceSpec,
  Node,
  Snapshot,
  Utilisation,
} from './cluster/snapshot.ts';
export { ClusterState } from './cluster/state.ts';
export { MOVE_KIND_NAMES, type Move, type MoveKind } from './moves/kinds.ts';
export { planBalance } from './plan/balance-plan.ts';
export { checkPlan, type PlanFault } from './plan/check.ts';
export { type Cost, planCost } from './plan/cost.ts';
export type { Plan, PlanLimits, PlanStep } from './plan/plan.ts';
export { METRICS, type Metric } from './score/metrics.ts';
export { optimalScore, Scorer, scoreOf } from './score/scorer.ts';
export { type LoadOptions, loadSnapshot } from './snapshot/load.ts';
export { parseText } from './snapshot/text.ts';
export { formatText } from './snapshot/text-writer.ts';
