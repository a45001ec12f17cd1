/** Places for new instances on a dedicated cluster, measured by what they cost it. */
import type { NewInstance } from '../../cluster/iallocator-request.ts';
import { missingNetwork } from '../../cluster/snapshot.ts';
import { groupScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { type GroupAnswer, type GroupSearch, searchGroups } from '../allocate/by-group/group-allocation.ts';
import { allocNodes } from '../allocate/by-group/usable-nodes.ts';
import { DedicatedAllocator, isLessLost, type LostAllocations } from '../allocate/choose/dedicated.ts';
import { areNodes } from '../allocate/solution.ts';
import { placeForGood, TentativePlacement } from '../allocate/tentative-placement.ts';
import type { Placer } from './allocations.ts';
import type { AnswerOptions, PlacedIn } from './answer.ts';

export class ByLostAllocations implements Placer<LostAllocations> {
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
