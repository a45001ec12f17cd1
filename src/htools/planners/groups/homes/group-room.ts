/** What groups have and have free, and whether others have room for what one uses. MiB, virtual cpus. */
import { vcpusOf } from '../../../model/rules/vcpu-ratio.ts';
import * as F from '../../../model/state/node-fields.ts';
import { type ClusterState, HAS_SECONDARY, USES_MEMORY, USES_NODE_DISK } from '../../../model/state/state.ts';
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

/** What a shortage of each is told in. */
const TOLD = {
  memMib: { resource: 'memory', unit: 'MiB' },
  diskMib: { resource: 'disk', unit: 'MiB' },
  vcpus: { resource: 'cpu', unit: 'vcpus' },
} as const;

/** More of a resource is in use than the others have free. */
export interface Shortage {
  readonly resource: (typeof TOLD)[Resource]['resource'];
  readonly needed: number;
  readonly available: number;
  readonly unit: string;
}

/** What a group has, and has free on online nodes. `vcpus`: those that the policy allows. */
export interface Capacity {
  readonly total: Amounts;
  readonly free: Amounts;
}

/** What a node has and has free, and what an instance takes in another group; DRBD disks on both nodes. */
interface Books {
  readonly total: (state: ClusterState, node: number) => number;
  readonly free: (state: ClusterState, node: number) => number;
  readonly need: (state: ClusterState, instance: number) => number;
}

const has = (state: ClusterState, i: number, flag: number): boolean => (state.flags[i]! & flag) !== 0;

/** Disk is that of the nodes, not of external pools. */
const BOOKS: Readonly<Record<Resource, Books>> = {
  memMib: {
    total: (state, n) => state.totalMem[n]!,
    free: (state, n) => state.field(n, F.FREE_MEM),
    need: (state, i) => (has(state, i, USES_MEMORY) ? state.mem[i]! : 0),
  },
  diskMib: {
    total: (state, n) => state.totalDisk[n]!,
    free: (state, n) => state.field(n, F.FREE_DISK),
    need: (state, i) =>
      has(state, i, USES_NODE_DISK) ? state.disk[i]! * (has(state, i, HAS_SECONDARY) ? 2 : 1) : 0,
  },
  vcpus: {
    total: (state, n) => Math.max(0, state.highCpu[n]!),
    free: (state, n) => Math.max(0, state.highCpu[n]!) - state.field(n, F.USED_CPU),
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
    free: mapAmounts((of) => sumOver(online, (n) => Math.max(0, BOOKS[of].free(state, n)))),
  };
}

/** Capacity of groups together. */
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

/** What instances take in another group. */
export const needOf = (state: ClusterState, instances: readonly number[]): Amounts =>
  mapAmounts((of) => sumOver(instances, (i) => BOOKS[of].need(state, i)));

/** Memory and disk of a node must stay above zero, so one MiB of each cannot be used. */
function roomOn(state: ClusterState, node: number, of: Resource): number {
  if (of === 'vcpus' && state.highCpu[node]! < 0) return Number.POSITIVE_INFINITY;
  const free = BOOKS[of].free(state, node);
  return Math.max(0, of === 'vcpus' ? free : Math.ceil(free) - 1);
}

/** Resources of which the instances need more than the groups have; a proof that they do not fit. */
export function shortagesOf(
  { state, online }: SuperCluster,
  instances: readonly number[],
  groups: readonly number[],
): Shortage[] {
  const need = needOf(state, instances);
  const nodes = groups.flatMap((group) => online[group]!);
  return RESOURCES.map((of) => ({
    resource: TOLD[of].resource,
    needed: need[of],
    available: sumOver(nodes, (n) => roomOn(state, n, of)),
    unit: TOLD[of].unit,
  })).filter(({ needed, available }) => needed > available);
}
