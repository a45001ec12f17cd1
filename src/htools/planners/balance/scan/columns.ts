/**
 * Which deviation metrics the moves of a run can change, each with what an instance adds to a node.
 *
 * Metrics that behave the same in this cluster are one column with the sum of their weights: without dynamic
 * use the cpu, memory and network load all count primaries; without forthcoming instances three forthcoming
 * metrics repeat the plain ones. Metrics that no instance can change are left out, as are those that weigh
 * nothing; they are part of the score's fixed share.
 */
import { float64 } from '../../../../kit/shared-arrays.ts';
import { diskMembers, isDiskMetric } from '../../../model/score/disk-membership.ts';
import {
  CPU_LOAD_CV,
  DISK_LOAD_CV,
  FREE_DISK_CV,
  FREE_DISK_CV_FORTH,
  FREE_MEM_CV,
  FREE_MEM_CV_FORTH,
  MEM_LOAD_CV,
  NET_LOAD_CV,
  RESERVED_MEM_CV,
  SPINDLES_CV,
  SPINDLES_CV_FORTH,
  VCPU_RATIO_CV,
  VCPU_RATIO_CV_FORTH,
} from '../../../model/score/metrics.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import {
  IS_FORTHCOMING,
  USES_CPU,
  USES_MEMORY,
  USES_NODE_DISK,
  UTILISATION_STRIDE,
} from '../../../model/state/state.ts';

/**
 * What an instance adds to the node's figure as primary and as secondary, before scaling by the node's size.
 */
interface Source {
  readonly metric: number;
  readonly asPrimary: (state: ClusterState, i: number) => number;
  readonly asSecondary: (state: ClusterState, i: number) => number;
  /** What one unit is worth on a node: the metric changes by amount x scale. */
  readonly scale: (state: ClusterState, node: number) => number;
}

const none = (): number => 0;
const inverse = (size: number): number => (size === 0 ? 0 : 1 / size);
const disk = (state: ClusterState, i: number): number =>
  state.flags[i]! & USES_NODE_DISK ? -state.disk[i]! : 0;
const vcpus = (state: ClusterState, i: number): number => (state.flags[i]! & USES_CPU ? state.vcpus[i]! : 0);
const spindles = (state: ClusterState, i: number): number =>
  state.flags[i]! & USES_NODE_DISK ? state.spindleUse[i]! : 0;
const load =
  (kind: number) =>
  (state: ClusterState, i: number): number =>
    state.utilisation[i * UTILISATION_STRIDE + kind]!;
const perMem = (state: ClusterState, n: number): number => inverse(state.totalMem[n]!);
const perDisk = (state: ClusterState, n: number): number => inverse(state.totalDisk[n]!);
const perCpu = (state: ClusterState, n: number): number => 1 / state.totalCpu[n]! / state.cpuSpeed[n]!;
const perSpindle = (state: ClusterState, n: number): number => 1 / state.highSpindles[n]!;
const plain = (): number => 1;

const SOURCES: readonly Source[] = [
  {
    metric: FREE_MEM_CV,
    asPrimary: (state, i) => (state.flags[i]! & USES_MEMORY ? -state.mem[i]! : 0),
    asSecondary: none,
    scale: perMem,
  },
  { metric: FREE_DISK_CV, asPrimary: disk, asSecondary: disk, scale: perDisk },
  { metric: VCPU_RATIO_CV, asPrimary: vcpus, asSecondary: none, scale: perCpu },
  { metric: CPU_LOAD_CV, asPrimary: load(0), asSecondary: none, scale: plain },
  { metric: MEM_LOAD_CV, asPrimary: load(1), asSecondary: none, scale: plain },
  { metric: DISK_LOAD_CV, asPrimary: load(2), asSecondary: load(2), scale: plain },
  { metric: NET_LOAD_CV, asPrimary: load(3), asSecondary: none, scale: plain },
  { metric: SPINDLES_CV, asPrimary: spindles, asSecondary: spindles, scale: perSpindle },
  { metric: FREE_MEM_CV_FORTH, asPrimary: (state, i) => -state.mem[i]!, asSecondary: none, scale: perMem },
  { metric: FREE_DISK_CV_FORTH, asPrimary: disk, asSecondary: disk, scale: perDisk },
  { metric: VCPU_RATIO_CV_FORTH, asPrimary: vcpus, asSecondary: none, scale: perCpu },
  { metric: SPINDLES_CV_FORTH, asPrimary: spindles, asSecondary: spindles, scale: perSpindle },
];

export interface Column {
  /** The metric whose values the column follows. */
  readonly metric: number;
  /** Weight of that metric and of all that behave like it. */
  readonly weight: number;
  /** Amounts per instance. */
  readonly asPrimary: Float64Array;
  readonly asSecondary: Float64Array;
  /** Worth of a unit per node; 0 for nodes that take no part in the metric. */
  readonly scale: Float64Array;
  /** Nodes whose values are compared, in order. */
  readonly members: readonly number[];
}

export interface Columns {
  /** Columns that a primary changes, those that a secondary changes as well first. */
  readonly list: readonly Column[];
  /** How many of them, from the front, a secondary changes as well. */
  readonly secondaryCount: number;
  /** Weight of the reserved memory's column, which follows the peers and not the amounts. */
  readonly reservedWeight: number;
}

const PLAIN_TWIN = new Map([
  [FREE_DISK_CV_FORTH, FREE_DISK_CV],
  [VCPU_RATIO_CV_FORTH, VCPU_RATIO_CV],
  [SPINDLES_CV_FORTH, SPINDLES_CV],
]);
const LOADS = new Set([CPU_LOAD_CV, MEM_LOAD_CV, NET_LOAD_CV]);

const sameValues = (a: Float64Array, b: Float64Array): boolean => {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
};

/**
 * The columns of a run.
 * @param nodes the nodes scored
 * @param nodeLoads whether the nodes' load figures are the sums over their instances, so that equal amounts
 *   mean equal metrics
 */
export function findColumns(state: ClusterState, nodes: readonly number[], nodeLoads: boolean): Columns {
  const count = state.instanceCount;
  let hasForthcoming = false;
  for (let i = 0; i < count; i++) if (state.flags[i]! & IS_FORTHCOMING) hasForthcoming = true;

  const online = nodes.filter((n) => !state.isOffline[n]);
  const disks = diskMembers(state, online) ?? online;
  const found: Column[] = [];
  for (const source of SOURCES) {
    const weight = state.weights[source.metric]!;
    const twin = PLAIN_TWIN.get(source.metric);
    if (twin !== undefined && !hasForthcoming) {
      merge(found, twin, weight);
      continue;
    }
    const asPrimary = float64(count);
    const asSecondary = float64(count);
    let moves = false;
    for (let i = 0; i < count; i++) {
      asPrimary[i] = source.asPrimary(state, i);
      asSecondary[i] = source.asSecondary(state, i);
      if (asPrimary[i] !== 0 || asSecondary[i] !== 0) moves = true;
    }
    if (!moves) continue;
    const equal =
      nodeLoads && LOADS.has(source.metric)
        ? found.find((c) => LOADS.has(c.metric) && sameValues(c.asPrimary, asPrimary))
        : undefined;
    if (equal) {
      merge(found, equal.metric, weight);
      continue;
    }
    const members = isDiskMetric(source.metric) ? disks : online;
    const scale = float64(state.nodeCount);
    for (const n of members) scale[n] = source.scale(state, n);
    found.push({ metric: source.metric, weight, asPrimary, asSecondary, scale, members });
  }
  const counting = found.filter(({ weight }) => weight > 0);
  const withSecondary = counting.filter((c) => c.asSecondary.some((amount) => amount !== 0));
  const rest = counting.filter((c) => !withSecondary.includes(c));
  return {
    list: [...withSecondary, ...rest],
    secondaryCount: withSecondary.length,
    reservedWeight: state.weights[RESERVED_MEM_CV]!,
  };
}

/**
 * Adds a metric's weight to the column that it repeats; where there is none, no move changes the metric
 * either.
 */
function merge(found: Column[], like: number, weight: number): void {
  const at = found.findIndex((c) => c.metric === like);
  if (at >= 0) found[at] = { ...found[at]!, weight: found[at]!.weight + weight };
}
