/** What groups have and have free, and whether others have room for what one uses. MiB, virtual cpus. */
import { memRoomOf } from '../../../model/redundancy/shared/restart-demand.ts';
import { vcpusOf } from '../../../model/rules/vcpu-ratio.ts';
import * as F from '../../../model/state/node-fields.ts';
import {
  type ClusterState,
  HAS_SECONDARY,
  IS_FORTHCOMING,
  USES_MEMORY,
  USES_NODE_DISK,
} from '../../../model/state/state.ts';
import type { SuperCluster } from './super-cluster.ts';

/** Named as documents name the amounts of them. */
export const RESOURCES = ['memMib', 'diskMib', 'vcpus'] as const;
type Resource = (typeof RESOURCES)[number];
type Amounts = Readonly<Record<Resource, number>>;

/** The same of each resource. */
export const mapAmounts = (amount: (resource: Resource) => number): Amounts => ({
  memMib: amount('memMib'),
  diskMib: amount('diskMib'),
  vcpus: amount('vcpus'),
});

/** More of a resource is in use than the others have free. */
export interface Shortage {
  readonly resource: 'memory' | 'disk' | 'cpu';
  readonly needed: number;
  readonly available: number;
  readonly unit: 'MiB' | 'vcpus';
}

/** What a group has, and has free on online nodes. `vcpus`: those that the policy allows. */
export interface Capacity {
  readonly total: Amounts;
  readonly free: Amounts;
}

/** What a node has, has free and has room for, and what an instance takes in another group. */
interface Books extends Pick<Shortage, 'resource' | 'unit'> {
  readonly total: (state: ClusterState, node: number) => number;
  readonly free: (state: ClusterState, node: number) => number;
  readonly room: (state: ClusterState, node: number) => number;
  readonly need: (state: ClusterState, instance: number) => number;
}

const has = (state: ClusterState, i: number, flag: number): boolean => (state.flags[i]! & flag) !== 0;

/** Of a field of nodes that must stay above zero, so that one MiB cannot be used. */
const inMib = (field: number): Pick<Books, 'unit' | 'free' | 'room'> => ({
  unit: 'MiB',
  free: (state, n) => Math.max(0, state.field(n, field)),
  room: (state, n) => Math.max(0, Math.ceil(state.field(n, field)) - 1),
});

const freeVcpus = (state: ClusterState, n: number): number =>
  Math.max(0, Math.max(0, state.highCpu[n]!) - state.field(n, F.USED_CPU));

/** Disk is that of the nodes, not of external pools; that of DRBD is taken on both nodes. */
const BOOKS: Readonly<Record<Resource, Books>> = {
  memMib: {
    resource: 'memory',
    ...inMib(F.FREE_MEM),
    total: (state, n) => state.totalMem[n]!,
    need: (state, i) => (has(state, i, USES_MEMORY) ? state.mem[i]! : 0),
  },
  diskMib: {
    resource: 'disk',
    ...inMib(F.FREE_DISK),
    total: (state, n) => state.totalDisk[n]!,
    need: (state, i) =>
      has(state, i, USES_NODE_DISK) ? state.disk[i]! * (has(state, i, HAS_SECONDARY) ? 2 : 1) : 0,
  },
  vcpus: {
    resource: 'cpu',
    unit: 'vcpus',
    total: (state, n) => Math.max(0, state.highCpu[n]!),
    free: freeVcpus,
    room: (state, n) => (state.highCpu[n]! < 0 ? Number.POSITIVE_INFINITY : freeVcpus(state, n)),
    need: vcpusOf,
  },
};

const sumOver = (some: readonly number[], amount: (one: number) => number): number =>
  some.reduce((sum, one) => sum + amount(one), 0);

/** Capacity of some nodes; offline ones have none. */
export function capacityOf(state: ClusterState, nodes: readonly number[]): Capacity {
  const online = nodes.filter((n) => !state.isOffline[n]);
  return {
    total: mapAmounts((of) => sumOver(online, (n) => BOOKS[of].total(state, n))),
    free: mapAmounts((of) => sumOver(online, (n) => BOOKS[of].free(state, n))),
  };
}

export function sumOfCapacities(capacities: readonly Capacity[]): Capacity {
  const sum = (of: keyof Capacity): Amounts =>
    mapAmounts((resource) => capacities.reduce((all, one) => all + one[of][resource], 0));
  return { total: sum('total'), free: sum('free') };
}

/** Mean of the shares of memory, disk and cpu, as far as there is any. 0 to 1. */
export function meanShare(part: Amounts, whole: Amounts): number {
  const known = RESOURCES.filter((resource) => whole[resource] > 0);
  return (
    known.reduce((sum, resource) => sum + part[resource] / whole[resource], 0) / Math.max(1, known.length)
  );
}

export const needOf = (state: ClusterState, instances: readonly number[]): Amounts =>
  mapAmounts((of) => sumOver(instances, (i) => BOOKS[of].need(state, i)));

/** Resources of which the instances need more than the groups have; a proof that they do not fit. */
export function shortagesOf(
  { state, open }: SuperCluster,
  instances: readonly number[],
  groups: readonly number[],
): Shortage[] {
  const need = needOf(state, instances);
  const nodes = groups.flatMap((group) => open[group]!);
  return RESOURCES.map((of) => {
    const { resource, unit, room } = BOOKS[of];
    return { resource, needed: need[of], available: sumOver(nodes, (n) => room(state, n)), unit };
  }).filter(({ needed, available }) => needed > available);
}

/**
 * Memory (MiB) that a healthy group can take: its nodes must be able to stand in for any one of them, as full
 * as that one may become.
 */
function memoryToTake({ state, n1, members }: SuperCluster, group: number): number {
  const online = members[group]!.filter((n) => !state.isOffline[n]);
  const standsIn = (i: number): boolean =>
    !has(state, i, HAS_SECONDARY) || state.groupOf[state.secondary[i]!] === group;
  const kept = online
    .filter((n) => n1.verdictOf(n) === 'yes')
    .map((n) => memRoomOf(state, n) + needOf(state, state.primaries[n]!.filter(standsIn)).memMib);
  return sumOver(online, (n) => memRoomOf(state, n)) - Math.max(0, ...kept);
}

/** Whether sums leave room for instances in other groups, which stay healthy; no is a proof. */
export function mayFit(
  cluster: SuperCluster,
  instances: readonly number[],
  groups: readonly number[],
): boolean {
  if (shortagesOf(cluster, instances, groups).length > 0) return false;
  // One that has a node elsewhere gives back memory where it leaves.
  if (cluster.hasSplit) return true;
  const real = instances.filter((i) => !has(cluster.state, i, IS_FORTHCOMING));
  let left = needOf(cluster.state, real).memMib;
  for (const group of groups) {
    if (left <= 0) break;
    left -= memoryToTake(cluster, group);
  }
  return left <= 0;
}
