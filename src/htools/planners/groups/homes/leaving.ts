/**
 * Which instances can leave their group at all, and which groups may take them or why not; nodes are not
 * asked here. Source: docs/why/groups.md, "Rules for every relocation to another group".
 */
import { kept } from '../../../../kit/kept.ts';
import { ALLOWED, FAIL_MODES } from '../../../cluster/refusal.ts';
import type { RulesWith } from '../../../cluster/rules.ts';
import { type Instance, missingNetwork, NO_NODE } from '../../../cluster/snapshot.ts';
import { NO_INTER_GROUP_TAG } from '../../../cluster/tags/tags.ts';
import { mirroringOf } from '../../../cluster/templates.ts';
import { policyRefusal } from '../../../model/rules/policy.ts';
import type { SuperCluster } from './super-cluster.ts';

/**
 * Why a group does not take an instance. left-out: by option. alone: it shares no pool with another. emptied:
 * it is being emptied itself. partner: one node alone would do, and two are needed. takeover: no secondary
 * could take over. restart: each placement leaves a node whose instances could not all start again elsewhere.
 * not-found: placements were left untried, or N+1 of one was not decided. others: it has room for this one,
 * but not for all of them together.
 */
export type TargetRule =
  | RulesWith<'ofGroup'>
  | 'left-out'
  | 'unallocable'
  | 'unhealthy'
  | 'alone'
  | 'emptied'
  | 'network'
  | 'partner'
  | 'takeover'
  | 'restart'
  | 'not-found'
  | 'others';

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
 * Why an instance cannot leave its nodes, or its group. nointergroup: its group only, by its own tag;
 * forbidden: by the cluster's. blocked: its nodes have no room for any way of leaving, whoever leaves first.
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

/** Why the group may not take the instance, before its nodes are asked; its health is the caller's matter. */
export function groupRefusal(cluster: SuperCluster, i: number, group: number): TargetRefusal | undefined {
  const { snapshot } = cluster;
  const instance = snapshot.instances[i]!;
  const target = snapshot.groups[group]!;
  if (target.allocPolicy === 'unallocable') return { group, rule: 'unallocable' };
  const isReached = (nodes: readonly number[]): boolean => nodes.some((n) => cluster.reaches(i, n));
  if (!isReached(cluster.online[group]!))
    return { group, rule: 'pool-access', detail: cluster.storage.poolOf(i) ?? 'no online node' };
  if (!isReached(cluster.open[group]!)) return { group, rule: 'hands-off' };
  const policy = policyReason(cluster, instance, group);
  if (policy !== undefined) return { group, rule: 'policy', detail: policy };
  const network = missingNetwork(target, instance);
  return network === undefined ? undefined : { group, rule: 'network', detail: network };
}

/** Why nobody can move an instance to other nodes, in its group or out of it; undefined where one can. */
export function fixedRule(
  cluster: SuperCluster,
  i: number,
): Exclude<StayRule, 'nointergroup' | 'forbidden' | 'blocked'> | undefined {
  const { state, snapshot } = cluster;
  const instance = snapshot.instances[i]!;
  if (instance.isLeftAlone) return 'hands-off';
  const isMirrored = cluster.isMirrored(i);
  const secondary = state.secondary[i]!;
  if (instance.isForthcoming) return 'forthcoming';
  if ((isMirrored && secondary === NO_NODE) || mirroringOf(instance.diskTemplate) === 'none')
    return 'not-mirrored';
  const isReached = state.isReachable[state.primary[i]!] || !state.isOffline[secondary];
  return isMirrored && !isReached ? 'both-offline' : undefined;
}

/** Why an instance cannot be moved between groups by anybody; undefined when it can. */
export const stayRule = (cluster: SuperCluster, i: number): StayRule | undefined =>
  staysInGroup(cluster.snapshot.instances[i]!)
    ? 'nointergroup'
    : (fixedRule(cluster, i) ?? (forbidsInterGroup(cluster) ? 'forbidden' : undefined));

/**
 * Which groups are open to an instance before their nodes are asked, and why the others are not. Groups that
 * refuse the same are asked once, and instances that are open to the same groups have one list of them.
 */
export class GroupRules {
  private readonly lists = new Map<string, readonly number[]>();
  private readonly byInstance: (readonly number[] | undefined)[] = [];
  /** By group: the first one that refuses the same as it does. */
  private readonly alike: readonly number[];
  /** Of the groups of the cluster that take part. */
  private readonly kinds: readonly number[];

  constructor(private readonly cluster: SuperCluster) {
    const { snapshot, storage, online, open, storageKinds, groups } = cluster;
    const known = new Map<string, number>();
    this.alike = snapshot.groups.map(({ allocPolicy, policy, networks }, group) => {
      const rows = [...Array(storage.access.length / Math.max(1, storage.nodeCount)).keys()];
      const reached = [online, open].map((nodes) =>
        rows.filter((row) => nodes[group]!.some((n) => storage.access[row * storage.nodeCount + n] === 1)),
      );
      const key = JSON.stringify([allocPolicy, policy, networks, storageKinds[group], ...reached]);
      return kept(known, key, () => group);
    });
    this.kinds = [...new Set(groups.map((group) => this.alike[group]!))];
  }

  /** Over all groups of the cluster that take part, the instance's own included. */
  openTo(i: number): readonly number[] {
    this.byInstance[i] ??= this.find(i);
    return this.byInstance[i];
  }

  private find(i: number): readonly number[] {
    const { cluster, alike, kinds } = this;
    const open = kinds.filter((kind) => groupRefusal(cluster, i, kind) === undefined);
    return kept(this.lists, open.join(), () =>
      cluster.groups.filter((group) => open.includes(alike[group]!)),
    );
  }

  /** Why the others are not open, in order. */
  refusalsOf(i: number): readonly TargetRefusal[] {
    const { cluster, alike, kinds } = this;
    const byKind = new Map(kinds.map((kind) => [kind, groupRefusal(cluster, i, kind)]));
    return cluster.groups.flatMap((group) => {
      const refusal = byKind.get(alike[group]!);
      return refusal ? { ...refusal, group } : [];
    });
  }
}

/** The same, or narrower ones. */
export type Rules = Pick<GroupRules, 'openTo' | 'refusalsOf'>;
