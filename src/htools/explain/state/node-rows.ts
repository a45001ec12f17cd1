/** The nodes of a searched state as plain data, for tables, documents and pages. */

import { contributionsOf, FREE_DISK_CV, FREE_MEM_CV, METRIC_COUNT } from '../../model/score/metrics.ts';
import { type Figures, memAtStart, trueFreeMem } from '../../model/state/moved-snapshot.ts';
import * as F from '../../model/state/node-fields.ts';
import type { ClusterState } from '../../model/state/state.ts';

/** What there is to show of one node: plain numbers, memory and disk in MiB. */
export interface NodeRow {
  readonly index: number;
  readonly name: string;
  readonly alias: string;
  readonly isOffline: boolean;
  readonly failsNPlusOne: boolean;
  readonly totalMemMib: number;
  readonly nodeMemMib: number;
  /** Memory that neither the node nor its instances account for. */
  readonly missingMemMib: number;
  /** Free memory as the node reported it. */
  readonly freeMemMib: number;
  /** Free memory for placing instances: the smaller of reported and computed. */
  readonly unallocatedMemMib: number;
  readonly instanceMemMib: number;
  /** Memory kept for the failover of the worst peer. */
  readonly reservedMemMib: number;
  readonly availableMemMib: number;
  readonly totalDiskMib: number;
  readonly freeDiskMib: number;
  readonly totalCpus: number;
  readonly usedVcpus: number;
  /** Indices of its instances, in stock's order: the one that came last stands first. */
  readonly primaries: readonly number[];
  readonly secondaries: readonly number[];
  /** Shares from 0 to 1. */
  readonly freeMemShare: number;
  readonly freeDiskShare: number;
  /** Virtual cpus a cpu. */
  readonly vcpuRatio: number;
  readonly load: { readonly cpu: number; readonly mem: number; readonly disk: number; readonly net: number };
  /** Exclusion tags of its primaries with their number. */
  readonly primaryTags: ReadonlyMap<string, number>;
  /** Peers with the memory reserved for them, largest first: [node index, MiB]. */
  readonly peers: readonly (readonly [number, number])[];
  readonly spindles: number;
  /** Instance spindles that the policy allows. */
  readonly maxSpindles: number;
  readonly instanceSpindles: number;
}

/** Exclusion tags of a node's primaries, reserved ones included, with their number, in tag order. */
function primaryTags(state: ClusterState, node: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const i of [...state.primaries[node]!, ...state.forthcomingPrimaries[node]!]) {
    for (const tag of state.instanceRecord(i).exclusionTags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reservations by size; among equal ones the latest first, as the stock programs keep them. */
function peersOf(state: ClusterState, node: number): (readonly [number, number])[] {
  const { peers, snapshot } = state;
  return [...new Set(state.secondaries[node]!.map((i) => state.primary[i]!))]
    .map((p) => ({ p, reserved: peers.get(node, p), stamp: peers.stampOf(node, p) }))
    .filter(({ stamp }) => stamp > 0)
    .sort((a, b) => b.reserved - a.reserved || b.stamp - a.stamp)
    .map(({ p, reserved }) => [snapshot.nodes[p]!.index, reserved] as const);
}

/**
 * Peers are listed only when the state tracks their order.
 * @param figures free memory as the moves have left it, or as stock shows it
 */
export function nodeRows(
  state: ClusterState,
  nodes: readonly number[],
  figures: Figures = 'true',
): NodeRow[] {
  const before = memAtStart(state.snapshot);
  const f = state.nodeFields;
  const row = new Float64Array(METRIC_COUNT);
  const indexOf = (i: number): number => state.instanceRecord(i).index;
  return nodes.map((n) => {
    const node = state.snapshot.nodes[n]!;
    const at = n * F.NODE_STRIDE;
    contributionsOf(state, n, row, 0);
    return {
      index: node.index,
      name: node.name,
      alias: node.alias,
      isOffline: node.isOffline,
      failsNPlusOne: f[at + F.FAILS_N1] === 1,
      totalMemMib: node.totalMemMib,
      nodeMemMib: node.nodeMemMib,
      missingMemMib: state.missingMem[n]!,
      freeMemMib: figures === 'true' ? trueFreeMem(state, n, before) : node.freeMemMib,
      unallocatedMemMib: f[at + F.FREE_MEM]!,
      instanceMemMib: f[at + F.INSTANCE_MEM]!,
      reservedMemMib: f[at + F.RESERVED_MEM]!,
      availableMemMib: Math.max(0, f[at + F.FREE_MEM]! - f[at + F.RESERVED_MEM]!),
      totalDiskMib: node.totalDiskMib,
      freeDiskMib: f[at + F.FREE_DISK]!,
      totalCpus: node.totalCpus,
      usedVcpus: f[at + F.USED_CPU]!,
      primaries: state.primaries[n]!.map(indexOf).reverse(),
      secondaries: state.secondaries[n]!.map(indexOf).reverse(),
      freeMemShare: row[FREE_MEM_CV]!,
      freeDiskShare: row[FREE_DISK_CV]!,
      vcpuRatio: f[at + F.USED_CPU]! / node.totalCpus,
      load: {
        cpu: f[at + F.LOAD_CPU]!,
        mem: f[at + F.LOAD_MEM]!,
        disk: f[at + F.LOAD_DISK]!,
        net: f[at + F.LOAD_NET]!,
      },
      primaryTags: primaryTags(state, n),
      peers: peersOf(state, n),
      spindles: node.spindles,
      maxSpindles: state.highSpindles[n]!,
      instanceSpindles: f[at + F.INSTANCE_SPINDLES]!,
    };
  });
}
