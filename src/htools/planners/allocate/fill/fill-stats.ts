/**
 * What a cluster has, what is used of it and what is left: the totals that hspace reports.
 * Source: hspace(1); stock totalResources and computeAllocationDelta.
 */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { scoreOf } from '../../../model/score/scorer.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { delta, resources } from '../../../results/hspace.ts';

/** Sums over all nodes. Memory and disk in MiB. */
type CapacityStats = Omit<DocumentOf<typeof resources>, 'efficiency'>;

export function capacityStats(state: ClusterState): CapacityStats {
  const { nodeFields: f, snapshot } = state;
  const stats = {
    freeMemMib: 0,
    freeDiskMib: 0,
    freeSpindles: 0,
    availableMemMib: 0,
    availableDiskMib: 0,
    largestMemMib: 0,
    largestDiskMib: 0,
    instanceMemMib: 0,
    instanceDiskMib: 0,
    instanceSpindles: 0,
    instanceVcpus: 0,
    totalMemMib: 0,
    totalDiskMib: 0,
    totalSpindles: 0,
    totalCpus: 0,
    totalVcpus: 0,
    usedCpus: 0,
    missingMemMib: 0,
    nodeMemMib: 0,
    instances: 0,
  };
  snapshot.nodes.forEach((node, n) => {
    const at = n * F.NODE_STRIDE;
    const mem = Math.max(0, f[at + F.FREE_MEM]! - f[at + F.RESERVED_MEM]!);
    const disk = Math.max(0, f[at + F.FREE_DISK]! - state.lowDisk[n]!);
    stats.freeMemMib += f[at + F.FREE_MEM]!;
    stats.freeDiskMib += f[at + F.FREE_DISK]!;
    stats.freeSpindles += f[at + F.FREE_SPINDLES]!;
    stats.availableMemMib += mem;
    stats.availableDiskMib += disk;
    stats.largestMemMib = Math.max(stats.largestMemMib, mem);
    stats.largestDiskMib = Math.max(stats.largestDiskMib, disk);
    stats.instanceMemMib += f[at + F.INSTANCE_MEM]!;
    stats.instanceDiskMib += Math.trunc(node.totalDiskMib) - f[at + F.FREE_DISK]!;
    stats.instanceSpindles += node.spindles - f[at + F.FREE_SPINDLES]!;
    stats.instanceVcpus += f[at + F.USED_CPU]!;
    stats.totalMemMib += node.totalMemMib;
    stats.totalDiskMib += node.totalDiskMib;
    stats.totalSpindles += node.spindles;
    stats.totalCpus += node.totalCpus;
    stats.totalVcpus += state.highCpu[n]!;
    stats.usedCpus += f[at + F.USED_CPU]! / state.vcpuRatio[n]!;
    stats.missingMemMib += state.missingMem[n]!;
    stats.nodeMemMib += node.nodeMemMib;
    stats.instances += state.primaries[n]!.length;
  });
  return { ...stats, score: scoreOf(state, [...snapshot.nodes.keys()]) };
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
