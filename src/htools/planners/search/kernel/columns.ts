/**
 * The deviation columns of a group for the deep search: those of the scan, and under exclusive storage, which
 * the scan leaves to exact scoring, spindles in the place of space. Source: the metrics of free disk in
 * score/metrics.ts.
 */
import { float64 } from '../../../../kit/shared-arrays.ts';
import { diskMembers } from '../../../model/score/disk-membership.ts';
import {
  FREE_DISK_CV,
  FREE_DISK_CV_FORTH,
  SPINDLES_CV,
  SPINDLES_CV_FORTH,
} from '../../../model/score/metrics.ts';
import { type ClusterState, IS_FORTHCOMING } from '../../../model/state/state.ts';
import { type Column, type Columns, findColumns } from '../../balance/scan/columns.ts';

/** Under exclusive storage spindles stand in the place of the first two, and nothing changes the others. */
const DISK_METRICS = new Set([FREE_DISK_CV, FREE_DISK_CV_FORTH, SPINDLES_CV, SPINDLES_CV_FORTH]);

/** What the instances take of the nodes' free spindles, whatever their template. */
function spindleColumn(state: ClusterState, metric: number, members: readonly number[]): Column {
  const amounts = float64(state.instanceCount);
  const scale = float64(state.nodeCount);
  for (let i = 0; i < state.instanceCount; i++) {
    const spindles = state.diskSpindles[i]!;
    const isReal = !(state.flags[i]! & IS_FORTHCOMING);
    amounts[i] = isReal && !Number.isNaN(spindles) ? -spindles : 0;
  }
  for (const n of members) scale[n] = state.totalSpindles[n] === 0 ? 0 : 1 / state.totalSpindles[n]!;
  const weight = state.weights[metric]!;
  return { metric, weight, asPrimary: amounts, asSecondary: amounts, scale, members };
}

/** @param isExclusive all online nodes of the group have exclusive storage */
export function layoutColumns(state: ClusterState, nodes: readonly number[], isExclusive: boolean): Columns {
  const sumsLoads = nodes.every((n) => state.snapshot.nodes[n]!.reportedCpuLoad === undefined);
  const columns = findColumns(state, nodes, sumsLoads);
  if (!isExclusive) return columns;
  const online = nodes.filter((n) => !state.isOffline[n]);
  const members = diskMembers(state, online) ?? online;
  const spindles = [FREE_DISK_CV, FREE_DISK_CV_FORTH].map((metric) => spindleColumn(state, metric, members));
  const isOther = ({ metric }: Column): boolean => !DISK_METRICS.has(metric);
  const withSecondary = columns.list.slice(0, columns.secondaryCount).filter(isOther);
  return {
    ...columns,
    list: [...spindles, ...columns.list.filter(isOther)],
    secondaryCount: spindles.length + withSecondary.length,
  };
}
