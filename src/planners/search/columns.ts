/**
 * The deviation columns of a group for the deep search: those of the scan, and under exclusive storage, which the scan leaves
 * to exact scoring, spindles in the place of space. Source: the metrics of free disk in score/metrics.ts.
 */
import { float64 } from '../../cluster/shared-arrays.ts';
import type { ClusterState } from '../../cluster/state.ts';
import { IS_FORTHCOMING } from '../../cluster/state.ts';
import { type Column, type Columns, findColumns } from '../../balance/columns.ts';
import { FREE_DISK_CV, FREE_DISK_CV_FORTH, SPINDLES_CV, SPINDLES_CV_FORTH } from '../../score/metrics.ts';

const FREE_DISK_METRICS = new Set([FREE_DISK_CV, FREE_DISK_CV_FORTH]);
/** Under exclusive storage nodes count no spindle use, whatever comes to them. */
const SPINDLE_METRICS = new Set([SPINDLES_CV, SPINDLES_CV_FORTH]);

/** What an instance takes of a node's free spindles. @param counts whether it is counted there now */
function spindleColumn(state: ClusterState, column: Column): Column {
  const asPrimary = float64(state.instanceCount);
  const asSecondary = float64(state.instanceCount);
  const scale = float64(state.nodeCount);
  for (let i = 0; i < state.instanceCount; i++) {
    const spindles = state.diskSpindles[i]!;
    const isReal = !(state.flags[i]! & IS_FORTHCOMING);
    const amount = isReal && !Number.isNaN(spindles) ? -spindles : 0;
    asPrimary[i] = amount;
    asSecondary[i] = amount;
  }
  for (const n of column.members) {
    const total = state.totalSpindles[n]!;
    scale[n] = total === 0 ? 0 : 1 / total;
  }
  return { ...column, asPrimary, asSecondary, scale };
}

/** @param isExclusive all online nodes of the group have exclusive storage */
export function layoutColumns(state: ClusterState, nodes: readonly number[], isExclusive: boolean): Columns {
  const sumsLoads = nodes.every((n) => state.snapshot.nodes[n]!.reportedCpuLoad === undefined);
  const columns = findColumns(state, nodes, sumsLoads);
  if (!isExclusive) return columns;
  const list = columns.list
    .filter(({ metric }) => !SPINDLE_METRICS.has(metric))
    .map((column) => (FREE_DISK_METRICS.has(column.metric) ? spindleColumn(state, column) : column));
  const withSecondary = columns.list
    .slice(0, columns.secondaryCount)
    .filter(({ metric }) => !SPINDLE_METRICS.has(metric));
  return { ...columns, list, secondaryCount: withSecondary.length };
}
