/** Which instances can leave their group at all, and to which groups. Source: docs/why/groups.md. */
import { kept } from '../../../../kit/kept.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { mirroringOf } from '../../../cluster/templates.ts';
import type { SuperCluster } from './super-cluster.ts';
import {
  forbidsInterGroup,
  groupRefusal,
  type StayRule,
  staysInGroup,
  type TargetRefusal,
} from './targets.ts';

/** Why nobody can move an instance to other nodes, in its group or out of it; undefined where one can. */
export function fixedRule(
  cluster: SuperCluster,
  i: number,
): Exclude<StayRule, 'nointergroup' | 'forbidden' | 'blocked'> | undefined {
  const { state, snapshot } = cluster;
  const instance = snapshot.instances[i]!;
  if (cluster.isLeftAlone(i)) return 'hands-off';
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
    const { snapshot, storage, online, storageKinds, handsOff, groups } = cluster;
    const known = new Map<string, number>();
    this.alike = snapshot.groups.map(({ allocPolicy, policy, networks }, group) => {
      const rows = [...Array(storage.access.length / Math.max(1, storage.nodeCount)).keys()];
      const reached = rows.filter((row) =>
        online[group]!.some((n) => storage.access[row * storage.nodeCount + n] === 1),
      );
      const nodes = [storageKinds[group], handsOff.has(group), reached];
      const key = JSON.stringify([allocPolicy, policy, networks, ...nodes]);
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
