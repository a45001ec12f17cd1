/** Exclusion, location and migration tags and pools as small tables, for the scan and the deep search. */
import { int32, int32Of, uint8 } from '../../../kit/shared-arrays.ts';
import type { ClusterState } from './state.ts';
import { classify } from './tag-index.ts';

export interface TagTables {
  /** Exclusion tags of instance i: `exclusions[exclusionStart[i]]` up to `exclusionStart[i + 1]`. */
  readonly exclusionStart: Int32Array;
  readonly exclusions: Int32Array;
  readonly tagCount: number;
  /** Primaries that carry a tag: `[node * tags + tag]`. */
  readonly tagCounts: Int32Array;
  readonly migrationClassCount: number;
  readonly migrationClassOf: Int32Array;
  readonly migrationAllowed: Uint8Array;
  /** 0 for clusters without location tags. */
  readonly locationClassCount: number;
  readonly locationClassOf: Int32Array;
  /** Location tags that two classes share: `[a * classes + b]`. */
  readonly locationCommon: Int32Array;
  /** Desired locations of an instance that a class lacks: `[instance * classes + class]`. */
  readonly locationUnmet: Int32Array;
  /** Locations of a class: `locations[locationStart[class]]` up to `locations[locationStart[class + 1]]`. */
  readonly locationStart: Int32Array;
  readonly locations: Int32Array;
  readonly locationCount: number;
  /** Online primaries with a tag in a location: `[(group * locations + location) * tags + tag]`. */
  readonly pairCounts: Int32Array;
  /** 1 where a row's instances may be: `[row * nodes + node]`; undefined when all may be anywhere. */
  readonly access: Uint8Array | undefined;
  readonly storageRow: Int32Array;
}

/** Of the state; what counts primaries stays its own, and changes with it. */
export function tagTables(state: ClusterState): TagTables {
  const { tags, instanceCount: count } = state;
  const [exclusionStart, exclusions] = joined(tags.exclusionsOf.slice(0, count));
  const representatives: number[] = [];
  tags.locationClassOf.forEach((c, node) => {
    representatives[c] ??= node;
  });
  const members = tags.hasLocations || tags.hasDesiredLocations ? representatives : [];
  const classes = members.length;
  const unmet = int32(count * classes);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < classes; c++) unmet[i * classes + c] = tags.unmetLocations(i, members[c]!);
  }
  const [locationStart, locations] = joined(members.map((_, c) => tags.locationsOfClass[c]!));
  return {
    exclusionStart,
    exclusions,
    tagCount: tags.tagCount,
    tagCounts: tags.counts,
    migrationClassCount: tags.migrationClassCount,
    migrationClassOf: tags.migrationClassOf,
    migrationAllowed: tags.migrationAllowed,
    locationClassCount: classes,
    locationClassOf: tags.locationClassOf,
    locationCommon: int32Of(members.flatMap((a) => members.map((b) => tags.commonLocations(a, b)))),
    locationUnmet: unmet,
    locationStart,
    locations,
    locationCount: tags.locationCount,
    pairCounts: tags.pairCounts,
    ...accessOf(state),
  };
}

/** Lists one after the other: where each starts, the end of all behind them; and all their members. */
function joined(lists: readonly (readonly number[])[]): readonly [Int32Array, Int32Array] {
  const starts = [0];
  for (const list of lists) starts.push(starts.at(-1)! + list.length);
  return [int32Of(starts), int32Of(lists.flat())];
}

/**
 * Who may be where, as one table: pools and the bars of tags, for loops that cannot ask twice. The storage's
 * own table where no tag bars anything.
 */
function accessOf(state: ClusterState): Pick<TagTables, 'access' | 'storageRow'> {
  const { placement, storage, storageRow, nodeCount: n, instanceCount } = state;
  if (!placement.hasBars) return { access: storage?.access, storageRow };
  const rowOf = (i: number): string => `${storage ? storageRow[i] : 0} ${placement.barRow[i]}`;
  const { classOf, members } = classify(Array.from({ length: instanceCount }, (_, i) => rowOf(i)));
  const access = uint8(members.length * n);
  members.forEach((i, row) => {
    for (let node = 0; node < n; node++) access[row * n + node] = state.admits(i, node) ? 1 : 0;
  });
  return { access, storageRow: classOf };
}
