/**
 * Which deviation metrics the moves of a run can change, each with what an instance adds to a node.
 *
 * Metrics that behave the same in this cluster are one column with the sum of their weights: without dynamic
 * use the cpu, memory and network load all count primaries; without forthcoming instances three forthcoming
 * metrics repeat the plain ones. Metrics that no instance can change are left out, as are those that weigh
 * nothing; they are part of the score's fixed share.
 */
import { float64 } from '../../../../kit/shared-arrays.ts';
import {
  CPU_LOAD_CV,
  MEM_LOAD_CV,
  METRICS,
  type Metric,
  NET_LOAD_CV,
  RESERVED_MEM_CV,
  TWINS,
} from '../../../model/score/metrics.ts';
import { diskMembers } from '../../../model/score/scorer.ts';
import { type ClusterState, IS_FORTHCOMING, UTILISATION_STRIDE } from '../../../model/state/state.ts';

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

/** By metric: what it repeats where no instance is yet to come, as both change alike. */
const PLAIN_TWIN = new Map(
  TWINS.flatMap(([plain, m]) => (METRICS[plain]!.moved === METRICS[m]!.moved ? [[m, plain]] : [])),
);
const LOADS = new Set([CPU_LOAD_CV, MEM_LOAD_CV, NET_LOAD_CV]);

const isAny = (amounts: Float64Array): boolean => amounts.some((amount) => amount !== 0);

/** Metrics without a twin do not see forthcoming instances. */
function amounts(
  state: ClusterState,
  { twin }: Metric,
  amountOf: (state: ClusterState, i: number) => number,
): Float64Array {
  const found = float64(state.instanceCount);
  for (let i = 0; i < found.length; i++)
    if (twin || !(state.flags[i]! & IS_FORTHCOMING)) found[i] = amountOf(state, i);
  return found;
}

const sameValues = (a: Float64Array, b: Float64Array): boolean => a.every((value, k) => value === b[k]);

/**
 * Which instances columns cover: none where only some of the nodes have exclusive storage, as one metric sums
 * their spindles and the others' space; else all but those that repeat an exclusion tag, and those whose
 * cpu load, or whose spindles where these count, are not known.
 *
 * Forthcoming ones are held against what is planned alone, and columns hold all against what is there as
 * well: they are covered where no more is planned to be free than is, and as long as soft rules hold.
 * @param nodes the nodes scored
 * @param withForthcoming whether they are to be covered where they can be
 */
export function coverage(
  state: ClusterState,
  nodes: readonly number[],
  withForthcoming: boolean,
): (i: number) => boolean {
  const online = nodes.filter((n) => !state.isOffline[n]);
  const exclusive = online.filter((n) => state.isExclusive[n]).length;
  if (exclusive > 0 && exclusive < online.length) return () => false;
  const hasExclusive = nodes.some((n) => state.isExclusive[n]);
  const coversForthcoming =
    withForthcoming && exclusive === 0 && online.every((n) => state.missingMem[n]! >= 0);
  const isAway = (i: number): boolean =>
    state.isOffline[state.primary[i]!] === 1 || state.isOffline[state.secondary[i]!] === 1;
  return (i) => {
    if (hasExclusive && Number.isNaN(state.diskSpindles[i]!)) return false;
    // Bounds take it that nothing that comes frees memory.
    if (state.mem[i]! < 0 || !Number.isFinite(state.utilisation[i * UTILISATION_STRIDE]!)) return false;
    if (state.flags[i]! & IS_FORTHCOMING && (!coversForthcoming || isAway(i))) return false;
    const exclusions = state.tags.exclusionsOf[i]!;
    return new Set(exclusions).size === exclusions.length;
  };
}

/** The columns of a run. @param nodes the nodes scored */
export function findColumns(state: ClusterState, nodes: readonly number[]): Columns {
  // Where nodes' load figures are the sums over their instances, equal amounts mean equal metrics.
  const sumsLoads = nodes.every((n) => state.snapshot.nodes[n]!.reportedCpuLoad === undefined);
  const hasForthcoming = state.flags.some((flags) => (flags & IS_FORTHCOMING) !== 0);
  const online = nodes.filter((n) => !state.isOffline[n]);
  const isExclusive = online.some((n) => state.isExclusive[n]);
  const disks = diskMembers(state, online) ?? online;
  const found: Column[] = [];
  for (const [metric, row] of METRICS.entries()) {
    const moved = isExclusive ? row.movedExclusive : row.moved;
    if (!moved) continue;
    const weight = state.weights[metric]!;
    const asPrimary = amounts(state, row, moved.asPrimary);
    const asSecondary = amounts(state, row, moved.asSecondary);
    if (!isAny(asPrimary) && !isAny(asSecondary)) continue;
    const twin = hasForthcoming ? undefined : PLAIN_TWIN.get(metric);
    /** Whether the metric repeats a column, which then has the weight of both. */
    const isLike = (c: Column): boolean =>
      twin === undefined
        ? sumsLoads && LOADS.has(metric) && LOADS.has(c.metric) && sameValues(c.asPrimary, asPrimary)
        : c.metric === twin;
    const like = found.findIndex(isLike);
    if (like >= 0) {
      found[like] = { ...found[like]!, weight: found[like]!.weight + weight };
      continue;
    }
    const members = row.isOfDisks ? disks : online;
    const scale = float64(state.nodeCount);
    for (const n of members) scale[n] = moved.scale(state, n);
    if (!isAny(scale)) continue;
    found.push({ metric, weight, asPrimary, asSecondary, scale, members });
  }
  const counting = found.filter(({ weight }) => weight > 0);
  const withSecondary = counting.filter((c) => isAny(c.asSecondary));
  const rest = counting.filter((c) => !withSecondary.includes(c));
  return {
    list: [...withSecondary, ...rest],
    secondaryCount: withSecondary.length,
    reservedWeight: state.weights[RESERVED_MEM_CV]!,
  };
}
