/** Requests for new instances: one or many, whatever the measure. */
import type { NewInstance, RequestOf } from '../../cluster/iallocator-request.ts';
import type { Instance } from '../../cluster/snapshot.ts';
import { removePrimary } from '../../model/moves/transitions.ts';
import { groupScope, groupsCalled } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import {
  GroupAllocation,
  type GroupAnswer,
  type GroupSearch,
} from '../allocate/by-group/group-allocation.ts';
import { isRefusal } from '../allocate/solution.ts';
import type {
  AllocationAnswer,
  AllocationAttempt,
  AllocationOutcome,
  AnswerOptions,
  GroupAccount,
  PlacedIn,
  SecondaryAnswer,
} from './answer.ts';
import { accountOf } from './group-account.ts';

/** How places are found by one measure, and taken: `GroupAllocation` does by the score. */
export interface Placer<Metric> {
  /** What a group says. */
  inGroup(group: number, wanted: NewInstance): GroupAnswer<Metric>;
  /** What all groups say. */
  search(wanted: NewInstance): GroupSearch<Metric>;
  isLess(a: Metric, b: Metric): boolean;
  commit(wanted: NewInstance, placement: PlacedIn, isOneOfMany: boolean): void;
}

type AllocationRequest = RequestOf<'allocate'> | RequestOf<'multi-allocate'>;

export const wantedBy = (request: AllocationRequest): readonly NewInstance[] =>
  request.type === 'allocate' ? [request.wanted] : request.wanted;

export function allocate<Metric>(
  state: ClusterState,
  request: AllocationRequest,
  placer: Placer<Metric>,
): AllocationAnswer<Metric> {
  const isMany = request.type === 'multi-allocate';
  const outcomes: AllocationOutcome<Metric>[] = [];
  const accounts: GroupAccount<Metric>[] = [];
  let isGranted = true;
  for (const wanted of wantedBy(request)) {
    const attempt = attemptOf(state, wanted, placer);
    if (attempt.kind !== 'no-such-group' && state.snapshot.groups.length > 1)
      accounts.push(accountOf(state, wanted.instance, attempt, placer.isLess));
    const found = foundBy(attempt);
    const best = found?.solution.best;
    const placement = best && { primary: best.primary, secondary: best.secondary, group: found.group };
    outcomes.push({ instance: wanted.instance, attempt, placement });
    // Of many some may have no place; where nodes could not even be tried, stock refuses the whole request.
    isGranted = (isMany ? found : placement) !== undefined;
    if (!isGranted) break;
    // Of many, each gets the next position; one alone keeps the index of who has no nodes yet.
    const index = isMany ? state.instanceCount : wanted.instance.index;
    const instance = { ...wanted.instance, index };
    if (placement) placer.commit({ ...wanted, instance }, placement, isMany);
  }
  return { kind: 'allocation', isGranted, isMany, outcomes, accounts };
}

function attemptOf<Metric>(
  state: ClusterState,
  wanted: NewInstance,
  placer: Placer<Metric>,
): AllocationAttempt<Metric> {
  const { groupName } = wanted;
  if (groupName === undefined) return { kind: 'over-groups', search: placer.search(wanted) };
  const [group, another] = groupsCalled(state.snapshot, groupName);
  if (group === undefined || another !== undefined) return { kind: 'no-such-group', name: groupName };
  return { kind: 'in-group', group, answer: placer.inGroup(group, wanted) };
}

/** The group whose nodes were tried, with what came of it; undefined where none could be. */
function foundBy<Metric>(attempt: AllocationAttempt<Metric>): GroupSearch<Metric>['best'] {
  if (attempt.kind === 'over-groups') return attempt.search.best;
  if (attempt.kind === 'no-such-group' || isRefusal(attempt.answer)) return undefined;
  return { group: attempt.group, solution: attempt.answer };
}

/**
 * A secondary for an instance that had none and becomes a mirrored one. It is taken over anew, as a copy with
 * the next position; the old one leaves its node.
 */
export function allocateSecondary(
  state: ClusterState,
  { instance: i }: RequestOf<'allocate-secondary'>,
  options: AnswerOptions,
): SecondaryAnswer {
  const kind = 'secondary';
  if (state.secondary[i]! >= 0) return { kind, isGranted: false, refusal: 'has-secondary' };
  const primary = state.primary[i]!;
  const members = groupScope(state.snapshot, state.groupOf[primary]!).nodes;
  const secondaries = members.filter((n) => n !== primary);
  removePrimary(state, i, primary, state.locationScore[i]!);
  const instance: Instance = { ...state.instanceRecord(i), diskTemplate: 'drbd', isMovable: true };
  const allocation = new GroupAllocation(state, options);
  const nodes = { kind: 'pairs', pairs: [{ primary, secondaries }] } as const;
  const solution = allocation.onNodes(instance, nodes, i);
  if (solution.best) allocation.commit({ instance }, solution.best);
  return { kind, isGranted: solution.best !== undefined, solution };
}
