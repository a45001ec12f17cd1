/** A cluster as a ledger: which providers it has, what of, and which instance holds how much. Pure. */
import {
  type Group,
  type Instance,
  type InstancePolicy,
  NO_NODE,
  type Node,
  type Snapshot,
} from '../../../htools/cluster/snapshot.ts';
import { isExternal, poolNeedMib } from '../../../htools/cluster/storage/pool-statements.ts';
import { describeStorage, type StoragePool } from '../../../htools/cluster/storage/storage.ts';
import { withoutPrefix } from '../../../htools/cluster/tags/tags.ts';
import { kept } from '../../../kit/kept.ts';
import { MIB_PER_GIB } from '../../../kit/units.ts';
import { canonicalRatio, INVENTORY_DEFAULTS, type Inventory, MAX_INTEGER } from '../model/inventory.ts';
import { canonicalUuid, customName, derivedUuid, isUuid, keptName, SHARING_TRAIT } from '../model/names.ts';
import type { Aggregate } from '../tables/providers.ts';
import { CLUSTER_CONSUMER_TYPE, type ConsumerImage, type LedgerImage, type ProviderImage } from './image.ts';

const OFFLINE_TRAIT = 'CUSTOM_OFFLINE';
const UNALLOCABLE_TRAIT = 'CUSTOM_UNALLOCABLE';
/** A pool whose size nobody states: as good as without end. */
const UNKNOWN_SIZE_TRAIT = 'CUSTOM_SIZE_UNKNOWN';

export interface FromSnapshotOptions {
  /** `gib`: class DISK_GB, rounded down; `mib`: CUSTOM_DISK_MB, exact. */
  readonly diskUnit: 'gib' | 'mib';
  /** Prefix of the tags that name an instance's project. */
  readonly tenantTag: string;
}

/** MiB in a unit of the classes of disk. */
const MIB_PER_UNIT = { DISK_GB: MIB_PER_GIB, CUSTOM_DISK_MB: 1 };

/** The disk, in MiB, among amounts by class. */
export const diskMibOf = (amounts: ReadonlyMap<string, number> | undefined): number =>
  Object.entries(MIB_PER_UNIT).reduce((sum, [name, mib]) => sum + mib * (amounts?.get(name) ?? 0), 0);

/** A whole number that an inventory can hold. */
const whole = (value: number): number => Math.min(MAX_INTEGER, Math.max(0, Math.floor(value)));

/** What the ledger would hold if it held just this cluster. */
export function imageOfSnapshot(
  snapshot: Snapshot,
  { diskUnit, tenantTag }: FromSnapshotOptions,
): LedgerImage {
  const storage = describeStorage(snapshot);
  const diskClass = diskUnit === 'gib' ? 'DISK_GB' : 'CUSTOM_DISK_MB';
  const mibPerUnit = MIB_PER_UNIT[diskClass];
  const providers = new Map<string, ProviderImage>();
  const consumers = new Map<string, ConsumerImage>();
  /** What the ledger writes down for the instances of each node's own storage, whichever pool. */
  const heldOnNode = snapshot.nodes.map(() => 0);
  /** The same by external pool. */
  const heldInPool = new Map<string, number>();
  for (const [i, instance] of snapshot.instances.entries()) {
    const pool = storage.poolOf(i);
    if (pool === undefined) continue;
    const amount = inUnits(poolNeedMib(instance));
    if (isExternal(pool)) heldInPool.set(pool, amount + (heldInPool.get(pool) ?? 0));
    else for (const node of diskNodes(instance)) heldOnNode[node]! += amount;
  }
  for (const [n, node] of snapshot.nodes.entries()) addNode(node, n);
  for (const pool of storage.pools) if (isExternal(pool.id)) addExternalPool(pool);
  for (const [i, instance] of snapshot.instances.entries()) addInstance(instance, i);
  return { providers, consumers };

  /** In the unit of the disk class, rounded down. */
  function inUnits(mib: number): number {
    return whole(mib / mibPerUnit);
  }

  /**
   * What is neither free nor written down for an instance: the host's, and what rounding cuts off the
   * instances, so that the ledger never has more to hand out than is free.
   */
  function otherDisk(totalMib: number, freeMib: number, held: number): number {
    return Math.max(0, inUnits(totalMib) - held - inUnits(freeMib));
  }

  function addNode(node: Node, n: number): void {
    const group = snapshot.groups[node.group]!;
    const uuid = nodeUuid(node);
    /** Of a node that is offline nothing is free. */
    const stock = (total: number, reserved: number, more: Partial<Inventory> = {}): Inventory => {
      const kept = node.isOffline ? total : Math.min(reserved, total);
      return { ...INVENTORY_DEFAULTS, total, reserved: kept, ...more };
    };
    const { policy } = group;
    const memory = stock(
      whole(node.totalMemMib),
      whole(node.nodeMemMib + (node.headRoomMib ?? 0)),
      bounds(policy, (spec) => spec.memoryMib),
    );
    const cpus = stock(whole(node.totalCpus), whole(node.nodeCpus), {
      allocationRatio: canonicalRatio(String(node.maxVcpuRatio ?? policy.vcpuRatio)) ?? '1',
      ...bounds(policy, (spec) => spec.cpuCount),
    });
    // What is to stay free whatever is planned.
    const keptFree = Math.ceil((node.minFreeDiskRatio * node.totalDiskMib) / mibPerUnit);
    const disk = stock(
      inUnits(node.totalDiskMib),
      otherDisk(node.totalDiskMib, node.freeDiskMib, heldOnNode[n]!) + keptFree,
      bounds(policy, (spec) => inUnits(spec.diskMib * Math.max(1, spec.diskCount))),
    );
    // Own pools are on the node itself when there is one, else one child each.
    const pools = storage.pools.filter(({ id, nodes }) => !isExternal(id) && nodes.includes(n));
    const own: [string, Inventory][] = [
      ['MEMORY_MB', memory],
      ['VCPU', cpus],
    ];
    if (pools.length <= 1) own.push([diskClass, disk]);
    const traits = [
      ...(node.isOffline ? [OFFLINE_TRAIT] : []),
      ...(group.allocPolicy === 'unallocable' ? [UNALLOCABLE_TRAIT] : []),
      ...node.tags.map(customName),
    ];
    add({
      uuid,
      name: node.name,
      parent: null,
      canHost: true,
      inventories: new Map(own.filter(([, { total }]) => total > 0)),
      traits,
      aggregates: [
        groupAggregate(group),
        ...storage.pools.filter(({ id, nodes }) => isExternal(id) && nodes.includes(n)).map(poolAggregate),
      ],
    });
    if (pools.length <= 1) return;
    for (const { id, name } of pools) {
      const isSized = id === 'internal/lvm' && disk.total > 0;
      add({
        uuid: poolUuid(node, id),
        name: `${node.name}/${name}`,
        parent: uuid,
        canHost: false,
        inventories: new Map([[diskClass, isSized ? disk : stock(MAX_INTEGER, 0)]]),
        traits: isSized ? [] : [UNKNOWN_SIZE_TRAIT],
        aggregates: [],
      });
    }
  }

  function addExternalPool({ id, sizeMib, freeMib }: StoragePool): void {
    const total = sizeMib === undefined ? MAX_INTEGER : inUnits(sizeMib);
    const reserved =
      sizeMib === undefined || freeMib === undefined
        ? 0
        : otherDisk(sizeMib, freeMib, heldInPool.get(id) ?? 0);
    const inventory = { ...INVENTORY_DEFAULTS, total, reserved };
    add({
      uuid: derivedUuid('pool', id),
      name: id,
      parent: null,
      canHost: false,
      inventories: total < 1 ? new Map() : new Map([[diskClass, inventory]]),
      traits: [SHARING_TRAIT, ...(sizeMib === undefined ? [UNKNOWN_SIZE_TRAIT] : [])],
      aggregates: [poolAggregate({ id })],
    });
  }

  function add(provider: ProviderImage): void {
    const traits = [...new Set(provider.traits)].sort();
    const aggregates = [...provider.aggregates].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
    providers.set(provider.uuid, { ...provider, traits, aggregates });
  }

  function addInstance(instance: Instance, i: number): void {
    const allocations = new Map<string, Map<string, number>>();
    const take = (uuid: string, name: string, amount: number): void => {
      if (amount < 1) return;
      ensureInventory(uuid, name);
      kept(allocations, uuid, () => new Map()).set(name, amount);
    };
    if (instance.primary !== NO_NODE) {
      const uuid = nodeUuid(snapshot.nodes[instance.primary]!);
      take(uuid, 'MEMORY_MB', whole(instance.memMib));
      take(uuid, 'VCPU', whole(instance.vcpus));
    }
    const pool = storage.poolOf(i);
    const amount = inUnits(poolNeedMib(instance));
    if (pool !== undefined && isExternal(pool)) take(derivedUuid('pool', pool), diskClass, amount);
    else if (pool !== undefined)
      for (const n of diskNodes(instance)) {
        const node = snapshot.nodes[n]!;
        const child = poolUuid(node, pool);
        take(providers.has(child) ? child : nodeUuid(node), diskClass, amount);
      }
    if (allocations.size === 0) return;
    const consumer = keptName(instance.name);
    consumers.set(consumer, {
      consumer,
      project: withoutPrefix(instance.tags, tenantTag).find((name) => name !== '') ?? null,
      type: CLUSTER_CONSUMER_TYPE,
      allocations,
      ends: [],
      movingFrom: null,
    });
  }

  /** An instance has what its node says it lacks: the node gets it, with no room for anybody else. */
  function ensureInventory(uuid: string, name: string): void {
    const { inventories } = providers.get(uuid)!;
    if (!inventories.has(name))
      (inventories as Map<string, Inventory>).set(name, { ...INVENTORY_DEFAULTS, total: 1, reserved: 1 });
  }
}

/** Nodes on which a copy of the instance's own disks lies. */
const diskNodes = ({ primary, secondary, diskTemplate }: Instance): readonly number[] =>
  [primary, diskTemplate === 'drbd' ? secondary : NO_NODE].filter((node) => node !== NO_NODE);

/** The least and most that any range of the policy admits. @param figure in the unit of the class */
function bounds(
  { ranges }: InstancePolicy,
  figure: (spec: InstancePolicy['standard']) => number,
): Partial<Inventory> {
  if (ranges.length === 0) return {};
  const minUnit = Math.max(1, whole(Math.min(...ranges.map(({ min }) => figure(min)))));
  const most = whole(Math.max(...ranges.map(({ max }) => figure(max))));
  return { minUnit, maxUnit: Math.max(minUnit, most) };
}

const nodeUuid = (node: Node): string => derivedUuid('node', node.name);
const poolUuid = (node: Node, pool: string): string => derivedUuid('node-pool', `${node.name} ${pool}`);
const poolAggregate = ({ id }: Pick<StoragePool, 'id'>): Aggregate => ({
  uuid: derivedUuid('pool-aggregate', id),
  name: id,
});

/** The group's own UUID, where it is one. */
const groupAggregate = ({ uuid, name }: Group): Aggregate => ({
  uuid: isUuid(uuid) ? canonicalUuid(uuid) : derivedUuid('group', uuid || name),
  name,
});
