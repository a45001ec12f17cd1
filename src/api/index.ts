/** Evenkeel as a library: load, score, balance, place, evacuate, check a plan. The README has an example. */

export type { EvacuationMode, IallocatorRequest, NewInstance } from '../htools/cluster/iallocator-request.ts';
export {
  type PreparedSnapshot,
  type PrepareOptions,
  prepareSnapshot,
} from '../htools/cluster/prepare/prepare.ts';
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
} from '../htools/cluster/snapshot.ts';
export { MOVE_KIND_NAMES, type Move, type MoveKind } from '../htools/model/moves/kinds.ts';
export { METRICS, type Metric } from '../htools/model/score/metrics.ts';
export { optimalScore, Scorer, scoreOf } from '../htools/model/score/scorer.ts';
export { movedSnapshot } from '../htools/model/state/moved-snapshot.ts';
export { groupScope, type Scope, wholeScope } from '../htools/model/state/scope.ts';
export { ClusterState } from '../htools/model/state/state.ts';
export { checkPlan, type PlanFault } from '../htools/plan/checker/check.ts';
export { type Cost, planCost } from '../htools/plan/cost.ts';
export type { Plan, PlanLimits, PlanStep } from '../htools/plan/plan.ts';
export type {
  AllocationAnswer,
  AllocationAttempt,
  AllocationOutcome,
  Answer,
  AnswerOptions,
  EvacuationAnswer,
  RelocationAnswer,
  SecondaryAnswer,
} from '../htools/planners/answer/answer.ts';
export { type AnsweredRequest, answerRequest } from '../htools/planners/answer/answer-request.ts';
export { type BalanceOptions, DEFAULT_BALANCE_OPTIONS } from '../htools/planners/balance/options.ts';
export { planBalance } from '../htools/planners/balance/steps/balance-plan.ts';
export { type IallocatorCall, parseIallocatorRequest } from '../htools/sources/iallocator/iallocator.ts';
export { type LoadOptions, loadSnapshot } from '../htools/sources/load-snapshot.ts';
export { parseText } from '../htools/sources/text/text.ts';
export { formatText } from '../htools/sources/text/text-writer.ts';
export {
  BackendError,
  ExecutionError,
  Fault,
  InputError,
  type InputProblem,
  InternalError,
  UsageError,
} from '../kit/faults.ts';
