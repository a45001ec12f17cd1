/**
 * Carries out iallocator requests on a state and says what came of them, in the form of the protocol's answer.
 * Source: iallocator protocol of ganeti(7); stock IAlloc for the texts.
 */

import { allocNodes } from '../allocate/alloc-nodes.ts';
import { DedicatedAllocator, isDedicated, isLessLost, type LostAllocations } from '../allocate/dedicated.ts';
import {
  GroupAllocation,
  type GroupAllocationOptions,
  type GroupAnswer,
  isConnected,
  searchGroups,
} from '../allocate/group-allocation.ts';
import type { AllocSolution, Placement } from '../allocate/solution.ts';
import { showInt } from '../cluster/haskell-numbers.ts';
import { groupScope } from '../cluster/scope.ts';
import type { Instance, Snapshot } from '../cluster/snapshot.ts';
import type { ClusterState } from '../cluster/state.ts';
import { type Mirroring, mirroringOf } from '../cluster/templates.ts';
import { Evacuator } from '../evacuate/evacuator.ts';
import type { Evacuation } from '../evacuate/outcome.ts';
import { removePrimary } from '../moves/transitions.ts';
import { groupAnswerText, type ShowMetric, searchText, solutionText } from '../report/allocation-text.ts';
import { evacuationFailureText, showScore } from '../report/evacuation-text.ts';
import { showList } from '../report/haskell-show.ts';
import type { AnswerValue } from '../report/iallocator-json.ts';
import { jobOf } from '../report/iallocator-opcodes.ts';
import type { IallocatorRequest, NewInstance } from '../snapshot/iallocator.ts';

type RequestOf<T extends IallocatorRequest['type']> = Extract<IallocatorRequest, { type: T }>;

/** The answer before it is text. A request that cannot be met is an answer, too. */
export interface Answer {
  readonly isSuccess: boolean;
  readonly info: string;
  readonly result: AnswerValue;
}

export type AnswerOptions = GroupAllocationOptions;

const refused = (info: string): Answer => ({ isSuccess: false, info: `Request failed: ${info}`, result: [] });
const granted = (info: string, result: AnswerValue): Answer => ({
  isSuccess: true,
  info: `Request successful: ${info}`,
  result,
});

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
export function isDedicatedRequest(snapshot: Snapshot, request: IallocatorRequest): boolean {
  if (request.type === 'allocate') return isDedicated(snapshot, request.wanted.groupName);
  if (request.type !== 'multi-allocate') return false;
  const names = new Set(request.wanted.flatMap(({ groupName }) => groupName ?? []));
  return isDedicated(snapshot, names.size === 1 ? [...names][0] : undefined);
}

/** Does what the request asks for, on the state. */
export function answerRequest(
  state: ClusterState,
  request: IallocatorRequest,
  options: AnswerOptions,
): Answer {
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
    case 'node-evacuate': {
      const evacuator = new Evacuator(state, options.ignoreSoftErrors);
      return evacuationAnswer(state, evacuator.evacuate(request.instances, request.mode));
    }
    case 'change-group': {
      // Stock looks for the group under the command line's rules and then moves under the usual ones.
      const evacuator = new Evacuator(state, false);
      const allocation = new GroupAllocation(state, options);
      return evacuationAnswer(
        state,
        evacuator.changeGroup(request.instances, request.targetGroups, allocation),
      );
    }
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

const placementNames = (snapshot: Snapshot, { primary, secondary }: Placement): string[] =>
  [primary, secondary].filter((n) => n >= 0).map((n) => snapshot.nodes[n]!.name);

/** What one instance's allocation came to. A text alone means that nothing was tried, which fails the whole request. */
type Attempt<Metric> =
  | { readonly info: string; readonly solution: AllocSolution<Metric>; readonly group: number }
  | string;

/** Allocation requests, by one measure or another. */
abstract class Requests<Metric> {
  protected readonly state: ClusterState;
  protected readonly options: AnswerOptions;

  constructor(state: ClusterState, options: AnswerOptions) {
    this.state = state;
    this.options = options;
  }

  protected abstract attempt(wanted: NewInstance, isOneOfMany: boolean): Attempt<Metric>;
  /** Carries out what was found. */
  protected abstract accept(
    wanted: NewInstance,
    placement: Placement,
    group: number,
    isOneOfMany: boolean,
  ): void;

  answer(request: RequestOf<'allocate'> | RequestOf<'multi-allocate'>): Answer {
    return request.type === 'allocate' ? this.answerOne(request.wanted) : this.answerMany(request.wanted);
  }

  private answerOne(wanted: NewInstance): Answer {
    const attempt = this.attempt(wanted, false);
    if (typeof attempt === 'string') return refused(attempt);
    const { best } = attempt.solution;
    if (!best) return refused(attempt.info);
    this.accept(wanted, best, attempt.group, false);
    return granted(attempt.info, placementNames(this.state.snapshot, best));
  }

  private answerMany(wanted: readonly NewInstance[]): Answer {
    const { snapshot } = this.state;
    const placed: AnswerValue[] = [];
    const failed: AnswerValue[] = [];
    for (const one of wanted) {
      const attempt = this.attempt(one, true);
      if (typeof attempt === 'string') return refused(attempt);
      const { best } = attempt.solution;
      const { name } = one.instance;
      if (best) {
        const instance = { ...one.instance, index: this.state.instanceCount };
        this.accept({ ...one, instance }, best, attempt.group, true);
        placed.push([name, placementNames(snapshot, best)]);
      } else failed.push([name, attempt.info]);
    }
    const counts = `${failed.length} instances failed to allocate and ${placed.length} were allocated successfully`;
    return granted(counts, [placed, failed]);
  }

  /** Position of the group of that name or uuid, which must be the only one. */
  protected groupOfName(name: string): number | string {
    const { groups } = this.state.snapshot;
    const found = [...groups.keys()].filter((g) => groups[g]!.name === name || groups[g]!.uuid === name);
    return found.length === 1 ? found[0]! : `Wrong number of elems found with name ${name}`;
  }

  protected groupAttempt(
    group: number,
    wanted: NewInstance,
    answer: GroupAnswer<Metric>,
    show: ShowMetric<Metric>,
  ): Attempt<Metric> {
    const info = groupAnswerText(this.state.snapshot, group, wanted.instance.name, answer, show);
    return 'kind' in answer ? info : { info, solution: answer, group };
  }
}

class AllocationRequests extends Requests<number> {
  private readonly allocation: GroupAllocation;

  constructor(state: ClusterState, options: AnswerOptions) {
    super(state, options);
    this.allocation = new GroupAllocation(state, options);
  }

  protected attempt(wanted: NewInstance): Attempt<number> {
    const { instance, requiredNodes, groupName } = wanted;
    const { snapshot } = this.state;
    if (groupName !== undefined) {
      const group = this.groupOfName(groupName);
      if (typeof group === 'string') return group;
      const answer = this.allocation.inGroup(group, instance, requiredNodes);
      return this.groupAttempt(group, wanted, answer, showScore);
    }
    const search = this.allocation.search(instance, requiredNodes);
    const info = searchText(snapshot, instance.name, search, showScore);
    return search.best ? { info, ...search.best } : info;
  }

  protected accept({ instance }: NewInstance, placement: Placement): void {
    this.allocation.commit(instance, placement);
  }
}

const showLost: ShowMetric<LostAllocations> = ({ lost, freeDiskMib }) =>
  `(${showList(lost.map(showInt))},${showInt(freeDiskMib)})`;

class DedicatedRequests extends Requests<LostAllocations> {
  private readonly allocator = new DedicatedAllocator(this.state);
  /** The only group that stock still sees once it has chosen one. */
  private chosen: number | undefined;

  protected attempt(wanted: NewInstance, isOneOfMany: boolean): Attempt<LostAllocations> {
    const { instance, groupName } = wanted;
    const { snapshot } = this.state;
    if (groupName !== undefined) {
      const group = this.groupOfName(groupName);
      if (typeof group === 'string') return group;
      this.options.trace?.begin(instance);
      const answer = this.ask(group, wanted);
      const attempt = this.groupAttempt(group, wanted, answer, showLost);
      // Among many, stock does not say which group it was.
      return isOneOfMany && typeof attempt !== 'string'
        ? { ...attempt, info: solutionText(snapshot, attempt.solution, showLost) }
        : attempt;
    }
    this.options.trace?.begin(instance);
    const visible = this.chosen === undefined ? undefined : [this.chosen];
    const search = searchGroups(
      this.state,
      { ...instance, nics: [] },
      visible,
      (group) => this.ask(group, wanted),
      isLessLost,
    );
    const info = searchText(snapshot, instance.name, search, showLost);
    return search.best ? { info, ...search.best } : info;
  }

  private ask(group: number, wanted: NewInstance): GroupAnswer<LostAllocations> {
    if (!isConnected(this.state, group, wanted.instance)) return { kind: 'unconnected' };
    const { snapshot } = this.state;
    const { nodes: members } = groupScope(snapshot, group);
    const { restrictTo } = this.options;
    const nodes = allocNodes(snapshot, wanted.requiredNodes, { nodes: members, restrictTo });
    if (nodes.kind !== 'singles' && nodes.kind !== 'pairs') return nodes;
    const { ignoreSoftErrors, trace } = this.options;
    return this.allocator.allocate(wanted.instance, nodes, { ignoreSoftErrors, onRefusal: trace?.refused });
  }

  /** Of many for a given group, stock finds a place for each as if it were the only one. */
  protected accept(wanted: NewInstance, placement: Placement, group: number, isOneOfMany: boolean): void {
    if (isOneOfMany && wanted.groupName !== undefined) return;
    if (isOneOfMany) this.chosen = group;
    this.allocator.commit(wanted.instance, placement);
  }
}

function allocateSecondary(
  state: ClusterState,
  request: RequestOf<'allocate-secondary'>,
  options: AnswerOptions,
): Answer {
  const i = request.instance;
  if (state.secondary[i]! >= 0) return refused('Instance already has a secondary');
  const primary = state.primary[i]!;
  const { snapshot } = state;
  const members = groupScope(snapshot, state.groupOf[primary]!).nodes;
  const secondaries = members.filter((n) => n !== primary);
  removePrimary(state, i, primary, state.locationScore[i]!);
  const instance: Instance = { ...state.instanceRecord(i), diskTemplate: 'drbd', isMovable: true };
  const allocation = new GroupAllocation(state, options);
  const nodes = { kind: 'pairs', pairs: [{ primary, secondaries }] } as const;
  const solution = allocation.onNodes(instance, nodes, i);
  const info = solutionText(snapshot, solution, showScore);
  if (!solution.best) return refused(info);
  allocation.commit(instance, solution.best);
  return granted(info, snapshot.nodes[solution.best.secondary]!.name);
}

const EXPECTED_NODE: Record<Mirroring, 'secondary' | 'primary' | undefined> = {
  none: undefined,
  internal: 'secondary',
  external: 'primary',
};

function relocate(state: ClusterState, request: RequestOf<'relocate'>, options: AnswerOptions): Answer {
  const { instance: i, requiredNodes, relocateFrom } = request;
  const { snapshot } = state;
  const record = state.instanceRecord(i);
  if (requiredNodes !== 1) return refused(`Exchange ${showInt(requiredNodes)} nodes mode is not implemented`);
  const expected = EXPECTED_NODE[mirroringOf(record.diskTemplate)];
  if (expected === undefined) return refused("Can't relocate non-mirrored instances");
  const leaving = expected === 'secondary' ? state.secondary[i]! : state.primary[i]!;
  if (relocateFrom.length !== 1 || relocateFrom[0] !== leaving) {
    const indexOf = (n: number): string => showInt(snapshot.nodes[n]?.index ?? n);
    return refused(
      `Unsupported request: excluded nodes not equal to instance's ${expected}(${indexOf(leaving)} versus ${showList(relocateFrom.map(indexOf))})`,
    );
  }
  const evacuator = new Evacuator(state, options.ignoreSoftErrors);
  const mode = expected === 'secondary' ? 'secondary-only' : 'primary-only';
  const [outcome] = evacuator.evacuate([i], mode);
  if (!outcome!.isMoved) return refused(evacuationFailureText(snapshot, record.name, outcome!.failure));
  const target = expected === 'secondary' ? outcome!.secondary : outcome!.primary;
  return granted('success', [snapshot.nodes[target]!.name]);
}

function evacuationAnswer(state: ClusterState, outcomes: readonly Evacuation[]): Answer {
  const { snapshot } = state;
  const moved: AnswerValue[] = [];
  const failed: AnswerValue[] = [];
  const jobs: AnswerValue[] = [];
  for (const outcome of outcomes) {
    const record = state.instanceRecord(outcome.instance);
    if (!outcome.isMoved) {
      failed.push([record.name, evacuationFailureText(snapshot, record.name, outcome.failure)]);
      continue;
    }
    const { primary, secondary } = outcome;
    const placement = { primary, secondary: record.diskTemplate === 'drbd' ? secondary : -1 };
    moved.push([record.name, snapshot.groups[outcome.group]!.name, placementNames(snapshot, placement)]);
    jobs.push(jobOf(snapshot, record, outcome.moves));
  }
  const info = `${failed.length} instances failed to move and ${moved.length} were moved successfully`;
  return granted(info, [moved, failed, jobs]);
}
