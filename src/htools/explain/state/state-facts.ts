/** A searched state as plain data, for tables, documents and pages: nodes, instances, metrics, health. */

import { tallied } from '../../../kit/grouped.ts';
import { isRunning } from '../../cluster/instance-status.ts';
import { availableMem } from '../../model/rules/memory.ts';
import {
  contributionsOf,
  FREE_DISK_CV,
  FREE_MEM_CV,
  METRIC_COUNT,
  METRICS,
} from '../../model/score/metrics.ts';
import type { Scorer } from '../../model/score/scorer.ts';
import { type Figures, memAtStart, trueFreeMem } from '../../model/state/moved-snapshot.ts';
import * as F from '../../model/state/node-fields.ts';
import { badNodes, instancesOn, type Scope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { Coefficient, InstanceRow, NodeRow } from '../../results/parts/tables.ts';

/** Exclusion tags of a node's primaries, reserved ones included, with their number, in tag order. */
function primaryTags(state: ClusterState, node: number): Readonly<Record<string, number>> {
  const primaries = [...state.primaries[node]!, ...state.forthcomingPrimaries[node]!];
  const tags = primaries.flatMap((i) => state.instanceRecord(i).exclusionTags);
  return Object.fromEntries([...tallied(tags)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Reservations by size; among equal ones the latest first, as the stock programs keep them. */
function peersOf(state: ClusterState, node: number): NodeRow['peers'] {
  const { peers, snapshot } = state;
  return [...new Set(state.secondaries[node]!.map((i) => state.reservedFor(i)))]
    .map((p) => ({ p, reserved: peers.get(node, p), stamp: peers.stampOf(node, p) }))
    .filter(({ stamp }) => stamp > 0)
    .sort((a, b) => b.reserved - a.reserved || b.stamp - a.stamp)
    .map(({ p, reserved }) => [snapshot.nodes[p]!.index, reserved] as const);
}

/** Peers only when the state tracks their order. @param figures of free memory: true, or stock's */
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
      availableMemMib: availableMem(state, n),
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

export function instanceRows(state: ClusterState, instances: readonly number[]): InstanceRow[] {
  const nameOf = (node: number): string | null => (node < 0 ? null : state.snapshot.nodes[node]!.name);
  return instances.map((i) => {
    const record = state.instanceRecord(i);
    const { index, name, isAutoBalanced, vcpus, memMib, diskMib, utilisation, loadSources } = record;
    return {
      index,
      name,
      isRunning: isRunning(record),
      primary: nameOf(state.primary[i]!),
      secondary: nameOf(state.secondary[i]!),
      isAutoBalanced,
      vcpus,
      memMib,
      diskMib,
      load: utilisation,
      ...(loadSources && { loadSources }),
    };
  });
}

/** One for each metric; none where nothing is scored. */
export const coefficientsOf = (scorer: Scorer): Coefficient[] =>
  scorer.isEmpty
    ? []
    : METRICS.map(({ name }, metric) => ({
        name,
        weight: scorer.state.weights[metric]!,
        value: scorer.values[metric]!,
      }));

export type GroupHealth = ReturnType<typeof groupHealth>;

/** Which rule of its group's policy a node breaks; the first in stock's order. */
function brokenRule(state: ClusterState, node: number): 'FailDisk' | 'FailCPU' | undefined {
  if (state.field(node, F.INSTANCE_SPINDLES) > state.highSpindles[node]!) return 'FailDisk';
  return state.field(node, F.USED_CPU) / state.totalCpu[node]! > state.vcpuRatio[node]!
    ? 'FailCPU'
    : undefined;
}

/** Names of the online nodes that fail N+1, and the others with what of the policy they break. */
export function groupHealth(state: ClusterState, scope: Scope) {
  const bad = badNodes(state, scope.nodes);
  const nameOf = (n: number): string => state.snapshot.nodes[n]!.name;
  return {
    badNodes: bad.map(nameOf),
    badInstances: instancesOn(state, bad).length,
    others: scope.nodes
      .filter((n) => !bad.includes(n))
      .map((n) => ({ name: nameOf(n), broken: brokenRule(state, n) })),
  };
}
