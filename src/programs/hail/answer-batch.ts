/** Requests for new instances: one or many, whatever the measure. */

import type { ClusterState } from '../../model/state/state.ts';
import {
  accountOfGroup,
  accountOfSearch,
  type GroupAccount,
} from '../../planners/allocate/by-group/group-account.ts';
import type { GroupAnswer, GroupSearch } from '../../planners/allocate/by-group/group-allocation.ts';
import type { AllocSolution, Placement } from '../../planners/allocate/solution.ts';
import type { NewInstance } from '../../sources/iallocator/iallocator.ts';
import type { AnswerValue } from '../../stock/json-value.ts';
import { groupAnswerText, type ShowMetric } from './allocation-text.ts';
import {
  type Answer,
  type AnswerOptions,
  granted,
  placementNames,
  type RequestOf,
  refused,
} from './answer.ts';
import { groupMembers } from './groups-json.ts';

/** What one instance's allocation came to. A text alone means that nothing was tried, which fails the whole request. */
export type Attempt<Metric> =
  | { readonly info: string; readonly solution: AllocSolution<Metric>; readonly group: number }
  | string;

/** Allocation requests, by one measure or another. */
export abstract class Requests<Metric> {
  protected readonly state: ClusterState;
  protected readonly options: AnswerOptions;
  /** What the groups had to say, instance by instance; kept for super clusters only. */
  private readonly accounts: GroupAccount<Metric>[] = [];

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

  /** The metric for the members that list groups. */
  protected abstract metricValue(metric: Metric): AnswerValue;

  answer(request: RequestOf<'allocate'> | RequestOf<'multi-allocate'>): Answer {
    const isMany = request.type === 'multi-allocate';
    const answer = isMany ? this.answerMany(request.wanted) : this.answerOne(request.wanted);
    if (!this.isSuperCluster) return answer;
    const { snapshot } = this.state;
    const more = groupMembers(snapshot, this.accounts, isMany, (metric) => this.metricValue(metric));
    return { ...answer, more };
  }

  private get isSuperCluster(): boolean {
    return this.state.snapshot.groups.length > 1;
  }

  /** Keeps what a search over the groups found. To be called before anything is placed. */
  protected noteSearch(
    { instance }: NewInstance,
    search: GroupSearch<Metric>,
    isLess: (a: Metric, b: Metric) => boolean,
  ): void {
    if (this.isSuperCluster) this.accounts.push(accountOfSearch(this.state, instance, search, isLess));
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
    if (this.isSuperCluster) this.accounts.push(accountOfGroup(this.state, wanted.instance, group, answer));
    const info = groupAnswerText(this.state.snapshot, group, wanted.instance.name, answer, show);
    return 'kind' in answer ? info : { info, solution: answer, group };
  }
}
