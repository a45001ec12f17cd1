/** Requests for new instances: one or many, whatever the measure. */
import type { NewInstance, RequestOf } from '../../cluster/iallocator-request.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { accountOfGroup, accountOfSearch, type GroupAccount } from '../allocate/by-group/group-account.ts';
import type { GroupAnswer, GroupSearch } from '../allocate/by-group/group-allocation.ts';
import { isRefusal } from '../allocate/solution.ts';
import type {
  AllocationAnswer,
  AllocationAttempt,
  AllocationOutcome,
  AnswerOptions,
  PlacedIn,
} from './answer.ts';

/** Allocation requests, by one measure or another. */
export abstract class Allocations<Metric> {
  /** What the groups had to say, instance by instance; kept for super clusters only. */
  private readonly accounts: GroupAccount<Metric>[] = [];

  constructor(
    protected readonly state: ClusterState,
    protected readonly options: AnswerOptions,
  ) {}

  /** What a group says. The trace has begun with the instance. */
  protected abstract askGroup(group: number, wanted: NewInstance): GroupAnswer<Metric>;
  /** What all groups say. */
  protected abstract askAll(wanted: NewInstance): GroupSearch<Metric>;
  protected abstract isLess(a: Metric, b: Metric): boolean;
  /** Carries out what was found. */
  protected abstract accept(wanted: NewInstance, placement: PlacedIn, isOneOfMany: boolean): void;

  answer(request: RequestOf<'allocate'> | RequestOf<'multi-allocate'>): AllocationAnswer<Metric> {
    const isMany = request.type === 'multi-allocate';
    const outcomes: AllocationOutcome<Metric>[] = [];
    let isGranted = true;
    for (const wanted of isMany ? request.wanted : [request.wanted]) {
      const attempt = this.attempt(wanted);
      const placement = placementOf(attempt);
      outcomes.push({ instance: wanted.instance, attempt, placement });
      isGranted = isMany ? isAnswered(attempt) : placement !== undefined;
      if (!isGranted) break;
      // Of many, each gets the next position; one alone keeps the index of who has no nodes yet.
      const index = isMany ? this.state.instanceCount : wanted.instance.index;
      const instance = { ...wanted.instance, index };
      if (placement) this.accept({ ...wanted, instance }, placement, isMany);
    }
    return { kind: 'allocation', isGranted, isMany, outcomes, accounts: this.accounts };
  }

  private attempt(wanted: NewInstance): AllocationAttempt<Metric> {
    const { instance, groupName } = wanted;
    const { groups } = this.state.snapshot;
    const isSuperCluster = groups.length > 1;
    if (groupName === undefined) {
      const search = this.askAll(wanted);
      if (isSuperCluster)
        this.accounts.push(accountOfSearch(this.state, instance, search, (a, b) => this.isLess(a, b)));
      return { kind: 'over-groups', search };
    }
    const found = groups.flatMap(({ name, uuid }, g) =>
      name === groupName || uuid === groupName ? [g] : [],
    );
    const [group] = found;
    if (group === undefined || found.length > 1) return { kind: 'no-such-group', name: groupName };
    const answer = this.askGroup(group, wanted);
    if (isSuperCluster) this.accounts.push(accountOfGroup(this.state, instance, group, answer));
    return { kind: 'in-group', group, answer };
  }
}

/** Whether nodes were tried at all; where none could be, stock refuses the whole request. */
function isAnswered<Metric>(attempt: AllocationAttempt<Metric>): boolean {
  if (attempt.kind === 'in-group') return !isRefusal(attempt.answer);
  return attempt.kind === 'over-groups' && attempt.search.best !== undefined;
}

function placementOf<Metric>(attempt: AllocationAttempt<Metric>): PlacedIn | undefined {
  if (attempt.kind === 'no-such-group') return undefined;
  const found =
    attempt.kind === 'over-groups'
      ? attempt.search.best
      : isRefusal(attempt.answer)
        ? undefined
        : { group: attempt.group, solution: attempt.answer };
  const best = found?.solution.best;
  return best && found && { primary: best.primary, secondary: best.secondary, group: found.group };
}
