/** Which instances can leave their group at all, and to which groups. Source: docs/why/groups.md. */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { mirroringOf } from '../../../cluster/templates.ts';
import type { SuperCluster } from './super-cluster.ts';
import { groupRefusal, type StayRule, staysInGroup, type TargetRefusal } from './targets.ts';

/** Why nobody can move an instance to other nodes, in its group or out of it; undefined where one can. */
export function fixedRule(
  cluster: SuperCluster,
  i: number,
): Exclude<StayRule, 'nointergroup' | 'blocked'> | undefined {
  const { state, snapshot } = cluster;
  const instance = snapshot.instances[i]!;
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
  staysInGroup(cluster.snapshot.instances[i]!) ? 'nointergroup' : fixedRule(cluster, i);

/** Groups that are open to the instance before their nodes are asked, and why the others are not. */
export interface OpenGroups {
  readonly open: readonly number[];
  readonly refusals: readonly TargetRefusal[];
}

/**
 * Group rules depend on the instance's template, sizes, pool and networks only: equal ones are asked once.
 * Instances that are open to the same groups have one list of them.
 */
export class GroupRules {
  private readonly known = new Map<string, OpenGroups>();
  private readonly lists = new Map<string, readonly number[]>();
  private readonly byInstance: (OpenGroups | undefined)[] = [];
  /** By group: the first one that refuses the same as it does. */
  private readonly alike: readonly number[];

  constructor(private readonly cluster: SuperCluster) {
    const { snapshot, storage, online, storageKinds } = cluster;
    const known = new Map<string, number>();
    this.alike = snapshot.groups.map(({ allocPolicy, policy, networks }, group) => {
      const rows = [...Array(storage.access.length / Math.max(1, storage.nodeCount)).keys()];
      const reached = rows.filter((row) =>
        online[group]!.some((n) => storage.access[row * storage.nodeCount + n] === 1),
      );
      const key = JSON.stringify([allocPolicy, policy, networks, storageKinds[group], reached]);
      const first = known.get(key) ?? group;
      known.set(key, first);
      return first;
    });
  }

  /** Over all groups of the cluster that take part, the instance's own included. */
  of(i: number): OpenGroups {
    this.byInstance[i] ??= this.find(i);
    return this.byInstance[i];
  }

  private find(i: number): OpenGroups {
    const { snapshot, storage, groups } = this.cluster;
    const instance = snapshot.instances[i]!;
    const { diskTemplate, memMib, vcpus, spindleUse, disks, nics } = instance;
    const key = JSON.stringify([storage.rows[i], diskTemplate, memMib, vcpus, spindleUse, disks, nics]);
    let found = this.known.get(key);
    if (!found) {
      const refusals: TargetRefusal[] = [];
      const open: number[] = [];
      const asked = new Map<number, TargetRefusal | undefined>();
      for (const group of groups) {
        const like = this.alike[group]!;
        if (!asked.has(like)) asked.set(like, groupRefusal(this.cluster, i, group));
        const refusal = asked.get(like);
        if (refusal) refusals.push({ ...refusal, group });
        else open.push(group);
      }
      const list = open.join();
      found = { open: this.lists.get(list) ?? open, refusals };
      this.lists.set(list, found.open);
      this.known.set(key, found);
    }
    return found;
  }
}
