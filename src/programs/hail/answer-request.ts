/** Carries out iallocator requests on a state and says what came of them. Source: iallocator protocol of ganeti(7). */

import type { Instance, Snapshot } from '../../cluster/snapshot.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { isDedicated } from '../../planners/allocate/choose/dedicated.ts';
import type { IallocatorRequest } from '../../sources/iallocator/iallocator.ts';
import type { Answer, AnswerOptions, RequestOf } from './answer.ts';
import { AllocationRequests, allocateSecondary } from './answer-allocation.ts';
import { DedicatedRequests } from './answer-dedicated.ts';
import { changeGroup, evacuateNodes, relocate } from './answer-evacuation.ts';

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
function isDedicatedRequest(snapshot: Snapshot, request: IallocatorRequest): boolean {
  if (request.type === 'allocate') return isDedicated(snapshot, request.wanted.groupName);
  if (request.type !== 'multi-allocate') return false;
  const names = new Set(request.wanted.flatMap(({ groupName }) => groupName ?? []));
  return isDedicated(snapshot, names.size === 1 ? [...names][0] : undefined);
}

/** Does what the request asks for, on the state. */
export async function answerRequest(
  state: ClusterState,
  request: IallocatorRequest,
  options: AnswerOptions,
): Promise<Answer> {
  switch (request.type) {
    case 'allocate':
    case 'multi-allocate':
      return isDedicatedRequest(state.snapshot, request)
        ? new DedicatedRequests(state, withRestriction(options, request)).answer(request)
        : new AllocationRequests(state, withRestriction(options, request)).answer(request);
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

/** The command line's restriction outranks the request's. */
function withRestriction(
  options: AnswerOptions,
  request: RequestOf<'allocate'> | RequestOf<'multi-allocate'>,
): AnswerOptions {
  if (options.restrictTo !== undefined || request.type !== 'allocate') return options;
  return { ...options, restrictTo: request.restrictToNodes };
}
