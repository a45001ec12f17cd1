/** Exclusion, location, migration tags and pools for the deep search: numbers and small tables. */
import { int32, uint8 } from '../../../../kit/shared-arrays.ts';
import { accessOf } from '../../../model/state/access.ts';
import type { ClusterState } from '../../../model/state/state.ts';

export interface TagLayout {
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
  /** 1 where a class has a location: `[class * locations + location]`. */
  readonly locationOfClass: Uint8Array;
  readonly locationCount: number;
  /** Primaries of the group that carry a tag in a location: `[location * tags + tag]`. */
  readonly pairCounts: Int32Array;
  /** 1 where a row's instances may be: `[row * nodes + node]`; undefined when all may be anywhere. */
  readonly access: Uint8Array | undefined;
  readonly storageRow: Int32Array;
}

const integers = (values: ArrayLike<number>): Int32Array => {
  const array = int32(values.length);
  array.set(values);
  return array;
};

/** @param nodes positions of the nodes of one group */
export function layoutTags(state: ClusterState, nodes: readonly number[]): TagLayout {
  const { tags, instanceCount: count } = state;
  const access = accessOf(state);
  const starts: number[] = [0];
  const exclusions: number[] = [];
  for (let i = 0; i < count; i++) {
    exclusions.push(...tags.exclusionsOf[i]!);
    starts.push(exclusions.length);
  }
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
  const ofClass = uint8(classes * tags.locationCount);
  members.forEach((_, c) => {
    for (const location of tags.locationsOfClass[c]!) ofClass[c * tags.locationCount + location] = 1;
  });
  const pairs = tags.locationCount * tags.tagCount;
  const group = nodes.length > 0 ? state.groupOf[nodes[0]!]! : 0;
  return {
    exclusionStart: integers(starts),
    exclusions: integers(exclusions),
    tagCount: tags.tagCount,
    tagCounts: integers(tags.counts),
    migrationClassCount: tags.migrationClassCount,
    migrationClassOf: tags.migrationClassOf,
    migrationAllowed: tags.migrationAllowed,
    locationClassCount: classes,
    locationClassOf: tags.locationClassOf,
    locationCommon: integers(members.flatMap((a) => members.map((b) => tags.commonLocations(a, b)))),
    locationUnmet: unmet,
    locationOfClass: ofClass,
    locationCount: tags.locationCount,
    pairCounts: integers(tags.pairCounts.subarray(group * pairs, (group + 1) * pairs)),
    access: access.access,
    storageRow: access.rows,
  };
}
