/** Carries out iallocator requests, and says what came of them. Source: ganeti(7), iallocator. */
import { type IallocatorRequest, instancesOf } from '../../cluster/iallocator-request.ts';
import type { Instance, Snapshot } from '../../cluster/snapshot.ts';
import { type Figures, movedSnapshot } from '../../model/state/moved-snapshot.ts';
import { ClusterState } from '../../model/state/state.ts';
import { GroupAllocation } from '../allocate/by-group/group-allocation.ts';
import { isDedicated } from '../allocate/choose/dedicated.ts';
import { allocate, allocateSecondary, wantedBy } from './allocations.ts';
import type { Answer, AnswerOptions } from './answer.ts';
import { ByLostAllocations } from './by-lost-allocations.ts';
import { changeGroup, evacuateNodes, relocate } from './evacuations.ts';

/** Instances that a request may add, so that their tags are known to the state from the start. */
export function requestedInstances(snapshot: Snapshot, request: IallocatorRequest): Instance[] {
  switch (request.type) {
    case 'allocate':
    case 'multi-allocate':
      return wantedBy(request).map(({ instance }) => instance);
    case 'change-group':
    case 'allocate-secondary':
      return instancesOf(request).map((i) => snapshot.instances[i]!);
    default:
      return [];
  }
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
      // The options' restriction outranks the request's.
      const asked = request.type === 'allocate' ? request.restrictToNodes : undefined;
      const restricted = { ...options, restrictTo: options.restrictTo ?? asked };
      const groups = new Set(wantedBy(request).flatMap(({ groupName }) => groupName ?? []));
      // A dedicated cluster measures an allocation by what it costs.
      return isDedicated(state.snapshot, groups.size === 1 ? [...groups][0] : undefined)
        ? {
            measure: 'lost-allocations',
            ...allocate(state, request, new ByLostAllocations(state, restricted)),
          }
        : { measure: 'score', ...allocate(state, request, new GroupAllocation(state, restricted)) };
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
