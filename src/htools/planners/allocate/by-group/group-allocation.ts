/**
 * Homes for new instances on a cluster of several groups: the best group by policy and score, or a given one.
 *
 * Scores and capacity checks look at the whole cluster when any group will do, and at the group alone when
 * one is given, as in the stock programs. Source: stock tryMGAlloc, tryGroupAlloc, allocList; hail(1).
 */
import { kept } from '../../../../kit/kept.ts';
import type { NewInstance } from '../../../cluster/iallocator-request.ts';
import { ALLOC_POLICIES, type Instance, missingNetwork } from '../../../cluster/snapshot.ts';
import { type CapacityCheck, capacityCheck } from '../../../model/redundancy/capacity-check.ts';
import type { Bookkeeping } from '../../../model/redundancy/drbd/global-n-plus-one.ts';
import { groupScope, groupsWithNodes } from '../../../model/state/scope.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { AllocationTrace } from '../choose/allocation-trace.ts';
import { Allocator } from '../choose/allocator.ts';
import {
  type AllocNodes,
  type AllocRefusal,
  type AllocSolution,
  allocNodes,
  areNodes,
  isRefusal,
  type Placement,
} from '../solution.ts';
import { placeForGood } from '../tentative-placement.ts';

export type GroupAnswer<Metric = number> = AllocSolution<Metric> | AllocRefusal;

/** What one group has to offer. `group` is its position. */
export interface GroupOffer<Metric = number> {
  readonly group: number;
  readonly result: GroupAnswer<Metric>;
}

/** The groups that were asked, and which of them is chosen. */
export interface GroupSearch<Metric = number> {
  /** Groups that could be asked at all. */
  readonly candidates: readonly number[];
  /** Groups without a network that the instance needs; they are not asked. */
  readonly unconnected: readonly number[];
  readonly offers: readonly GroupOffer<Metric>[];
  readonly best: { readonly group: number; readonly solution: AllocSolution<Metric> } | undefined;
}

export interface GroupAllocationOptions {
  readonly ignoreSoftErrors: boolean;
  /** Keep the cluster globally redundant. */
  readonly capacityChecks: boolean;
  /** Names of the only nodes to use; undefined = all. */
  readonly restrictTo?: readonly string[] | undefined;
  /** Keeps the account of everything that is tried. */
  readonly trace?: AllocationTrace | undefined;
}

export type FoundHome<Metric> = GroupOffer<Metric> & {
  readonly result: AllocSolution<Metric> & { readonly best: object };
};

export const hasHome = <Metric>(offer: GroupOffer<Metric>): offer is FoundHome<Metric> =>
  !isRefusal(offer.result) && offer.result.best !== undefined;

/** Whether a group takes no new instances unless it is asked for by its name. */
export const isClosed = (state: ClusterState, group: number): boolean =>
  state.snapshot.groups[group]!.allocPolicy === 'unallocable';

/** Groups with a lower rank are preferred. */
export const policyRank = (state: ClusterState, group: number): number =>
  ALLOC_POLICIES.indexOf(state.snapshot.groups[group]!.allocPolicy);

/**
 * Chooses among offers: preferred groups first, then the lower metric, of equal ones the last, of those that
 * cannot be compared the first. Groups that take no new instances never win.
 */
function bestOffer<Metric>(
  state: ClusterState,
  offers: readonly GroupOffer<Metric>[],
  isLess: (a: Metric, b: Metric) => boolean,
): GroupSearch<Metric>['best'] {
  let best: FoundHome<Metric> | undefined;
  for (const offer of offers) {
    if (isClosed(state, offer.group) || !hasHome(offer)) continue;
    const lead = best ? policyRank(state, best.group) - policyRank(state, offer.group) : 0;
    const isWorse =
      lead < 0 ||
      (lead === 0 && best !== undefined && isLess(best.result.best.metric, offer.result.best.metric));
    if (!isWorse) best = offer;
  }
  return best && { group: best.group, solution: best.result };
}

/** Asks all groups with nodes, or those of `allowed` among them. */
export function searchGroups<Metric>(
  state: ClusterState,
  instance: Instance,
  allowed: readonly number[] | undefined,
  ask: (group: number) => GroupAnswer<Metric>,
  isLess: (a: Metric, b: Metric) => boolean,
): GroupSearch<Metric> {
  const all = groupsWithNodes(state.snapshot);
  const candidates = allowed ? all.filter((group) => allowed.includes(group)) : all;
  const connected = candidates.filter(
    (group) => missingNetwork(state.snapshot.groups[group]!, instance) === undefined,
  );
  const unconnected = candidates.filter((group) => !connected.includes(group));
  const offers = connected.map((group) => ({ group, result: ask(group) }));
  return { candidates, unconnected, offers, best: bestOffer(state, offers, isLess) };
}

/** Lower scores are better; what is no number counts as lower and as higher. */
const isLower = (a: number, b: number): boolean => !(a >= b);

/** Something to place, as a request or a copy of an instance has it. */
type Wanted = Pick<NewInstance, 'instance' | 'requiredNodes'>;

interface Part {
  readonly allocator: Allocator;
  readonly globalCheck: CapacityCheck | undefined;
}

export class GroupAllocation {
  readonly isLess = isLower;
  private wholePart: Part | undefined;
  private readonly byGroup = new Map<number, Part>();

  constructor(
    readonly state: ClusterState,
    private readonly options: GroupAllocationOptions,
  ) {}

  /**
   * The best group for an instance.
   * @param allowed positions of the groups to ask; undefined = all
   * @param original position of the instance of which the given one is a copy, while it is still on its nodes
   */
  search(wanted: Wanted, allowed?: readonly number[], original?: number): GroupSearch {
    this.options.trace?.begin(wanted.instance);
    const ask = (group: number): GroupAnswer => this.ask(group, () => this.whole, wanted, { original });
    return searchGroups(this.state, wanted.instance, allowed, ask, isLower);
  }

  inGroup(group: number, wanted: Wanted): GroupAnswer {
    this.options.trace?.begin(wanted.instance);
    if (missingNetwork(this.state.snapshot.groups[group]!, wanted.instance) !== undefined)
      return { kind: 'unconnected' };
    const part = (): Part => kept(this.byGroup, group, () => this.makePart(this.nodesOf(group)));
    return this.ask(group, part, wanted, this.mixedUpBooks(group));
  }

  /** Exactly these nodes, with the whole cluster's score; the instance is a copy of `original`. */
  onNodes(instance: Instance, nodes: AllocNodes, original: number): AllocSolution {
    this.options.trace?.begin(instance);
    return this.allocate(this.whole, instance, nodes, { original });
  }

  commit({ instance }: Pick<Wanted, 'instance'>, placement: Placement): void {
    placeForGood(this.state, instance, placement);
    this.refresh([placement.primary, placement.secondary].filter((n) => n >= 0));
  }

  /** Takes over what changed on these nodes otherwise. */
  refresh(changed: readonly number[]): void {
    for (const part of [...this.byGroup.values(), ...(this.wholePart ? [this.wholePart] : [])]) {
      part.allocator.refresh(changed);
      part.globalCheck?.refresh(changed);
    }
  }

  private get whole(): Part {
    this.wholePart ??= this.makePart([...this.state.snapshot.nodes.keys()]);
    return this.wholePart;
  }

  private nodesOf(group: number): readonly number[] {
    return groupScope(this.state.snapshot, group).nodes;
  }

  private makePart(nodes: readonly number[]): Part {
    return {
      allocator: new Allocator(this.state, nodes),
      globalCheck: this.options.capacityChecks ? capacityCheck(this.state, nodes) : undefined,
    };
  }

  /** What a group's own nodes answer, in the books and by the score of a part. */
  private ask(
    group: number,
    part: () => Part,
    { instance, requiredNodes }: Wanted,
    books: Bookkeeping,
  ): GroupAnswer {
    const { restrictTo } = this.options;
    const nodes = allocNodes(this.state.snapshot, requiredNodes, this.nodesOf(group), restrictTo);
    return areNodes(nodes) ? this.allocate(part(), instance, nodes, books) : nodes;
  }

  private allocate(
    { allocator, globalCheck }: Part,
    instance: Instance,
    nodes: AllocNodes,
    books: Bookkeeping,
  ): AllocSolution {
    const { ignoreSoftErrors, trace } = this.options;
    return allocator.allocate(instance, nodes, { ignoreSoftErrors, globalCheck, books, trace });
  }

  /**
   * Within a group stock files the new instance under the number of instances in the group, where another one
   * of the group may stand already; the capacity check then takes that one for the new one.
   */
  private mixedUpBooks(group: number): Bookkeeping {
    const { state } = this;
    const isIn = (i: number): boolean => state.groupOf[state.primary[i]!] === group;
    let count = 0;
    for (let i = 0; i < state.instanceCount; i++) if (isIn(i)) count++;
    return count < state.instanceCount && isIn(count) ? { overwritten: count } : {};
  }
}
