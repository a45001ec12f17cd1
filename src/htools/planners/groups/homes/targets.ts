/**
 * Which groups may take an instance from another group, and why the others may not; nodes are not asked here.
 * Source: docs/why/groups.md, "Rules for every relocation to another group".
 */
import { ALLOWED, FAIL_MODES } from '../../../cluster/refusal.ts';
import type { RulesWith } from '../../../cluster/rules.ts';
import { type Instance, missingNetwork } from '../../../cluster/snapshot.ts';
import { NO_INTER_GROUP_TAG } from '../../../cluster/tags/tags.ts';
import { policyRefusal } from '../../../model/rules/policy.ts';
import type { SuperCluster } from './super-cluster.ts';

/**
 * Why a group does not take an instance. By the group: left-out (by option), unallocable, hands-off (its nodes
 * are left alone), unhealthy, emptied (it is being emptied itself), network. By rules of placement. By its pairs of nodes:
 * partner (one node alone would do, and two are needed), takeover (no secondary could take over). By what
 * would come of it: restart (each placement leaves a node whose instances could not all start again
 * elsewhere), not-found (placements were left untried, or N+1 of one was not decided), others (it has room
 * for this instance, but not for all of them together).
 */
export type TargetRule =
  | RulesWith<'ofGroup'>
  | 'left-out'
  | 'unallocable'
  | 'hands-off'
  | 'unhealthy'
  | 'emptied'
  | 'network'
  | 'partner'
  | 'takeover'
  | 'restart'
  | 'not-found'
  | 'others';

/** One reason of one group. */
export interface TargetRefusal {
  readonly group: number;
  readonly rule: TargetRule;
  /** Nodes for which it holds; undefined where it holds for the group as a whole. */
  readonly nodes?: number | undefined;
  /** What was needed, and the most that there was on one node; the first is always more. */
  readonly needed?: number | undefined;
  readonly available?: number | undefined;
  readonly unit?: string | undefined;
  /** The figures count instances that are reserved but not yet created. */
  readonly withForthcoming?: boolean | undefined;
  /** What exactly: the part of the policy, the network, the pool. */
  readonly detail?: string | undefined;
}

/**
 * Why an instance cannot leave its nodes at all, or its group. hands-off: it is left alone. nointergroup: its
 * group only, by its own tag; forbidden: by the cluster's. blocked: its nodes have no room for any way of
 * leaving, whatever leaves them first.
 */
export type StayRule =
  | 'hands-off'
  | 'nointergroup'
  | 'forbidden'
  | 'not-mirrored'
  | 'forthcoming'
  | 'both-offline'
  | 'blocked';

/** Whether the cluster forbids moves between groups altogether. */
export const forbidsInterGroup = (cluster: SuperCluster): boolean =>
  cluster.snapshot.tags.includes(NO_INTER_GROUP_TAG);

/** Whether an instance's own tags keep it in its group. */
export const staysInGroup = (instance: Instance): boolean => instance.tags.includes(NO_INTER_GROUP_TAG);

/** Whether no other group that takes part shares a pool with it. Without any pool nothing parts groups. */
export function isAlone({ storage: { pools }, groups }: SuperCluster, group: number): boolean {
  if (!groups.includes(group)) return true;
  const reaches = pools.length === 0 ? [groups] : pools.map((pool) => pool.groups);
  return !reaches.some(
    (reach) => reach.includes(group) && reach.some((other) => other !== group && groups.includes(other)),
  );
}

/** The rules of a group's policy by the name of the stock refusal. */
const POLICY_PARTS: Record<string, string> = {
  FailMem: 'memory size',
  FailDisk: 'disk size or template',
  FailCPU: 'number of vcpus',
  FailSpindles: 'spindles',
  FailDiskCount: 'number of disks',
};

function policyReason(cluster: SuperCluster, instance: Instance, group: number): string | undefined {
  const { snapshot } = cluster;
  const { policy } = snapshot.groups[group]!;
  let reason: string | undefined;
  for (const isExclusive of cluster.storageKinds[group]!) {
    const code = policyRefusal(instance, policy, isExclusive);
    if (code === ALLOWED) return undefined;
    reason ??= POLICY_PARTS[FAIL_MODES[code]!] ?? FAIL_MODES[code]!;
  }
  return reason;
}

/**
 * Why the group may not take the instance, before its nodes are asked; undefined when it may.
 * Its health is the caller's matter (`healthy` groups only).
 */
export function groupRefusal(cluster: SuperCluster, i: number, group: number): TargetRefusal | undefined {
  const { snapshot } = cluster;
  const instance = snapshot.instances[i]!;
  const target = snapshot.groups[group]!;
  if (target.allocPolicy === 'unallocable') return { group, rule: 'unallocable' };
  if (cluster.handsOff.has(group)) return { group, rule: 'hands-off' };
  if (!cluster.online[group]!.some((n) => cluster.reaches(i, n)))
    return { group, rule: 'pool-access', detail: cluster.storage.poolOf(i) ?? 'no online node' };
  const policy = policyReason(cluster, instance, group);
  if (policy !== undefined) return { group, rule: 'policy', detail: policy };
  const network = missingNetwork(target, instance);
  return network === undefined ? undefined : { group, rule: 'network', detail: network };
}
