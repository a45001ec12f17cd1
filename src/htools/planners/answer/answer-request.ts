/** Carries out iallocator requests, and says what came of them. Source: ganeti(7), iallocator. */
import {
  type IallocatorRequest,
  instancesOf,
  type NewInstance,
  type RequestOf,
} from '../../cluster/iallocator-request.ts';
import { type Instance, missingNetwork, type Snapshot } from '../../cluster/snapshot.ts';
import { type Mirroring, mirroringOf } from '../../cluster/templates.ts';
import { type Figures, movedSnapshot } from '../../model/state/moved-snapshot.ts';
import { groupScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import {
  GroupAllocation,
  type GroupAnswer,
  type GroupSearch,
  searchGroups,
} from '../allocate/by-group/group-allocation.ts';
import {
  DedicatedAllocator,
  isDedicated,
  isLessLost,
  type LostAllocations,
} from '../allocate/choose/dedicated.ts';
import { allocNodes, areNodes } from '../allocate/solution.ts';
import { placeForGood, TentativePlacement } from '../allocate/tentative-placement.ts';
import { Evacuator } from '../evacuate/evacuator.ts';
import { allocate, allocateSecondary, type Placer, wantedBy } from './allocations.ts';
import type {
  Answer,
  AnswerOptions,
  EvacuationAnswer,
  PlacedIn,
  RelocationAnswer,
  RelocationRefusal,
} from './answer.ts';

const LEAVES: Record<Mirroring, 'secondary' | 'primary' | undefined> = {
  none: undefined,
  internal: 'secondary',
  external: 'primary',
};

/** A new secondary, or a new primary for an instance on shared storage. */
export function relocate(
  state: ClusterState,
  { instance, requiredNodes, relocateFrom }: RequestOf<'relocate'>,
  options: AnswerOptions,
): RelocationAnswer {
  const refuse = (refusal: RelocationRefusal): RelocationAnswer => ({
    kind: 'relocation',
    isGranted: false,
    instance,
    refusal,
  });
  if (requiredNodes !== 1) return refuse({ kind: 'node-count', count: requiredNodes });
  const role = LEAVES[mirroringOf(state.instanceRecord(instance).diskTemplate)];
  if (role === undefined) return refuse({ kind: 'not-mirrored' });
  const leaving = state[role][instance]!;
  if (relocateFrom.length !== 1 || relocateFrom[0] !== leaving)
    return refuse({ kind: 'other-nodes', role, leaving, asked: relocateFrom });
  const evacuator = new Evacuator(state, options.ignoreSoftErrors, options.evacuations);
  const outcome = evacuator.evacuate([instance], `${role}-only`)[0]!;
  if (!outcome.isMoved) return refuse({ kind: 'no-node', failure: outcome.failure });
  return { kind: 'relocation', isGranted: true, instance, outcome, target: outcome[role] };
}

/**
 * Instances off their nodes, within their group. On a super cluster those that stay may go to another group,
 * if the request or the options say so; otherwise the answer tells which groups would take them.
 */
async function evacuateNodes(
  state: ClusterState,
  { instances, mode, allowIntergroup }: RequestOf<'node-evacuate'>,
  options: AnswerOptions,
): Promise<EvacuationAnswer> {
  const evacuator = new Evacuator(state, options.ignoreSoftErrors, options.evacuations);
  const leaving = evacuator.nodesToLeave(instances, mode);
  const outcomes = options.evacuate
    ? options.evacuate(state, instances, mode, options)
    : evacuator.evacuate(instances, mode);
  const failed = new Set(outcomes.flatMap((outcome) => (outcome.isMoved ? [] : [outcome.instance])));
  const answer = { kind: 'evacuation', isGranted: true } as const;
  if (failed.size === 0 || state.snapshot.groups.length === 1) return { ...answer, outcomes };
  const isAllowed = options.allowIntergroup === true || allowIntergroup === true;
  const { seekElsewhere } = await import('./elsewhere.ts');
  const elsewhere = seekElsewhere(state, [...failed], leaving, isAllowed);
  if (!isAllowed) return { ...answer, outcomes, elsewhere };
  const gone = new Set(elsewhere.moved.map(({ instance }) => instance));
  const stayed = outcomes.filter((outcome) => outcome.isMoved || !gone.has(outcome.instance));
  return { ...answer, outcomes: [...stayed, ...elsewhere.moved], elsewhere };
}

/** Instances to other groups: stock looks by the command line's rules, and moves by the usual ones. */
function changeGroup(
  state: ClusterState,
  { instances, targetGroups }: RequestOf<'change-group'>,
  options: AnswerOptions,
): EvacuationAnswer {
  const evacuator = new Evacuator(state, false, options.evacuations);
  const allocation = new GroupAllocation(state, options);
  const outcomes = evacuator.changeGroup(instances, targetGroups, allocation);
  return { kind: 'evacuation', isGranted: true, outcomes };
}

/** Places for new instances on a dedicated cluster, measured by what they cost it. */
class ByLostAllocations implements Placer<LostAllocations> {
  readonly isLess = isLessLost;
  private readonly allocator: DedicatedAllocator;
  /** The only group that stock still sees once it has chosen one. */
  private chosen: number | undefined;
  private latest: TentativePlacement | undefined;

  constructor(
    private readonly state: ClusterState,
    private readonly options: AnswerOptions,
  ) {
    this.allocator = new DedicatedAllocator(state);
  }

  inGroup(group: number, wanted: NewInstance): GroupAnswer<LostAllocations> {
    this.options.trace?.begin(wanted.instance);
    return this.ask(group, wanted);
  }

  search(wanted: NewInstance): GroupSearch<LostAllocations> {
    this.options.trace?.begin(wanted.instance);
    const visible = this.chosen === undefined ? undefined : [this.chosen];
    const ask = (group: number) => this.ask(group, wanted);
    return searchGroups(this.state, { ...wanted.instance, nics: [] }, visible, ask, isLessLost);
  }

  private ask(group: number, wanted: NewInstance): GroupAnswer<LostAllocations> {
    const { snapshot } = this.state;
    if (missingNetwork(snapshot.groups[group]!, wanted.instance) !== undefined)
      return { kind: 'unconnected' };
    const { nodes: members } = groupScope(snapshot, group);
    const nodes = allocNodes(snapshot, wanted.requiredNodes, members, this.options.restrictTo);
    if (!areNodes(nodes)) return nodes;
    this.latest?.takeBack();
    const solution = this.allocator.allocate(wanted.instance, nodes, this.options);
    this.latest?.place();
    return solution;
  }

  /**
   * Of many for a given group, stock finds a place for each as if it were the only one, and in the end knows
   * all of them but only the latest one's use of its nodes.
   */
  commit({ instance, groupName }: NewInstance, placement: PlacedIn, isOneOfMany: boolean): void {
    this.latest?.takeBack();
    if (isOneOfMany && groupName !== undefined) {
      this.latest = new TentativePlacement(this.state, instance, placement);
      return;
    }
    this.chosen = placement.group;
    placeForGood(this.state, instance, placement);
    this.latest?.place();
  }
}

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
