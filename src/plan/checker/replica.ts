/**
 * The checker's own model of a cluster: one object a node, plain maps and sets, built from a snapshot.
 * It shares nothing with the search's state, so that a fault in one does not hide in the other.
 *
 * Source of the figures: htools(1) and the definitions of the node fields in hbal(1).
 */
import { type Instance, type Node, plannableMem, type Snapshot } from '../../cluster/snapshot.ts';
import { type Storage, statedStorage } from '../../cluster/storage/storage.ts';
import { usesNodeDisk } from '../../cluster/templates.ts';
import { locationTagsOf, migrationTagsOf, receivableMigrationTagsOf } from './node-tags.ts';

/** What is left and what is used on a node. */
export interface Books {
  freeMemMib: number;
  freeDiskMib: number;
  /** Virtual cpus in use, those of the node's own system included. */
  vcpus: number;
  /** Counts only with exclusive storage. */
  freeSpindles: number;
  /** Spindles that instances use; 0 with exclusive storage. */
  instanceSpindles: number;
}

export interface ReplicaNode {
  readonly position: number;
  readonly record: Node;
  /** Disk that has to stay free (`--min-disk`). */
  readonly reserveDiskMib: number;
  /** Most virtual cpus a cpu; negative = no limit. */
  readonly vcpuRatioLimit: number;
  readonly spindleLimit: number;
  /** False where storage is stated and the node has none of its own: it is no part of the disk metrics. */
  readonly hasInternalStorage: boolean;
  readonly locations: ReadonlySet<string>;
  readonly migrationTags: ReadonlySet<string>;
  readonly receivableMigrationTags: ReadonlySet<string>;
  /** Positions of real (not forthcoming) instances. */
  readonly primaries: Set<number>;
  readonly secondaries: Set<number>;
  /** Positions of forthcoming instances. */
  readonly forthcomingPrimaries: Set<number>;
  readonly forthcomingSecondaries: Set<number>;
  /** Real instances only. */
  readonly now: Books;
  /** Real and forthcoming instances. */
  readonly planned: Books;
  /** Memory to keep for instances of each peer, should that peer fail. */
  readonly reservedMibByPeer: Map<number, number>;
  breaksNPlusOne: boolean;
  readonly load: { cpu: number; mem: number; disk: number; net: number };
  /** How many primaries (forthcoming ones too) carry each exclusion tag. */
  readonly exclusionTags: Map<string, number>;
  /** How many real primaries carry an exclusion tag in a location of this node; keyed by both. */
  readonly locationPairs: Map<string, number>;
  /** Locations shared by the two nodes of its primaries, and desired locations that are not met. */
  locationPenalty: number;
}

export interface Replica {
  readonly start: Snapshot;
  /** Pools and access; undefined when the start says nothing about storage. */
  readonly storage: Storage | undefined;
  readonly nodes: readonly ReplicaNode[];
  /** Current nodes of each instance; -1 = none. */
  readonly primaryOf: number[];
  readonly secondaryOf: number[];
  /** Locations that the nodes of an instance have in common, as of the last change of its disks. */
  readonly commonLocationsOf: number[];
}

/** Whether the instance takes memory on its primary now. */
export function takesMemory(instance: Instance): boolean {
  if (instance.isForthcoming) return false;
  const { status } = instance;
  return !(
    status === 'ADMIN_down' ||
    status === 'ADMIN_offline' ||
    status === 'ERROR_down' ||
    status === 'USER_down'
  );
}

/** Whether the instance's virtual cpus count; they do unless it is marked offline. */
export const takesCpus = (instance: Instance): boolean => instance.status !== 'ADMIN_offline';

/** Memory to reserve on the secondary for a failover. */
export const failoverMemMib = (instance: Instance): number =>
  takesCpus(instance) && instance.isAutoBalanced ? instance.memMib : 0;

/** Spindles of all disks together; undefined when those of one disk are not known. */
export function diskSpindles(instance: Instance): number | undefined {
  let sum = 0;
  for (const disk of instance.disks) {
    if (disk.spindles === undefined) return undefined;
    sum += disk.spindles;
  }
  return sum;
}

/** Largest memory reservation among the peers of a node, in MiB. */
export function reservedMib(node: ReplicaNode): number {
  let largest = 0;
  for (const mib of node.reservedMibByPeer.values()) if (mib > largest) largest = mib;
  return largest;
}

/** Number of locations that two nodes share. */
export const commonLocations = (one: ReplicaNode, other: ReplicaNode): number =>
  [...one.locations].filter((tag) => other.locations.has(tag)).length;

/** Desired locations of an instance that a node does not offer. */
export const unmetLocations = (node: ReplicaNode, instance: Instance): number =>
  [...new Set(instance.desiredLocationTags)].filter((tag) => !node.locations.has(tag)).length;

/** Keys of `locationPairs` that an instance counts under on a node. */
export const locationPairKeys = (node: ReplicaNode, instance: Instance): string[] =>
  [...node.locations].flatMap((location) => instance.exclusionTags.map((tag) => `${location}\n${tag}`));

/** Adds `change` to a count, and forgets the key when nothing is left. */
export function adjustCount<K>(counts: Map<K, number>, key: K, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function emptyNode(
  snapshot: Snapshot,
  record: Node,
  position: number,
  storage: Storage | undefined,
): ReplicaNode {
  const policy = snapshot.groups[record.group]!.policy;
  const books = {
    freeMemMib: plannableMem(record),
    freeDiskMib: record.freeDiskMib,
    vcpus: record.nodeCpus,
    freeSpindles: record.freeSpindles,
    instanceSpindles: 0,
  };
  return {
    position,
    record,
    reserveDiskMib: Math.floor(record.minFreeDiskRatio * record.totalDiskMib),
    vcpuRatioLimit: record.maxVcpuRatio ?? policy.vcpuRatio,
    spindleLimit: policy.spindleRatio * record.spindles,
    hasInternalStorage: storage?.lacksInternal[position] !== 1,
    locations: locationTagsOf(snapshot.tags, record.tags),
    migrationTags: migrationTagsOf(snapshot.tags, record.tags),
    receivableMigrationTags: receivableMigrationTagsOf(snapshot.tags, record.tags),
    primaries: new Set(),
    secondaries: new Set(),
    forthcomingPrimaries: new Set(),
    forthcomingSecondaries: new Set(),
    now: { ...books },
    planned: { ...books },
    reservedMibByPeer: new Map(),
    breaksNPlusOne: false,
    load: { cpu: 0, mem: 0, disk: 0, net: 0 },
    exclusionTags: new Map(),
    locationPairs: new Map(),
    locationPenalty: 0,
  };
}

/** What a forthcoming instance will take from disk and spindles, which the node's report cannot know yet. */
function bookForthcomingStorage(node: ReplicaNode, instance: Instance): void {
  if (usesNodeDisk(instance.diskTemplate)) node.planned.freeDiskMib -= instance.diskMib;
  const spindles = diskSpindles(instance);
  node.planned.freeSpindles = spindles === undefined ? -1 : node.planned.freeSpindles - spindles;
}

function bookSpindleUse(node: ReplicaNode, instance: Instance): void {
  if (node.record.hasExclusiveStorage || !usesNodeDisk(instance.diskTemplate)) return;
  node.planned.instanceSpindles += instance.spindleUse;
  if (!instance.isForthcoming) node.now.instanceSpindles += instance.spindleUse;
}

function placeReportedPrimary(replica: Replica, position: number, node: ReplicaNode): void {
  const instance = replica.start.instances[position]!;
  for (const tag of instance.exclusionTags) adjustCount(node.exclusionTags, tag, 1);
  if (takesCpus(instance)) node.planned.vcpus += instance.vcpus;
  if (!takesMemory(instance)) node.planned.freeMemMib -= instance.memMib;
  bookSpindleUse(node, instance);
  if (instance.isForthcoming) {
    node.forthcomingPrimaries.add(position);
    bookForthcomingStorage(node, instance);
    return;
  }
  node.primaries.add(position);
  if (takesCpus(instance)) node.now.vcpus += instance.vcpus;
  node.load.cpu += instance.utilisation.cpu;
  node.load.mem += instance.utilisation.mem;
  node.load.disk += instance.utilisation.disk;
  node.load.net += instance.utilisation.net;
  for (const key of locationPairKeys(node, instance)) adjustCount(node.locationPairs, key, 1);
  node.locationPenalty += replica.commonLocationsOf[position]! + unmetLocations(node, instance);
}

function placeReportedSecondary(replica: Replica, position: number, node: ReplicaNode): void {
  const instance = replica.start.instances[position]!;
  bookSpindleUse(node, instance);
  if (instance.isForthcoming) {
    node.forthcomingSecondaries.add(position);
    bookForthcomingStorage(node, instance);
    return;
  }
  node.secondaries.add(position);
  node.load.disk += instance.utilisation.disk;
  adjustCount(node.reservedMibByPeer, instance.primary, failoverMemMib(instance));
}

/** Free memory is the smaller of what the node reports and what the sizes of its instances leave. */
function settleMemory(replica: Replica, node: ReplicaNode): void {
  let instancesMib = 0;
  for (const position of node.primaries) {
    const instance = replica.start.instances[position]!;
    if (takesMemory(instance)) instancesMib += instance.memMib;
  }
  const { totalMemMib, nodeMemMib, headRoomMib = 0 } = node.record;
  const freeMemMib = plannableMem(node.record);
  const recorded = Math.trunc(totalMemMib) - nodeMemMib - headRoomMib - instancesMib;
  node.now.freeMemMib = Math.min(recorded, freeMemMib);
  // Before its first change a node is judged by the memory that it reports.
  node.breaksNPlusOne = freeMemMib < reservedMib(node);
}

/** Storage of the starts of plans: several plans for one cluster ask for it, and it takes longer than the rest of a model. */
const storages = new WeakMap<Snapshot, { readonly storage: Storage | undefined }>();

function storageOf(start: Snapshot): Storage | undefined {
  const known = storages.get(start) ?? { storage: statedStorage(start) };
  storages.set(start, known);
  return known.storage;
}

/** Builds the model from the plan's start. Instances without a primary are not on any node. */
export function buildReplica(start: Snapshot): Replica {
  const storage = storageOf(start);
  const nodes = start.nodes.map((record, position) => emptyNode(start, record, position, storage));
  const replica: Replica = {
    start,
    storage,
    nodes,
    primaryOf: start.instances.map((instance) => instance.primary),
    secondaryOf: start.instances.map((instance) => instance.secondary),
    commonLocationsOf: start.instances.map(({ primary, secondary }) =>
      primary < 0 || secondary < 0 ? 0 : commonLocations(nodes[primary]!, nodes[secondary]!),
    ),
  };
  start.instances.forEach((instance, position) => {
    if (instance.primary >= 0) placeReportedPrimary(replica, position, nodes[instance.primary]!);
    if (instance.secondary >= 0) placeReportedSecondary(replica, position, nodes[instance.secondary]!);
  });
  for (const node of nodes) {
    settleMemory(replica, node);
    if (node.record.reportedCpuLoad !== undefined) node.load.cpu = node.record.reportedCpuLoad;
  }
  return replica;
}
