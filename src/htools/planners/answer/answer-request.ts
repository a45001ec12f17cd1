/** Carries out iallocator requests, and says what came of them. Source: ganeti(7), iallocator. */
import type { IallocatorRequest, RequestOf } from '../../cluster/iallocator-request.ts';
import type { Instance, Snapshot } from '../../cluster/snapshot.ts';
import { type Figures, movedSnapshot } from '../../model/state/moved-snapshot.ts';
import { ClusterState } from '../../model/state/state.ts';
import { isDedicated } from '../allocate/choose/dedicated.ts';
import type { Answer, AnswerOptions } from './answer.ts';
import { AllocationsByLoss } from './by-lost-allocations.ts';
import { AllocationsByScore } from './by-score.ts';
import { changeGroup, evacuateNodes, relocate } from './evacuations.ts';
import { allocateSecondary } from './secondary.ts';

/** Instances that a request may add, so that their tags are known to the state from the start. */
export function requestedInstances(snapshot: Snapshot, request: IallocatorRequest): Instance[] {
  switch (request.type) {
    case 'allocate':
      return [request.wanted.instance];
    case 'multi-allocate':
      return request.wanted.map(({ instance }) => instance);
    case 'change-group':
      return request.instances.flatMap((i) => snapshot.instances[i] ?? []);
    case 'allocate-secondary':
      return snapshot.instances[request.instance] ? [snapshot.instances[request.instance]!] : [];
    default:
      return [];
  }
}

/** Whether an allocation is measured by what it costs a dedicated cluster. */
function isDedicatedRequest(
  snapshot: Snapshot,
  request: RequestOf<'allocate'> | RequestOf<'multi-allocate'>,
): boolean {
  if (request.type === 'allocate') return isDedicated(snapshot, request.wanted.groupName);
  const names = new Set(request.wanted.flatMap(({ groupName }) => groupName ?? []));
  return isDedicated(snapshot, names.size === 1 ? [...names][0] : undefined);
}

/** Does what the request asks for, on the state. @param state knows the requested instances' tags */
export async function answerOn(
  state: ClusterState,
  request: IallocatorRequest,
  options: AnswerOptions,
): Promise<Answer> {
  switch (request.type) {
    case 'allocate':
    case 'multi-allocate': {
      const restricted = withRestriction(options, request);
      return isDedicatedRequest(state.snapshot, request)
        ? { measure: 'lost-allocations', ...new AllocationsByLoss(state, restricted).answer(request) }
        : { measure: 'score', ...new AllocationsByScore(state, restricted).answer(request) };
    }
    case 'allocate-secondary':
      return allocateSecondary(state, request, options);
    case 'relocate':
      return relocate(state, request, options);
    case 'node-evacuate':
      return evacuateNodes(state, request, options);
    case 'change-group':
      return changeGroup(state, request, options);
  }
}

/** The options' restriction outranks the request's. */
function withRestriction(
  options: AnswerOptions,
  request: RequestOf<'allocate'> | RequestOf<'multi-allocate'>,
): AnswerOptions {
  if (options.restrictTo !== undefined || request.type !== 'allocate') return options;
  return { ...options, restrictTo: request.restrictToNodes };
}

/**
 * The cluster once an answer is carried out. A new instance, without index, stands in front, and one taken
 * over anew in its old place, as in stock.
 */
export function snapshotAfter(state: ClusterState, figures: Figures = 'true'): Snapshot {
  const after = movedSnapshot(state, figures);
  const byIndex = new Map(after.instances.map((instance) => [instance.index, instance]));
  return { ...after, instances: [...byIndex.values()].sort((a, b) => a.index - b.index) };
}

/** An answer, and the cluster once it is carried out; the cluster as it was where the request is refused. */
export interface AnsweredRequest {
  readonly answer: Answer;
  readonly after: Snapshot;
}

export const DEFAULT_ANSWER_OPTIONS: AnswerOptions = { ignoreSoftErrors: false, capacityChecks: true };

/** What hail answers, as data. @param snapshot prepared; not changed @param options unlike hail's defaults */
export async function answerRequest(
  snapshot: Snapshot,
  request: IallocatorRequest,
  options: Partial<AnswerOptions> = {},
): Promise<AnsweredRequest> {
  const state = new ClusterState(snapshot, { toAdd: requestedInstances(snapshot, request) });
  const answer = await answerOn(state, request, { ...DEFAULT_ANSWER_OPTIONS, ...options });
  return { answer, after: answer.isGranted ? snapshotAfter(state) : snapshot };
}
