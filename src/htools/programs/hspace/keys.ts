/** hspace's `HTS_` keys, which scripts source (byte contract). Source: hspace(1). */
import { keyValue } from '../../../kit/report/key-value.ts';
import { printfFixed, showDouble, showInt } from '../../../kit/text/numbers.ts';
import { requiredNodes } from '../../cluster/templates.ts';
import type { PoolUse } from '../../model/state/pool-room.ts';
import {
  allocationDelta,
  type CapacityStats,
  type ResourceAmounts,
} from '../../planners/allocate/fill/fill-stats.ts';
import type { Phase } from './phase.ts';
import { efficiencies } from './text.ts';

const DECIMALS = 8;

type Pair = readonly [key: string, value: string];

const lines = (pairs: readonly Pair[]): string =>
  pairs.map(([key, value]) => keyValue('HTS', key, value)).join('');

const decimal = (value: number): string => printfFixed(value, DECIMALS);

/** Totals of a state. @param phase INI, TRL or FIN */
function statsKeys(phase: string, stats: CapacityStats): string {
  const shares = efficiencies(stats);
  const pairs: Pair[] = [
    ['SCORE', decimal(stats.score)],
    ['INST_CNT', showInt(stats.instances)],
    ['MEM_FREE', showInt(stats.freeMemMib)],
    ['MEM_AVAIL', showInt(stats.availableMemMib)],
    ['MEM_RESVD', showInt(stats.freeMemMib - stats.availableMemMib)],
    ['MEM_INST', showInt(stats.instanceMemMib)],
    ['MEM_OVERHEAD', showInt(stats.missingMemMib + stats.nodeMemMib)],
    ['MEM_EFF', decimal(shares.memory)],
    ['DSK_FREE', showInt(stats.freeDiskMib)],
    ['DSK_AVAIL', showInt(stats.availableDiskMib)],
    ['DSK_RESVD', showInt(stats.freeDiskMib - stats.availableDiskMib)],
    ['DSK_INST', showInt(stats.instanceDiskMib)],
    ['DSK_EFF', decimal(shares.disk)],
    ['SPN_FREE', showInt(stats.freeSpindles)],
    ['SPN_INST', showInt(stats.instanceSpindles)],
    ['SPN_EFF', decimal(shares.spindles)],
    ['CPU_INST', showInt(stats.instanceVcpus)],
    ['CPU_EFF', decimal(shares.vcpu)],
    ['MNODE_MEM_AVAIL', showInt(stats.largestMemMib)],
    ['MNODE_DSK_AVAIL', showInt(stats.largestDiskMib)],
  ];
  return lines(pairs.map(([key, value]) => [`${phase}_${key}`, value]));
}

/** External pools by number, by name; unknown sizes have no key. Ours. @param phase INI, TRL or FIN */
const poolKeys = (phase: string, pools: readonly PoolUse[]): string =>
  lines(
    pools.flatMap(({ usedMib, freeMib }, k): Pair[] => [
      [`${phase}_POOL_${k}_USED`, showInt(usedMib)],
      ...(freeMib === null ? [] : [[`${phase}_POOL_${k}_FREE`, showInt(freeMib)] as const]),
    ]),
  );

/** What the external pools are, and what is in them at first; nothing where there are none. */
export function clusterPoolKeys(pools: readonly PoolUse[]): string {
  if (pools.length === 0) return '';
  return (
    lines([
      ['CLUSTER_POOLS', showInt(pools.length)],
      ...pools.flatMap(({ pool, nodes, sizeMib }, k): Pair[] => [
        [`CLUSTER_POOL_${k}_NAME`, pool],
        [`CLUSTER_POOL_${k}_NODES`, showInt(nodes)],
        ...(sizeMib === null ? [] : [[`CLUSTER_POOL_${k}_SIZE`, showInt(sizeMib)] as const]),
      ]),
    ]) + poolKeys('INI', pools)
  );
}

/** The cluster before anything is added. */
export const clusterKeys = (stats: CapacityStats, nodes: number): string =>
  lines([
    ['CLUSTER_MEM', printfFixed(stats.totalMemMib, 0)],
    ['CLUSTER_DSK', printfFixed(stats.totalDiskMib, 0)],
    ['CLUSTER_CPU', printfFixed(stats.totalCpus, 0)],
    ['CLUSTER_VCPU', showInt(stats.totalVcpus)],
    ['CLUSTER_SPN', printfFixed(stats.totalSpindles, 0)],
    ['CLUSTER_NODES', showInt(nodes)],
  ]) + statsKeys('INI', stats);

/** The size that an allocation asks for. */
export function sizeKeys({ kind, size, diskTemplate }: Phase): string {
  const prefix = kind === 'tiered' ? 'TSPEC_INI' : 'SPEC';
  return lines([
    [`${prefix}_MEM`, showInt(size.memMib)],
    [`${prefix}_DSK`, showInt(size.diskMib)],
    [`${prefix}_CPU`, showInt(size.cpuCount)],
    [`${prefix}_SPN`, showInt(size.spindles)],
    [`${prefix}_RQN`, showInt(requiredNodes(diskTemplate))],
    [`${prefix}_DISK_TEMPLATE`, diskTemplate],
  ]);
}

const amountKeys = (name: string, { vcpus, cpus, memMib, diskMib, spindles }: ResourceAmounts): string =>
  lines([
    [`KM_${name}_CPU`, showInt(vcpus)],
    [`KM_${name}_NPU`, showDouble(cpus)],
    [`KM_${name}_MEM`, showInt(memMib)],
    [`KM_${name}_DSK`, showInt(diskMib)],
    [`KM_${name}_SPN`, showInt(spindles)],
  ]);

/** What the tiered allocation came to. */
export function tieredKeys({ before, after, sizes, pools }: Phase): string {
  const delta = allocationDelta(before, after);
  const list = sizes.map(
    ({ size, count }) =>
      `${[size.memMib, size.diskMib, size.cpuCount, size.spindles].map(showInt).join(',')}=${count}`,
  );
  return [
    statsKeys('TRL', after),
    lines([['TSPEC', list.join(' ')]]),
    amountKeys('USED', delta.used),
    amountKeys('POOL', delta.allocated),
    amountKeys('UNAV', delta.unavailable),
    poolKeys('TRL', pools),
  ].join('');
}

/** What the standard allocation came to. @param initialInstances those that were there before */
export function standardKeys({ after, instances, reasons, pools }: Phase, initialInstances: number): string {
  const count = instances.length;
  return (
    statsKeys('FIN', after) +
    lines([
      ['ALLOC_USAGE', decimal(initialInstances / (initialInstances + count))],
      ['ALLOC_INSTANCES', showInt(count)],
      ['ALLOC_FAIL_REASON', reasons[0]?.mode.toUpperCase() ?? ''],
      ...reasons.map(({ mode, count }): Pair => [`ALLOC_${mode}_CNT`, showInt(count)]),
    ]) +
    poolKeys('FIN', pools)
  );
}

/** Last line: everything went well. */
export const finalKey = (): string => lines([['OK', '1']]);
