/** Requests for new instances: one or many, whatever the measure. */
import type { NewInstance, RequestOf } from '../../cluster/iallocator-request.ts';
import { ALLOWED, FAIL_MODES, type FailCode } from '../../cluster/refusal.ts';
import { type Instance, missingNetwork } from '../../cluster/snapshot.ts';
import { removePrimary } from '../../model/moves/transitions.ts';
import { policyRefusal } from '../../model/rules/policy.ts';
import { groupScope, groupsCalled } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import {
  type FoundHome,
  GroupAllocation,
  type GroupAnswer,
  type GroupOffer,
  type GroupSearch,
  hasHome,
  isClosed,
  policyRank,
} from '../allocate/by-group/group-allocation.ts';
import { isRefusal } from '../allocate/solution.ts';
import type {
  AllocationAnswer,
  AllocationAttempt,
  AllocationOutcome,
  AnswerOptions,
  GroupAccount,
  LeftOutGroup,
  PlacedIn,
  SecondaryAnswer,
} from './answer.ts';

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

/**
 * What the groups of a super cluster that were asked had to say: those that could take the instance, and why
 * the others could not. For the members `groups` and `refused` of hail's answer. The state must be as it was
 * before the instance was placed.
 */
export function accountOf<Metric>(
  state: ClusterState,
  instance: Instance,
  attempt: Exclude<AllocationAttempt<Metric>, { kind: 'no-such-group' }>,
  isLess: (a: Metric, b: Metric) => boolean,
): GroupAccount<Metric> {
  const isNamed = attempt.kind === 'in-group';
  const {
    offers,
    unconnected,
  }: Pick<GroupSearch<Metric>, 'offers' | 'unconnected'> = isNamed
    ? { offers: [{ group: attempt.group, result: attempt.answer }], unconnected: [] }
    : attempt.search;
  const isShut = (group: number): boolean => !isNamed && isClosed(state, group);
  const takers = offers.filter((offer): offer is FoundHome<Metric> => hasHome(offer) && !isShut(offer.group));
  const refusing = offers.filter((offer) => !hasHome(offer) || isShut(offer.group));
  const asked = new Set([...offers.map(({ group }) => group), ...unconnected]);
  const silent = [...state.snapshot.groups.keys()].filter((group) => !asked.has(group));
  const leftOut = [
    ...refusing.map(
      (offer): LeftOutGroup =>
        isShut(offer.group)
          ? { group: offer.group, reason: 'policy', detail: 'unallocable' }
          : reasonOf(state, instance, offer),
    ),
    ...unconnected.map((group) => withoutNetwork(state, group, instance)),
    ...silent.map(
      (group): LeftOutGroup => ({ group, reason: isNamed || hasNodes(state, group) ? 'not-asked' : 'nodes' }),
    ),
  ];
  return {
    instance,
    choices: takers.sort(inOrder(state, isLess)).map(({ group, result }) => ({ group, ...result.best })),
    leftOut: leftOut.sort((a, b) => a.group - b.group),
  };
}

const hasNodes = (state: ClusterState, group: number): boolean => state.groupOf.includes(group);

/** As the best group is chosen: of equal ones the last comes first. */
const inOrder =
  <Metric>(state: ClusterState, isLess: (a: Metric, b: Metric) => boolean) =>
  (a: FoundHome<Metric>, b: FoundHome<Metric>): number => {
    const byPolicy = policyRank(state, a.group) - policyRank(state, b.group);
    if (byPolicy !== 0) return byPolicy;
    const isBetter = isLess(a.result.best.metric, b.result.best.metric);
    const isWorse = isLess(b.result.best.metric, a.result.best.metric);
    if (isBetter && isWorse) return a.group - b.group;
    return isBetter ? -1 : isWorse ? 1 : b.group - a.group;
  };

function reasonOf<Metric>(
  state: ClusterState,
  instance: Instance,
  { group, result }: GroupOffer<Metric>,
): LeftOutGroup {
  if (isRefusal(result))
    return result.kind === 'unconnected'
      ? withoutNetwork(state, group, instance)
      : { group, reason: 'nodes' };
  const { refusals, pool } = result;
  if (pool) return { group, reason: 'storage', detail: pool.pool, refusals };
  const members = groupScope(state.snapshot, group).nodes.filter((n) => state.isOffline[n] === 0);
  const poolWithoutAccess = missingPool(state, instance, members);
  if (poolWithoutAccess !== undefined)
    return { group, reason: 'storage', detail: poolWithoutAccess, refusals };
  const code = policyCode(state, instance, group, members);
  if (code !== ALLOWED) return { group, reason: 'policy', detail: FAIL_MODES[code]!, refusals };
  return { group, reason: 'allocation', refusals };
}

const withoutNetwork = (state: ClusterState, group: number, instance: Instance): LeftOutGroup => ({
  group,
  reason: 'network',
  detail: missingNetwork(state.snapshot.groups[group]!, instance),
});

/** The instance's pool, when none of the nodes reaches it. */
function missingPool(
  { storage }: ClusterState,
  instance: Instance,
  nodes: readonly number[],
): string | undefined {
  if (!storage) return undefined;
  const row = storage.rowOfRecord(instance);
  const isReached = nodes.some((n) => storage.access[row * storage.nodeCount + n] === 1);
  return isReached ? undefined : (storage.poolAt(row)?.id ?? 'a pool that no node reaches');
}

/** Why the policy admits the instance on none of the nodes. */
function policyCode(
  state: ClusterState,
  instance: Instance,
  group: number,
  nodes: readonly number[],
): FailCode {
  const { policy } = state.snapshot.groups[group]!;
  const codes = nodes.map((n) => policyRefusal(instance, policy, state.isExclusive[n] === 1));
  return codes.includes(ALLOWED) ? ALLOWED : (codes[0] ?? ALLOWED);
}
