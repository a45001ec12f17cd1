/** Requests for new instances, measured by the cluster's score. */

import type { Instance } from '../../cluster/snapshot.ts';
import { removePrimary } from '../../model/moves/transitions.ts';
import { groupScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { GroupAllocation, isLower } from '../../planners/allocate/by-group/group-allocation.ts';
import type { Placement } from '../../planners/allocate/solution.ts';
import type { NewInstance } from '../../sources/iallocator/iallocator.ts';
import { searchText, solutionText } from './allocation-text.ts';
import { type Answer, type AnswerOptions, granted, type RequestOf, refused } from './answer.ts';
import { type Attempt, Requests } from './answer-batch.ts';
import { showScore } from './evacuation-text.ts';

export class AllocationRequests extends Requests<number> {
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
    this.noteSearch(wanted, search, isLower);
    const info = searchText(snapshot, instance.name, search, showScore);
    return search.best ? { info, ...search.best } : info;
  }

  protected metricValue(score: number): number {
    return score;
  }

  protected accept({ instance }: NewInstance, placement: Placement): void {
    this.allocation.commit(instance, placement);
  }
}

/** A secondary for an instance that had none and becomes a mirrored one. */
export function allocateSecondary(
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
