/** Nodes whose figures do not add up: memory or disk is gone that no instance accounts for. */

import { MIB_PER_GIB } from '../../../kit/units.ts';
import { usesMemory } from '../instance-status.ts';
import { NO_NODE, type Snapshot } from '../snapshot.ts';

/** Up to so much may be missing without a word. Source: the stock loader. */
const TOLERATED_MEM_MIB = 512;
const TOLERATED_DISK_MIB = 1024;

/**
 * One sentence for each node with something missing; the last node first, as the stock programs print them.
 */
export function missingResourceWarnings(snapshot: Snapshot): string[] {
  const { nodes, instances } = snapshot;
  const usedMemMib = new Float64Array(nodes.length);
  const usedDiskMib = new Float64Array(nodes.length);
  for (const instance of instances) {
    if (instance.isForthcoming) continue;
    if (usesMemory(instance)) usedMemMib[instance.primary]! += instance.memMib;
    usedDiskMib[instance.primary]! += instance.diskMib;
    if (instance.secondary !== NO_NODE) usedDiskMib[instance.secondary]! += instance.diskMib;
  }
  const warnings = nodes.flatMap((node, n) => {
    const memMib = Math.trunc(node.totalMemMib) - node.nodeMemMib - usedMemMib[n]! - node.freeMemMib;
    const diskMib = Math.trunc(node.totalDiskMib) - node.freeDiskMib - usedDiskMib[n]!;
    if (memMib <= TOLERATED_MEM_MIB && diskMib <= TOLERATED_DISK_MIB) return [];
    return [`node ${node.name} is missing ${memMib} MB ram and ${Math.floor(diskMib / MIB_PER_GIB)} GB disk`];
  });
  return warnings.reverse();
}
