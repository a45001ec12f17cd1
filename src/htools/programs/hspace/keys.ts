/** hspace's `HTS_` keys, which scripts source (byte contract). Source: hspace(1). */
import { finalKey, keyValues } from '../../../kit/report/key-value.ts';
import { printfFixed, showDouble, showInt } from '../../../kit/text/numbers.ts';
import type { Allocation, PoolUses, Resources } from './allocations.ts';

const DECIMALS = 8;

const lines = (values: Readonly<Record<string, string>>): string => keyValues('HTS', values);

const decimal = (value: number): string => printfFixed(value, DECIMALS);

/** Totals of a state. @param phase INI, TRL or FIN */
const statsKeys = (phase: string, stats: Resources): string =>
  keyValues(`HTS_${phase}`, {
    SCORE: decimal(stats.score),
    INST_CNT: showInt(stats.instances),
    MEM_FREE: showInt(stats.freeMemMib),
    MEM_AVAIL: showInt(stats.availableMemMib),
    MEM_RESVD: showInt(stats.freeMemMib - stats.availableMemMib),
    MEM_INST: showInt(stats.instanceMemMib),
    MEM_OVERHEAD: showInt(stats.missingMemMib + stats.nodeMemMib),
    MEM_EFF: decimal(stats.efficiency.memory),
    DSK_FREE: showInt(stats.freeDiskMib),
    DSK_AVAIL: showInt(stats.availableDiskMib),
    DSK_RESVD: showInt(stats.freeDiskMib - stats.availableDiskMib),
    DSK_INST: showInt(stats.instanceDiskMib),
    DSK_EFF: decimal(stats.efficiency.disk),
    SPN_FREE: showInt(stats.freeSpindles),
    SPN_INST: showInt(stats.instanceSpindles),
    SPN_EFF: decimal(stats.efficiency.spindles),
    CPU_INST: showInt(stats.instanceVcpus),
    CPU_EFF: decimal(stats.efficiency.vcpu),
    MNODE_MEM_AVAIL: showInt(stats.largestMemMib),
    MNODE_DSK_AVAIL: showInt(stats.largestDiskMib),
  });

/** External pools by number, by name; unknown sizes have no key. Ours. @param phase INI, TRL or FIN */
const poolKeys = (phase: string, pools: PoolUses = []): string =>
  pools
    .map(({ usedMib, freeMib }, k) =>
      keyValues(`HTS_${phase}_POOL_${k}`, {
        USED: showInt(usedMib),
        ...(freeMib !== null && { FREE: showInt(freeMib) }),
      }),
    )
    .join('');

/** What the external pools are, and what is in them at first; nothing where there are none. */
export function clusterPoolKeys(pools: PoolUses): string {
  if (pools.length === 0) return '';
  const each = pools.map(({ pool, nodes, sizeMib }, k) =>
    keyValues(`HTS_CLUSTER_POOL_${k}`, {
      NAME: pool,
      NODES: showInt(nodes),
      ...(sizeMib !== null && { SIZE: showInt(sizeMib) }),
    }),
  );
  return lines({ CLUSTER_POOLS: showInt(pools.length) }) + each.join('') + poolKeys('INI', pools);
}

export const clusterKeys = (stats: Resources, nodes: number): string =>
  lines({
    CLUSTER_MEM: printfFixed(stats.totalMemMib, 0),
    CLUSTER_DSK: printfFixed(stats.totalDiskMib, 0),
    CLUSTER_CPU: printfFixed(stats.totalCpus, 0),
    CLUSTER_VCPU: showInt(stats.totalVcpus),
    CLUSTER_SPN: printfFixed(stats.totalSpindles, 0),
    CLUSTER_NODES: showInt(nodes),
  }) + statsKeys('INI', stats);

export const sizeKeys = ({ kind, size, diskTemplate, requiredNodes }: Allocation): string =>
  keyValues(kind === 'tiered' ? 'HTS_TSPEC_INI' : 'HTS_SPEC', {
    MEM: showInt(size.memMib),
    DSK: showInt(size.diskMib),
    CPU: showInt(size.vcpus),
    SPN: showInt(size.spindles),
    RQN: showInt(requiredNodes),
    DISK_TEMPLATE: diskTemplate,
  });

const amountKeys = (
  name: string,
  { vcpus, cpus, memMib, diskMib, spindles }: Allocation['delta']['used'],
): string =>
  keyValues(`HTS_KM_${name}`, {
    CPU: showInt(vcpus),
    NPU: showDouble(cpus),
    MEM: showInt(memMib),
    DSK: showInt(diskMib),
    SPN: showInt(spindles),
  });

export function tieredKeys({ resources, delta, sizes, pools }: Allocation): string {
  const list = sizes.map(
    ({ memMib, diskMib, vcpus, spindles, count }) =>
      `${[memMib, diskMib, vcpus, spindles].map(showInt).join(',')}=${count}`,
  );
  return [
    statsKeys('TRL', resources),
    lines({ TSPEC: list.join(' ') }),
    amountKeys('USED', delta.used),
    amountKeys('POOL', delta.allocated),
    amountKeys('UNAV', delta.unavailable),
    poolKeys('TRL', pools),
  ].join('');
}

/** What the standard allocation came to. @param initialInstances those that were there before */
export function standardKeys(
  { resources, instanceCount, reasons, pools }: Allocation,
  initialInstances: number,
): string {
  const counts = reasons.map(({ mode, count }) => [`ALLOC_${mode}_CNT`, showInt(count)]);
  return (
    statsKeys('FIN', resources) +
    lines({
      ALLOC_USAGE: decimal(initialInstances / (initialInstances + instanceCount)),
      ALLOC_INSTANCES: showInt(instanceCount),
      ALLOC_FAIL_REASON: reasons[0]?.mode.toUpperCase() ?? '',
      ...Object.fromEntries(counts),
    }) +
    poolKeys('FIN', pools)
  );
}

export const lastKey = (): string => finalKey('HTS');
