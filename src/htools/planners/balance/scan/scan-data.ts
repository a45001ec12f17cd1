/** All that the scan reads, for worker threads: typed arrays over shared memory, and what never changes. */
import { float64Of } from '../../../../kit/shared-arrays.ts';
import type { PeerSquares } from '../../../model/state/peer-rows.ts';
import type { InstanceSet } from '../../../model/state/placement-rules.ts';
import { type ClusterState, IS_FORTHCOMING } from '../../../model/state/state.ts';
import { type TagTables, tagTables } from '../../../model/state/tag-tables.ts';
import type { Hoists } from './hoists.ts';
import type { NodeTables, TableArrays } from './tables.ts';

export interface ScanData extends TagTables {
  readonly tables: TableArrays;
  readonly targets: Int32Array;
  readonly nodeCount: number;
  readonly columnCount: number;
  readonly secondaryCount: number;
  /** Per column; the reserved memory's last. */
  readonly weights: Float64Array;
  /** Per metric: for those that no column carries. */
  readonly metricWeights: Float64Array;
  /** As the tables have them. */
  readonly asPrimary: Float64Array;
  readonly asSecondary: Float64Array;
  /** Least and largest worth of a unit on any node, per column; a reservation's least is nothing. */
  readonly leastScale: Float64Array;
  readonly largestScale: Float64Array;
  readonly hoists: Float64Array;
  readonly slotStride: number;
  /** Of the nodes that are balanced, and of others that their instances are on. */
  readonly peers: PeerSquares;
  readonly mem: Float64Array;
  readonly flags: Int32Array;
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
  readonly instanceLocation: Float64Array;
  readonly isOffline: Uint8Array;
  readonly groupOf: Int32Array;
  /** By instance: the sets that it shares with others; undefined where it is of none. */
  readonly sets: readonly (readonly InstanceSet[] | undefined)[];
}

/** The scan's view of a state; arrays stay the state's and the tables' own wherever they change. */
export function makeScanData(state: ClusterState, tables: NodeTables, hoists: Hoists): ScanData {
  const isAsked = (i: number): boolean => state.placement.hasMates(i) && !(state.flags[i]! & IS_FORTHCOMING);
  return {
    tables: tables.arrays,
    targets: tables.targets,
    nodeCount: state.nodeCount,
    columnCount: tables.columnCount,
    secondaryCount: tables.columns.secondaryCount,
    weights: tables.weights,
    metricWeights: float64Of(state.weights),
    asPrimary: tables.asPrimary,
    asSecondary: tables.asSecondary,
    leastScale: tables.leastScale,
    largestScale: tables.largestScale,
    hoists: hoists.data,
    slotStride: hoists.stride,
    peers: tables.peers,
    mem: state.mem,
    flags: tables.flags,
    primary: state.primary,
    secondary: state.secondary,
    instanceLocation: state.locationScore,
    isOffline: state.isOffline,
    groupOf: state.groupOf,
    sets: state.placement.hasSets
      ? Array.from(state.primary, (_, i) => (isAsked(i) ? state.placement.setsWith(i) : undefined))
      : [],
    ...tagTables(state),
  };
}
