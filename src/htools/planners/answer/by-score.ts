/** Requests for new instances, measured by the cluster's score. */
import type { NewInstance } from '../../cluster/iallocator-request.ts';
import type { ClusterState } from '../../model/state/state.ts';
import {
  GroupAllocation,
  type GroupAnswer,
  type GroupSearch,
  isLower,
} from '../allocate/by-group/group-allocation.ts';
import type { Placement } from '../allocate/solution.ts';
import { Allocations } from './allocations.ts';
import type { AnswerOptions } from './answer.ts';

export class AllocationsByScore extends Allocations<number> {
  private readonly allocation: GroupAllocation;

  constructor(state: ClusterState, options: AnswerOptions) {
    super(state, options);
    this.allocation = new GroupAllocation(state, options);
  }

  protected askGroup(group: number, { instance, requiredNodes }: NewInstance): GroupAnswer {
    return this.allocation.inGroup(group, instance, requiredNodes);
  }

  protected askAll({ instance, requiredNodes }: NewInstance): GroupSearch {
    return this.allocation.search(instance, requiredNodes);
  }

  protected isLess(a: number, b: number): boolean {
    return isLower(a, b);
  }

  protected accept({ instance }: NewInstance, { primary, secondary }: Placement): void {
    this.allocation.commit(instance, { primary, secondary });
  }
}
