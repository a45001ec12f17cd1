/** What groups have and have free, and whether others have room for what one uses. MiB, virtual cpus. */
import * as F from '../../../model/state/node-fields.ts';
import {
  type ClusterState,
  HAS_SECONDARY,
  USES_CPU,
  USES_MEMORY,
  USES_NODE_DISK,
} from '../../../model/state/state.ts';
import type { SuperCluster } from './super-cluster.ts';

export const RESOURCES = ['memory', 'disk', 'cpu'] as const;
type Resource = (typeof RESOURCES)[number];
export type Amounts = Readonly<Record<Resource, number>>;

/** The same of each resource. */
export const mapAmounts = (amount: (resource: Resource) => number): Amounts => ({
  memory: amount('memory'),
  disk: amount('disk'),
  cpu: amount('cpu'),
});

/** As documents have them. */
export const amountsOf = ({ memory, disk, cpu }: Amounts) => ({ memMib: memory, diskMib: disk, vcpus: cpu });

export const UNITS: Readonly<Record<Resource, string>> = { memory: 'MiB', disk: 'MiB', cpu: 'vcpus' };

/** More of a resource is in use than the others have free. */
export interface Shortage {
  readonly resource: Resource;
  readonly needed: number;
  readonly available: number;
}

/** What a group has, and has free on online nodes. `cpu`: virtual cpus that the policy allows. */
export interface Capacity {
  readonly total: Amounts;
  readonly free: Amounts;
}

function sumOver(nodes: readonly number[], amount: (node: number) => number): number {
  let sum = 0;
  for (const n of nodes) sum += amount(n);
  return sum;
}

const field = (state: ClusterState, node: number, name: number): number =>
  state.nodeFields[node * F.NODE_STRIDE + name]!;

/** Capacity of some nodes; offline ones have none. Disk is that of the nodes, not of external pools. */
export function capacityOf(state: ClusterState, nodes: readonly number[]): Capacity {
  const online = nodes.filter((n) => !state.isOffline[n]);
  const cpus = (n: number): number => Math.max(0, state.highCpu[n]!);
  return {
    total: {
      memory: sumOver(online, (n) => state.totalMem[n]!),
      disk: sumOver(online, (n) => state.totalDisk[n]!),
      cpu: sumOver(online, cpus),
    },
    free: {
      memory: sumOver(online, (n) => Math.max(0, field(state, n, F.FREE_MEM))),
      disk: sumOver(online, (n) => Math.max(0, field(state, n, F.FREE_DISK))),
      cpu: sumOver(online, (n) => Math.max(0, cpus(n) - field(state, n, F.USED_CPU))),
    },
  };
}

/** Mean of the free shares of memory, disk and cpu, as far as the group has any. 0 to 1. */
export function freeShare({ total, free }: Capacity): number {
  const known = RESOURCES.filter((resource) => total[resource] > 0);
  return known.length === 0
    ? 0
    : sumOver(
        known.map((_, k) => k),
        (k) => free[known[k]!] / total[known[k]!],
      ) / known.length;
}

/** How much of the cluster nodes are: the mean share of its memory, disk and cpu, if any. 0 to 1. */
export function shareOf({ total }: Capacity, whole: Amounts): number {
  const known = RESOURCES.filter((resource) => whole[resource] > 0);
  return (
    known.reduce((sum, resource) => sum + total[resource] / whole[resource], 0) / Math.max(1, known.length)
  );
}

/** What instances take in another group: running memory, node disks (DRBD: both copies), virtual cpus. */
export function needOf(state: ClusterState, instances: readonly number[]): Amounts {
  const flag = (i: number, wanted: number): boolean => (state.flags[i]! & wanted) !== 0;
  return {
    memory: sumOver(instances, (i) => (flag(i, USES_MEMORY) ? state.mem[i]! : 0)),
    disk: sumOver(instances, (i) =>
      flag(i, USES_NODE_DISK) ? state.disk[i]! * (flag(i, HAS_SECONDARY) ? 2 : 1) : 0,
    ),
    cpu: sumOver(instances, (i) => (flag(i, USES_CPU) ? state.vcpus[i]! : 0)),
  };
}

/** Memory and disk of a node must stay above zero, so one MiB of each cannot be used. */
const usable = (free: number): number => Math.max(0, Math.ceil(free) - 1);

/** Resources of which the instances need more than the groups have; a proof that they do not fit. */
export function shortagesOf(
  { state, online }: SuperCluster,
  instances: readonly number[],
  groups: readonly number[],
): Shortage[] {
  const need = needOf(state, instances);
  const nodes = groups.flatMap((group) => online[group]!);
  const room: Amounts = {
    memory: sumOver(nodes, (n) => usable(field(state, n, F.FREE_MEM))),
    disk: sumOver(nodes, (n) => usable(field(state, n, F.FREE_DISK))),
    cpu: sumOver(nodes, (n) =>
      state.highCpu[n]! < 0
        ? Number.POSITIVE_INFINITY
        : Math.max(0, state.highCpu[n]! - field(state, n, F.USED_CPU)),
    ),
  };
  return RESOURCES.filter((resource) => need[resource] > room[resource]).map((resource) => ({
    resource,
    needed: need[resource],
    available: room[resource],
  }));
}
