/**
 * What every group of a super cluster had to say to instances that were to be placed: those that could take
 * them, and why the others could not. For the members `groups` and `refused` of hail's answer.
 */
import { ALLOWED, FAIL_MODES, type FailCode } from '../../cluster/refusal.ts';
import { type Instance, missingNetwork } from '../../cluster/snapshot.ts';
import { policyRefusal } from '../../model/rules/policy.ts';
import { groupScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import {
  type FoundHome,
  type GroupOffer,
  type GroupSearch,
  hasHome,
  isClosed,
  policyRank,
} from '../allocate/by-group/group-allocation.ts';
import { isRefusal } from '../allocate/solution.ts';
import type { AllocationAttempt, GroupAccount, LeftOutGroup } from './answer.ts';

/**
 * The account of the groups that were asked, all of them or the only one that was named. The state must be as
 * it was before the instance was placed.
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
