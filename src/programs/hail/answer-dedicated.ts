/** Requests for new instances on a dedicated cluster, measured by what they cost it. */

import { groupScope } from '../../model/state/scope.ts';
import {
  type GroupAnswer,
  isConnected,
  searchGroups,
} from '../../planners/allocate/by-group/group-allocation.ts';
import { allocNodes } from '../../planners/allocate/by-group/usable-nodes.ts';
import {
  DedicatedAllocator,
  isLessLost,
  type LostAllocations,
} from '../../planners/allocate/choose/dedicated.ts';
import type { Placement } from '../../planners/allocate/solution.ts';
import { TentativePlacement } from '../../planners/allocate/tentative-placement.ts';
import type { NewInstance } from '../../sources/iallocator/iallocator.ts';
import type { AnswerValue } from '../../stock/json-value.ts';
import { showInt } from '../../stock/numbers.ts';
import { showList } from '../../stock/show.ts';
import { type ShowMetric, searchText, solutionText } from './allocation-text.ts';
import { type Attempt, Requests } from './answer-batch.ts';

const showLost: ShowMetric<LostAllocations> = ({ lost, freeDiskMib }) =>
  `(${showList(lost.map(showInt))},${showInt(freeDiskMib)})`;

export class DedicatedRequests extends Requests<LostAllocations> {
  private readonly allocator = new DedicatedAllocator(this.state);
  /** The only group that stock still sees once it has chosen one. */
  private chosen: number | undefined;
  private latest: TentativePlacement | undefined;

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
    this.noteSearch(wanted, search, isLessLost);
    // Without any group there is nothing that stock has to say here.
    const info = search.candidates.length === 0 ? '' : searchText(snapshot, instance.name, search, showLost);
    return search.best ? { info, ...search.best } : info;
  }

  protected metricValue({ lost, freeDiskMib }: LostAllocations): AnswerValue {
    return { lost, freeDiskMib };
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
   * Of many for a given group, stock finds a place for each as if it were the only one, and in the end knows all of them
   * but only the latest one's use of its nodes.
   */
  protected accept(wanted: NewInstance, placement: Placement, group: number, isOneOfMany: boolean): void {
    if (isOneOfMany && wanted.groupName !== undefined) {
      this.latest?.takeBack();
      this.latest = new TentativePlacement(this.state, wanted.instance, placement);
      return;
    }
    if (isOneOfMany) this.chosen = group;
    this.allocator.commit(wanted.instance, placement);
  }
}
