/** What a cluster says about the use of its pods, node groups or all of it: memory, cpus, disk. Pure. */
import { type Instance, NO_NODE, type Node, type Snapshot } from '../../../htools/cluster/snapshot.ts';
import { isExternal, nodesOfInstance, poolNeedMib } from '../../../htools/cluster/storage/pool-statements.ts';
import type { Storage } from '../../../htools/cluster/storage/storage.ts';
import { withoutPrefix } from '../../../htools/cluster/tags/tags.ts';
import { kept } from '../../../kit/kept.ts';
import type { Usage } from '../model/usage.ts';

interface Amount {
  total: number;
  used: number;
}

/**
 * Memory and disks in MiB, virtual cpus; a shared pool that is not all of the disk, too. Without usable nodes
 * totals are 0: null would say "not measured". @param group undefined: all together
 */
export function usageOfCluster(snapshot: Snapshot, group: number | undefined, storage: Storage): Usage {
  const isOurs = (node: Node): boolean => !node.isOffline && (group === undefined || node.group === group);
  const positions = snapshot.nodes.flatMap((node, n) => (isOurs(node) ? [n] : []));
  const members = new Set(positions);
  const running = snapshot.instances.filter(({ primary }) => primary !== NO_NODE && members.has(primary));
  const memory = memoryOf(snapshot, positions, running);
  const cpu: Amount = {
    total: positions.reduce((sum, n) => sum + virtualCpus(snapshot, snapshot.nodes[n]!), 0),
    used: running.reduce((sum, { vcpus }) => sum + vcpus, 0),
  };
  const { disk, pools } = disksOf(snapshot, storage, positions, members);
  return { memory, cpu, disk, ...pools } as unknown as Usage;
}

const virtualCpus = (snapshot: Snapshot, node: Node): number => {
  const ratio = node.maxVcpuRatio ?? snapshot.groups[node.group]!.policy.vcpuRatio;
  return Math.max(0, Math.floor((node.totalCpus - node.nodeCpus) * ratio));
};

/** The host's own use is no part of the total. Instances that are down count, and what nobody claims. */
function memoryOf(snapshot: Snapshot, positions: readonly number[], running: readonly Instance[]): Amount {
  const held = new Map<number, number>();
  for (const { primary, memMib } of running) held.set(primary, (held.get(primary) ?? 0) + memMib);
  const amount = { total: 0, used: 0 };
  for (const n of positions) {
    const { totalMemMib, nodeMemMib, freeMemMib } = snapshot.nodes[n]!;
    const total = Math.max(0, totalMemMib - nodeMemMib);
    const free = Math.max(0, Math.min(freeMemMib, total - (held.get(n) ?? 0)));
    amount.total += total;
    amount.used += total - free;
  }
  return amount;
}

/** The nodes' own disks, and each pool that they share once. Pools of unknown size are left out. */
function disksOf(
  snapshot: Snapshot,
  storage: Storage,
  positions: readonly number[],
  members: ReadonlySet<number>,
): { readonly disk: Amount; readonly pools: Readonly<Record<string, Amount>> } {
  const own = { total: 0, used: 0 };
  for (const n of positions) {
    if (storage.lacksInternal[n]) continue;
    const { totalDiskMib, freeDiskMib } = snapshot.nodes[n]!;
    own.total += totalDiskMib;
    own.used += Math.max(0, totalDiskMib - freeDiskMib);
  }
  const shared = storage.pools
    .filter(
      ({ id, sizeMib, nodes }) =>
        isExternal(id) && sizeMib !== undefined && nodes.some((n) => members.has(n)),
    )
    .map(({ id, sizeMib, freeMib }): readonly [string, Amount] => [
      id,
      { total: sizeMib!, used: Math.max(0, sizeMib! - (freeMib ?? sizeMib!)) },
    ]);
  const all = [own, ...shared.map(([, amount]) => amount)];
  const disk = {
    total: all.reduce((sum, { total }) => sum + total, 0),
    used: all.reduce((sum, { used }) => sum + used, 0),
  };
  // A full pool must not hide behind disks that nobody can use in its place.
  const isDivided = all.filter(({ total }) => total > 0).length > 1;
  return { disk, pools: isDivided ? Object.fromEntries([['disk own', own], ...shared]) : {} };
}

/** @param tenantTag prefix of the tags that name tenants; with nothing behind it none is named */
export const tenantOf = ({ tags }: Instance, tenantTag: string): string | undefined =>
  withoutPrefix(tags, tenantTag).find((name) => name !== '');

/** What each tenant has in each group, amounts by metric; instances of no tenant are nobody's. */
export function tenantShares(snapshot: Snapshot, tenantTag: string) {
  const shares = new Map<string, ReturnType<typeof shareOf>>();
  const nobodys = new Map<number, number>();
  for (const instance of snapshot.instances) {
    if (instance.primary === NO_NODE) continue;
    const { group } = snapshot.nodes[instance.primary]!;
    const tenant = tenantOf(instance, tenantTag);
    if (tenant === undefined) {
      nobodys.set(group, (nobodys.get(group) ?? 0) + 1);
      continue;
    }
    const key = `${group} ${tenant}`;
    const share = kept(shares, key, () => shareOf(tenant, group));
    share.instances++;
    share.need.memory += instance.memMib;
    share.need.cpu += instance.vcpus;
    share.need.disk += diskNeed(instance);
  }
  return { shares: [...shares.values()], nobodys };
}

const shareOf = (tenant: string, group: number) => ({
  tenant,
  group,
  instances: 0,
  need: { memory: 0, cpu: 0, disk: 0 },
});

const diskNeed = (instance: Instance): number =>
  poolNeedMib(instance) * (instance.diskTemplate === 'drbd' ? nodesOfInstance(instance).length : 1);
