/**
 * Tags as numbers: exclusion tags and their counts per node, location tags, migration tags.
 *
 * Exclusion tags that only one instance carries can never conflict and get no number.
 * Source: hbal(1) on exclusion, location and migration tags.
 */
import { kept } from '../../../kit/kept.ts';
import { float64, int32, uint8 } from '../../../kit/shared-arrays.ts';
import type { Instance, Snapshot } from '../../cluster/snapshot.ts';
import { locationTags, migrationTags, receivableMigrationTags } from '../../cluster/tags/tags.ts';

/** For each place the number of its class: those with equal keys. Also the first member of each class. */
export function classify(keys: readonly string[]): { classOf: Int32Array; members: number[] } {
  const known = new Map<string, number>();
  const members: number[] = [];
  const classOf = int32(keys.length);
  keys.forEach((key, n) => {
    classOf[n] = kept(known, key, () => members.push(n) - 1);
  });
  return { classOf, members };
}

const isSubset = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  for (const x of a) if (!b.has(x)) return false;
  return true;
};

const sizeOfCommon = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let common = 0;
  for (const x of a) if (b.has(x)) common++;
  return common;
};

const keyOf = (set: ReadonlySet<string>): string => [...set].sort().join('\0');

const NONE: ReadonlySet<string> = new Set();

export class TagIndex {
  /** Number of exclusion tags that can conflict. */
  readonly tagCount: number;
  /** Exclusion tags of each instance, as numbers, repeated where the instance repeats them. */
  readonly exclusionsOf: (readonly number[])[] = [];
  /** Primaries (forthcoming ones included) that carry a tag: `counts[node * tagCount + tag]`. */
  readonly counts: Int32Array;

  /** Nodes with the same location tags are one class. */
  readonly locationClassOf: Int32Array;
  /** Location tags of each class, as numbers. */
  readonly locationsOfClass: number[][];
  /** Location tags that two classes share: `common[a * classes + b]`. */
  private readonly common: Int32Array;
  private readonly locationSets: ReadonlySet<string>[];
  private readonly desired: ReadonlySet<string>[] = [];
  readonly hasLocations: boolean;
  readonly hasDesiredLocations: boolean;

  /** Nodes with the same migration tags are one class. */
  readonly migrationClassOf: Int32Array;
  readonly migrationClassCount: number;
  /** 1 where live migration from class a to class b is allowed: `[a * classes + b]`. */
  readonly migrationAllowed: Uint8Array;

  /** Where the counts of all groups together stand, behind those of each; of one group they are the same. */
  private readonly whole: number;
  /** Online primaries with a tag in a location: `[(group * locations + location) * tags + tag]`. */
  readonly pairCounts: Int32Array;
  readonly locationCount: number;
  /** Per group, and for all: primaries beyond the first for each pair of location and exclusion tag. */
  readonly crowding: Float64Array;
  private readonly nodeGroup: number[];
  private readonly nodeOffline: boolean[];
  private readonly numbers = new Map<string, number>();

  constructor(snapshot: Snapshot, toAdd: readonly Instance[]) {
    this.numberExclusionTags([...snapshot.instances, ...toAdd]);
    this.tagCount = this.numbers.size;
    this.counts = int32(snapshot.nodes.length * this.tagCount);
    this.nodeGroup = snapshot.nodes.map((node) => node.group);
    this.nodeOffline = snapshot.nodes.map((node) => node.isOffline);

    const locations = snapshot.nodes.map((node) => locationTags(snapshot.tags, node.tags));
    const byLocation = classify(locations.map(keyOf));
    this.locationClassOf = byLocation.classOf;
    this.locationSets = byLocation.members.map((n) => locations[n]!);
    const locationNumbers = new Map<string, number>();
    for (const set of this.locationSets) {
      for (const tag of set) if (!locationNumbers.has(tag)) locationNumbers.set(tag, locationNumbers.size);
    }
    this.locationCount = locationNumbers.size;
    this.hasLocations = this.locationCount > 0;
    this.hasDesiredLocations = snapshot.instances.some((i) => i.desiredLocationTags.length > 0);
    this.locationsOfClass = this.locationSets.map((set) => [...set].map((tag) => locationNumbers.get(tag)!));
    this.common = Int32Array.from(
      this.locationSets.flatMap((a) => this.locationSets.map((b) => sizeOfCommon(a, b))),
    );

    const sent = snapshot.nodes.map((node) => migrationTags(snapshot.tags, node.tags));
    const received = snapshot.nodes.map((node) => receivableMigrationTags(snapshot.tags, node.tags));
    const byMigration = classify(sent.map((set, n) => `${keyOf(set)}\0\0${keyOf(received[n]!)}`));
    this.migrationClassOf = byMigration.classOf;
    this.migrationClassCount = byMigration.members.length;
    this.migrationAllowed = uint8(this.migrationClassCount ** 2);
    byMigration.members.forEach((a, ca) => {
      byMigration.members.forEach((b, cb) => {
        this.migrationAllowed[ca * this.migrationClassCount + cb] = isSubset(sent[a]!, received[b]!) ? 1 : 0;
      });
    });

    this.whole = snapshot.groups.length > 1 ? snapshot.groups.length : 0;
    this.pairCounts = int32((this.whole + 1) * this.locationCount * this.tagCount);
    this.crowding = float64(this.whole + 1);
  }

  private numberExclusionTags(instances: readonly Instance[]): void {
    const seen = new Set<string>();
    for (const instance of instances) {
      for (const tag of instance.exclusionTags) {
        if (!seen.has(tag)) seen.add(tag);
        else if (!this.numbers.has(tag)) this.numbers.set(tag, this.numbers.size);
      }
    }
  }

  addInstance(i: number, instance: Instance): void {
    this.exclusionsOf[i] = instance.exclusionTags.flatMap((tag) => this.numbers.get(tag) ?? []);
    this.desired[i] = instance.desiredLocationTags.length > 0 ? new Set(instance.desiredLocationTags) : NONE;
  }

  dropInstance(i: number): void {
    this.exclusionsOf.length = i;
    this.desired.length = i;
  }

  /** Counts a primary's exclusion tags on a node (1), or no more (-1); returns the change of conflicts. */
  countPrimary(i: number, node: number, change: 1 | -1): number {
    let conflicts = 0;
    for (const tag of this.exclusionsOf[i]!) {
      const at = node * this.tagCount + tag;
      const before = this.counts[at]!;
      this.counts[at] = before + change;
      if (before + (change === 1 ? 0 : -1) > 0) conflicts += change;
    }
    return conflicts;
  }

  /** Whether a node already has a primary with one of the instance's exclusion tags. */
  conflicts(i: number, node: number): boolean {
    for (const tag of this.exclusionsOf[i]!) if (this.counts[node * this.tagCount + tag]! > 0) return true;
    return false;
  }

  commonLocations(a: number, b: number): number {
    return this.common[this.locationClassOf[a]! * this.locationSets.length + this.locationClassOf[b]!]!;
  }

  /** Desired locations of an instance that a node does not have. */
  unmetLocations(i: number, node: number): number {
    const desired = this.desired[i]!;
    if (desired.size === 0) return 0;
    return desired.size - sizeOfCommon(desired, this.locationSets[this.locationClassOf[node]!]!);
  }

  mayMigrate(from: number, to: number): boolean {
    if (this.migrationClassCount === 1) return this.migrationAllowed[0] === 1;
    return (
      this.migrationAllowed[
        this.migrationClassOf[from]! * this.migrationClassCount + this.migrationClassOf[to]!
      ] === 1
    );
  }

  /** Counts a primary in the locations of its node (1), or no more (-1); offline nodes do not count. */
  countInLocations(i: number, node: number, change: 1 | -1): void {
    if (!this.hasLocations || this.nodeOffline[node]) return;
    if (this.exclusionsOf[i]!.length === 0) return;
    this.countInPart(this.nodeGroup[node]!, i, node, change);
    if (this.whole > 0) this.countInPart(this.whole, i, node, change);
  }

  private countInPart(part: number, i: number, node: number, change: 1 | -1): void {
    for (const location of this.locationsOfClass[this.locationClassOf[node]!]!) {
      const base = (part * this.locationCount + location) * this.tagCount;
      for (const tag of this.exclusionsOf[i]!) {
        const before = this.pairCounts[base + tag]!;
        this.pairCounts[base + tag] = before + change;
        if (before + (change === 1 ? 0 : -1) > 0) this.crowding[part]! += change;
      }
    }
  }

  /** Where the counts of these groups stand: those of the one, or of all, as a location may span groups. */
  partOf(groups: ReadonlySet<number>): number {
    return groups.size === 1 ? [...groups][0]! : this.whole;
  }
}
