/** Requests for new instances on a dedicated cluster, measured by what they cost it. */
import type { NewInstance } from '../../cluster/iallocator-request.ts';
import { groupScope } from '../../model/state/scope.ts';
import {
  type GroupAnswer,
  type GroupSearch,
  isConnected,
  searchGroups,
} from '../allocate/by-group/group-allocation.ts';
import { allocNodes } from '../allocate/by-group/usable-nodes.ts';
import { DedicatedAllocator, isLessLost, type LostAllocations } from '../allocate/choose/dedicated.ts';
import { TentativePlacement } from '../allocate/tentative-placement.ts';
import { Allocations } from './allocations.ts';
import type { PlacedIn } from './answer.ts';

export class AllocationsByLoss extends Allocations<LostAllocations> {
  private readonly allocator = new DedicatedAllocator(this.state);
  /** The only group that stock still sees once it has chosen one. */
  private chosen: number | undefined;
  private latest: TentativePlacement | undefined;

  protected askGroup(group: number, wanted: NewInstance): GroupAnswer<LostAllocations> {
    this.options.trace?.begin(wanted.instance);
    return this.ask(group, wanted);
  }

  protected askAll(wanted: NewInstance): GroupSearch<LostAllocations> {
    const { instance } = wanted;
    this.options.trace?.begin(instance);
    const visible = this.chosen === undefined ? undefined : [this.chosen];
    return searchGroups(
      this.state,
      { ...instance, nics: [] },
      visible,
      (group) => this.ask(group, wanted),
      isLessLost,
    );
  }

  protected isLess(a: LostAllocations, b: LostAllocations): boolean {
    return isLessLost(a, b);
  }

  private ask(group: number, wanted: NewInstance): GroupAnswer<LostAllocations> {
    if (!isConnected(this.state, group, wanted.instance)) return { kind: 'unconnected' };
    const { snapshot } = this.state;
    const { nodes: members } = groupScope(snapshot, group);
    const { restrictTo } = this.options;
    const nodes = allocNodes(snapshot, wanted.requiredNodes, { nodes: members, restrictTo });
    if (nodes.kind !== 'singles' && nodes.kind !== 'pairs') return nodes;
    const { ignoreSoftErrors, trace } = this.options;
    this.latest?.takeBack();
    const options = { ignoreSoftErrors, onRefusal: trace?.refused };
    const solution = this.allocator.allocate(wanted.instance, nodes, options);
    this.latest?.place();
    return solution;
  }

  /**
   * Of many for a given group, stock finds a place for each as if it were the only one, and in the end knows
   * all of them but only the latest one's use of its nodes.
   */
  protected accept(wanted: NewInstance, placement: PlacedIn, isOneOfMany: boolean): void {
    const { primary, secondary, group } = placement;
    if (isOneOfMany && wanted.groupName !== undefined) {
      this.latest?.takeBack();
      this.latest = new TentativePlacement(this.state, wanted.instance, { primary, secondary });
      return;
    }
    if (isOneOfMany) this.chosen = group;
    this.latest?.takeBack();
    this.allocator.commit(wanted.instance, { primary, secondary });
    this.latest?.place();
  }
}
