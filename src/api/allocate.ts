/** `evenkeel/allocate`: where new instances go, where those of a node go, and how many fit. */
export type { EvacuationMode, IallocatorRequest, NewInstance } from '../htools/cluster/iallocator-request.ts';
export { type FitOptions, howManyFit } from '../htools/planners/allocate/fill/how-many-fit.ts';
export type { Size } from '../htools/planners/allocate/sized-instance.ts';
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
export {
  type AnsweredRequest,
  answerRequest,
  DEFAULT_ANSWER_OPTIONS,
} from '../htools/planners/answer/answer-request.ts';
export { type IallocatorCall, parseIallocatorRequest } from '../htools/sources/iallocator/iallocator.ts';
