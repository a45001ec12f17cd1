/** All that the scan reads, as typed arrays over shared memory, for worker threads. */
import { float64, int32, uint8 } from '../../../../kit/shared-arrays.ts';
import { accessOf } from '../../../model/state/access.ts';
import type { PeerSquares } from '../../../model/state/peer-rows.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { Hoists } from './hoists.ts';
import type { NodeTables, TableArrays } from './tables.ts';

export interface ScanData {
  readonly tables: TableArrays;
  readonly targets: Int32Array;
  readonly nodeCount: number;
  readonly columnCount: number;
  readonly secondaryCount: number;
  /** Per column; the reserved memory's last. */
  readonly weights: Float64Array;
  /** Per metric: for those that no column carries. */
  readonly metricWeights: Float64Array;
  /** Amounts per instance: `[instance * columns + column]`. */
  readonly asPrimary: Float64Array;
  readonly asSecondary: Float64Array;
  readonly hoists: Float64Array;
  readonly slotStride: number;
  /** Of the nodes that are balanced, and of others that their instances are on. */
  readonly peers: PeerSquares;
  readonly mem: Float64Array;
  readonly disk: Float64Array;
  readonly vcpus: Float64Array;
  readonly spindleUse: Float64Array;
  readonly flags: Int32Array;
  readonly mirroring: Uint8Array;
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
  readonly instanceLocation: Float64Array;
  readonly isOffline: Uint8Array;
  readonly groupOf: Int32Array;
  /** Exclusion tags of instance i: `exclusions[exclusionStart[i] .. exclusionStart[i + 1]]`. */
  readonly exclusionStart: Int32Array;
  readonly exclusions: Int32Array;
  readonly tagCount: number;
  readonly tagCounts: Int32Array;
  readonly migrationClassOf: Int32Array;
  readonly migrationClassCount: number;
  readonly migrationAllowed: Uint8Array;
  /** Location classes; 0 when no node has a location tag and no instance wants one. */
  readonly locationClassCount: number;
  readonly locationClassOf: Int32Array;
  readonly locationCommon: Int32Array;
  /** Desired locations that a class lacks: `[instance * classes + class]`. */
  readonly locationUnmet: Int32Array;
  /** 1 where the class has the location: `[class * locations + location]`. */
  readonly locationOfClass: Uint8Array;
  readonly locationCount: number;
  readonly pairCounts: Int32Array;
  /** 1 where a row's instances may be, `[row * nodes + node]`, and their rows; undefined: all anywhere. */
  readonly access: Uint8Array | undefined;
  readonly storageRow: Int32Array;
}

/** The values in an array of the given make. */
function filled<A extends Float64Array | Int32Array | Uint8Array>(
  make: (length: number) => A,
  values: ArrayLike<number>,
): A {
  const array = make(values.length);
  array.set(values);
  return array;
}

/** Columns side by side, one row an instance. */
function interleave(columns: readonly Float64Array[], rows: number): Float64Array {
  const out = float64(rows * columns.length);
  columns.forEach((column, c) => {
    for (let i = 0; i < rows; i++) out[i * columns.length + c] = column[i]!;
  });
  return out;
}

/** The scan's view of a state; arrays stay the state's and the tables' own wherever they change. */
export function makeScanData(state: ClusterState, tables: NodeTables, hoists: Hoists): ScanData {
  const { tags } = state;
  const access = accessOf(state);
  const { list, secondaryCount, reservedWeight } = tables.columns;
  const count = state.instanceCount;
  const starts: number[] = [0];
  const exclusions: number[] = [];
  for (let i = 0; i < count; i++) {
    exclusions.push(...tags.exclusionsOf[i]!);
    starts.push(exclusions.length);
  }
  const usesLocations = tags.hasLocations || tags.hasDesiredLocations;
  const representatives: number[] = [];
  tags.locationClassOf.forEach((c, node) => {
    representatives[c] ??= node;
  });
  const classes = usesLocations ? representatives.length : 0;
  const members = representatives.slice(0, classes);
  const unmet = int32(count * classes);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < classes; c++) unmet[i * classes + c] = tags.unmetLocations(i, members[c]!);
  }
  const ofClass = new Uint8Array(classes * tags.locationCount);
  members.forEach((_, c) => {
    for (const location of tags.locationsOfClass[c]!) ofClass[c * tags.locationCount + location] = 1;
  });
  return {
    tables: tables.arrays,
    targets: tables.targets,
    nodeCount: state.nodeCount,
    columnCount: tables.columnCount,
    secondaryCount,
    weights: filled(float64, [...list.map((c) => c.weight), reservedWeight]),
    metricWeights: filled(float64, state.weights),
    asPrimary: interleave(
      list.map((c) => c.asPrimary),
      count,
    ),
    asSecondary: interleave(
      list.map((c) => c.asSecondary),
      count,
    ),
    hoists: hoists.data,
    slotStride: hoists.stride,
    peers: tables.peers,
    mem: state.mem,
    disk: state.disk,
    vcpus: state.vcpus,
    spindleUse: state.spindleUse,
    flags: state.flags,
    mirroring: state.mirroring,
    primary: state.primary,
    secondary: state.secondary,
    instanceLocation: state.locationScore,
    isOffline: state.isOffline,
    groupOf: state.groupOf,
    exclusionStart: filled(int32, starts),
    exclusions: filled(int32, exclusions),
    tagCount: tags.tagCount,
    tagCounts: tags.counts,
    migrationClassOf: tags.migrationClassOf,
    migrationClassCount: tags.migrationClassCount,
    migrationAllowed: tags.migrationAllowed,
    locationClassCount: classes,
    locationClassOf: tags.locationClassOf,
    locationCommon: filled(
      int32,
      members.flatMap((a) => members.map((b) => tags.commonLocations(a, b))),
    ),
    locationUnmet: unmet,
    locationOfClass: filled(uint8, ofClass),
    locationCount: tags.locationCount,
    pairCounts: tags.pairCounts,
    access: access.access,
    storageRow: access.rows,
  };
}
