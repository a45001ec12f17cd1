/**
 * Evenkeel as a library: load a cluster, score it, balance it, place and evacuate instances, check a plan. The programs are made of the same parts.
 * The README has an example, which the tests run.
 */

export {
  BackendError,
  ExecutionError,
  Fault,
  InputError,
  type InputProblem,
  InternalError,
  UsageError,
} from './cluster/faults.ts';
export type { EvacuationMode, IallocatorRequest, NewInstance } from './cluster/iallocator-request.ts';
export { type PreparedSnapshot, type PrepareOptions, prepareSnapshot } from './cluster/prepare/prepare.ts';
export type {
  Group,
  Instance,
  InstancePolicy,
  InstanceSpec,
  Node,
  RawInstance,
  RawNode,
  RawSnapshot,
  Snapshot,
  Utilisation,
} from './cluster/snapshot.ts';
export { MOVE_KIND_NAMES, type Move, type MoveKind } from './model/moves/kinds.ts';
export { METRICS, type Metric } from './model/score/metrics.ts';
export { optimalScore, Scorer, scoreOf } from './model/score/scorer.ts';
export { movedSnapshot } from './model/state/moved-snapshot.ts';
export { groupScope, type Scope, wholeScope } from './model/state/scope.ts';
export { ClusterState } from './model/state/state.ts';
export { checkPlan, type PlanFault } from './plan/checker/check.ts';
export { type Cost, planCost } from './plan/cost.ts';
export type { Plan, PlanLimits, PlanStep } from './plan/plan.ts';
export type {
  AllocationAnswer,
  AllocationAttempt,
  AllocationOutcome,
  Answer,
  AnswerOptions,
  EvacuationAnswer,
  RelocationAnswer,
  SecondaryAnswer,
} from './planners/answer/answer.ts';
export { type AnsweredRequest, answerRequest } from './planners/answer/answer-request.ts';
export { type BalanceOptions, DEFAULT_BALANCE_OPTIONS } from './planners/balance/options.ts';
export { planBalance } from './planners/balance/steps/balance-plan.ts';
export { type IallocatorCall, parseIallocatorRequest } from './sources/iallocator/iallocator.ts';
export { type LoadOptions, loadSnapshot } from './sources/load-snapshot.ts';
export { parseText } from './sources/text/text.ts';
export { formatText } from './sources/text/text-writer.ts';
