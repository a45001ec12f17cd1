/**
 * What every group of a super cluster had to say to instances that were to be placed: those that could take
 * them, and why the others could not. For the members `groups` and `refused` of hail's answer.
 */
import { ALLOWED, FAIL_MODES, type FailCode } from '../../../cluster/refusal.ts';
import { type Instance, missingNetwork } from '../../../cluster/snapshot.ts';
import { policyRefusal } from '../../../model/rules/policy.ts';
import { groupScope } from '../../../model/state/scope.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { type AllocSolution, type Choice, isRefusal } from '../solution.ts';
import {
  type FoundHome,
  type GroupAnswer,
  type GroupOffer,
  type GroupSearch,
  isClosed,
  mayWin,
  policyRank,
} from './group-allocation.ts';

export interface GroupChoice<Metric> extends Choice<Metric> {
  readonly group: number;
}

/**
 * Why a group is left out. storage: no usable node reaches the instance's pool, or the pool is full; network:
 * it lacks one; policy: it takes no new instances, or none of this kind; nodes: it has too few to try;
 * allocation: its nodes refuse; not-asked: another group was asked for.
 */
type LeftOutReason = 'storage' | 'network' | 'policy' | 'nodes' | 'allocation' | 'not-asked';

export interface LeftOutGroup {
  readonly group: number;
  readonly reason: LeftOutReason;
  /** The pool, the network, the allocation policy, or the part of the instance policy. */
  readonly detail?: string | undefined;
  /** Refused candidates per FailCode, where nodes were asked. */
  readonly refusals?: readonly number[] | undefined;
}

export interface GroupAccount<Metric> {
  readonly instance: Instance;
  /** By allocation policy, then by the metric, the best first. */
  readonly choices: readonly GroupChoice<Metric>[];
  readonly leftOut: readonly LeftOutGroup[];
}

/** The account of a search over the groups. The state must be as it was before the instance was placed. */
export function accountOfSearch<Metric>(
  state: ClusterState,
  instance: Instance,
  { offers, unconnected, candidates }: GroupSearch<Metric>,
  isLess: (a: Metric, b: Metric) => boolean,
): GroupAccount<Metric> {
  const { groups } = state.snapshot;
  const asked = new Set(candidates);
  const silent = [...groups.keys()].filter((group) => !asked.has(group));
  const sorted = offers.filter((offer) => mayWin(state, offer)).sort(inOrder(state, isLess));
  return {
    instance,
    choices: sorted.map(({ group, result }) => choiceOf(group, result)),
    leftOut: [
      ...offers
        .filter((offer) => !mayWin(state, offer))
        .map((offer) =>
          isClosed(state, offer.group)
            ? ({ group: offer.group, reason: 'policy', detail: 'unallocable' } as const)
            : leftOut(state, instance, offer),
        ),
      ...unconnected.map((group) => withoutNetwork(state, group, instance)),
      ...silent.map(
        (group): LeftOutGroup => ({ group, reason: hasNodes(state, group) ? 'not-asked' : 'nodes' }),
      ),
    ].sort((a, b) => a.group - b.group),
  };
}

export function accountOfGroup<Metric>(
  state: ClusterState,
  instance: Instance,
  asked: number,
  result: GroupAnswer<Metric>,
): GroupAccount<Metric> {
  const others = [...state.snapshot.groups.keys()].filter((group) => group !== asked);
  const rest = others.map((group): LeftOutGroup => ({ group, reason: 'not-asked' }));
  if (!isRefusal(result) && result.best)
    return { instance, choices: [choiceOf(asked, result)], leftOut: rest };
  const refused = leftOut(state, instance, { group: asked, result });
  return { instance, choices: [], leftOut: [...rest, refused].sort((a, b) => a.group - b.group) };
}

const hasNodes = (state: ClusterState, group: number): boolean => state.groupOf.includes(group);

const choiceOf = <Metric>(group: number, { best }: AllocSolution<Metric>): GroupChoice<Metric> => ({
  group,
  ...best!,
});

/** As the best group is chosen: of equal ones the last comes first. */
const inOrder =
  <Metric>(state: ClusterState, isLess: (a: Metric, b: Metric) => boolean) =>
  (a: FoundHome<Metric>, b: FoundHome<Metric>): number => {
    const byPolicy = policyRank(state, a.group) - policyRank(state, b.group);
    if (byPolicy !== 0) return byPolicy;
    const isBetter = isLess(a.result.best!.metric, b.result.best!.metric);
    const isWorse = isLess(b.result.best!.metric, a.result.best!.metric);
    if (isBetter && isWorse) return a.group - b.group;
    return isBetter ? -1 : isWorse ? 1 : b.group - a.group;
  };

function leftOut<Metric>(
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
