/**
 * What a cluster has, what is used of it and what is left: the totals that hspace reports.
 * Source: hspace(1); stock totalResources and computeAllocationDelta.
 */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Node } from '../../../cluster/snapshot.ts';
import { availableMem } from '../../../model/rules/memory.ts';
import { scoreOf } from '../../../model/score/scorer.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { delta, resources } from '../../../results/hspace.ts';

/** Sums over all nodes. Memory and disk in MiB. */
type CapacityStats = Omit<DocumentOf<typeof resources>, 'efficiency'>;

export function capacityStats(state: ClusterState): CapacityStats {
  const { nodes } = state.snapshot;
  const sum = (of: (node: Node, n: number) => number): number =>
    nodes.reduce((total, node, n) => total + of(node, n), 0);
  const most = (of: (node: Node, n: number) => number): number =>
    nodes.reduce((largest, node, n) => Math.max(largest, of(node, n)), 0);
  const inAll = (field: number): number => sum((_, n) => state.field(n, field));
  const availableMemOf = (_: Node, n: number): number => availableMem(state, n);
  const availableDiskOf = (_: Node, n: number): number =>
    Math.max(0, state.field(n, F.FREE_DISK) - state.lowDisk[n]!);
  return {
    freeMemMib: inAll(F.FREE_MEM),
    freeDiskMib: inAll(F.FREE_DISK),
    freeSpindles: inAll(F.FREE_SPINDLES),
    availableMemMib: sum(availableMemOf),
    availableDiskMib: sum(availableDiskOf),
    largestMemMib: most(availableMemOf),
    largestDiskMib: most(availableDiskOf),
    instanceMemMib: inAll(F.INSTANCE_MEM),
    instanceDiskMib: sum((node, n) => Math.trunc(node.totalDiskMib) - state.field(n, F.FREE_DISK)),
    instanceSpindles: sum((node, n) => node.spindles - state.field(n, F.FREE_SPINDLES)),
    instanceVcpus: inAll(F.USED_CPU),
    totalMemMib: sum((node) => node.totalMemMib),
    totalDiskMib: sum((node) => node.totalDiskMib),
    totalSpindles: sum((node) => node.spindles),
    totalCpus: sum((node) => node.totalCpus),
    totalVcpus: sum((_, n) => state.highCpu[n]!),
    usedCpus: sum((_, n) => state.field(n, F.USED_CPU) / state.vcpuRatio[n]!),
    missingMemMib: sum((_, n) => state.missingMem[n]!),
    nodeMemMib: sum((node) => node.nodeMemMib),
    instances: sum((_, n) => state.primaries[n]!.length),
    score: scoreOf(state, [...nodes.keys()]),
  };
}

/**
 * What was used before, what the allocation took, and what is left that nothing of its kind can use; `cpus`
 * are the physical ones that stand for the virtual ones.
 */
export function allocationDelta(
  before: CapacityStats,
  after: CapacityStats,
): Readonly<Record<'used' | 'allocated' | 'unavailable', DocumentOf<typeof delta>>> {
  return {
    used: {
      vcpus: before.instanceVcpus,
      cpus: before.usedCpus,
      memMib: before.instanceMemMib,
      diskMib: before.instanceDiskMib,
      spindles: before.instanceSpindles,
    },
    allocated: {
      vcpus: after.instanceVcpus - before.instanceVcpus,
      cpus: after.usedCpus - before.usedCpus,
      memMib: after.instanceMemMib - before.instanceMemMib,
      diskMib: after.instanceDiskMib - before.instanceDiskMib,
      spindles: after.instanceSpindles - before.instanceSpindles,
    },
    unavailable: {
      vcpus: after.totalVcpus - after.instanceVcpus,
      cpus: after.totalCpus - after.usedCpus,
      memMib: Math.trunc(after.totalMemMib) - after.instanceMemMib,
      diskMib: Math.trunc(after.totalDiskMib) - after.instanceDiskMib,
      spindles: Math.trunc(after.totalSpindles) - after.instanceSpindles,
    },
  };
}
