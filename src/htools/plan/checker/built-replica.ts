/** Builds the checker's model from a plan's start, and puts it back to that start after a replay. */

import { reachableNodes } from '../../cluster/instance-status.ts';
import { type Instance, plannableMem, type Snapshot } from '../../cluster/snapshot.ts';
import { statedStorage } from '../../cluster/storage/storage.ts';
import { usesNodeDisk } from '../../cluster/templates.ts';
import { bookPresence } from './bookings.ts';
import {
  adjustCount,
  commonLocations,
  diskSpindles,
  failoverMemMib,
  type Replica,
  type ReplicaNode,
  reservedMib,
  takesCpus,
  takesMemory,
} from './replica.ts';

const MIGRATION_PREFIX = 'htools:migration:';
const ALLOW_MIGRATION_PREFIX = 'htools:allowmigration:';
const LOCATION_PREFIX = 'htools:nlocation:';
const ALLOW_SEPARATOR = '::';

/** Tags of a node in the families that the cluster's tags with this prefix name. Source: hbal(1). */
function nodeTagsUnder(
  prefix: string,
  clusterTags: readonly string[],
  nodeTags: readonly string[],
): Set<string> {
  const families = clusterTags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length));
  return new Set(nodeTags.filter((tag) => families.some((family) => tag.startsWith(`${family}:`))));
}

/** The pair (from, to) of `htools:allowmigration:FROM::TO`; undefined unless exactly one `::` parts it. */
function allowedMigration(clusterTag: string): readonly [string, string] | undefined {
  if (!clusterTag.startsWith(ALLOW_MIGRATION_PREFIX)) return undefined;
  const rule = clusterTag.slice(ALLOW_MIGRATION_PREFIX.length);
  const at = rule.indexOf(ALLOW_SEPARATOR);
  if (at < 0) return undefined;
  const to = rule.slice(at + ALLOW_SEPARATOR.length);
  return to.includes(ALLOW_SEPARATOR) ? undefined : [rule.slice(0, at), to];
}

/** Those that a node takes in: its own, and those that the cluster lets migrate to one of them. */
function receivableMigrationTags(clusterTags: readonly string[], own: ReadonlySet<string>): Set<string> {
  const allowed = clusterTags
    .map(allowedMigration)
    .filter((pair) => pair !== undefined)
    .filter(([, to]) => own.has(to))
    .map(([from]) => from);
  return new Set([...own, ...allowed]);
}

/** What a start says about a node, without its instances. */
export type ReportedNode = Pick<ReplicaNode, 'position' | 'record' | 'hasInternalStorage'>;

function emptyNode(snapshot: Snapshot, reported: ReportedNode, isReachable: boolean): ReplicaNode {
  const { record } = reported;
  const policy = snapshot.groups[record.group]!.policy;
  const migrationTags = nodeTagsUnder(MIGRATION_PREFIX, snapshot.tags, record.tags);
  const books = {
    freeMemMib: plannableMem(record),
    freeDiskMib: record.freeDiskMib,
    vcpus: record.nodeCpus,
    freeSpindles: record.freeSpindles,
    instanceSpindles: 0,
  };
  return {
    ...reported,
    isReachable,
    reserveDiskMib: Math.floor(record.minFreeDiskRatio * record.totalDiskMib),
    vcpuRatioLimit: record.maxVcpuRatio ?? policy.vcpuRatio,
    spindleLimit: policy.spindleRatio * record.spindles,
    locations: nodeTagsUnder(LOCATION_PREFIX, snapshot.tags, record.tags),
    migrationTags,
    receivableMigrationTags: receivableMigrationTags(snapshot.tags, migrationTags),
    primaries: new Set(),
    secondaries: new Set(),
    forthcomingPrimaries: new Set(),
    forthcomingSecondaries: new Set(),
    now: { ...books },
    planned: { ...books },
    reservedMibByPeer: new Map(),
    breaksNPlusOne: false,
    takenSpindles: 0,
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
  if (takesCpus(instance)) node.now.vcpus += instance.vcpus;
  bookPresence(replica, node, position, 1);
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
  node.breaksNPlusOne = node.now.freeMemMib <= reservedMib(node);
}

/** Adds what the start says about the node's instances. */
function fill(replica: Replica, node: ReplicaNode, positions: readonly number[]): void {
  for (const position of positions) {
    const { primary, secondary } = replica.start.instances[position]!;
    if (primary === node.position) placeReportedPrimary(replica, position, node);
    if (secondary === node.position) placeReportedSecondary(replica, position, node);
  }
  settleMemory(replica, node);
  if (node.record.reportedCpuLoad !== undefined) node.load.cpu = node.record.reportedCpuLoad;
}

/** Tells a node that is built already, by what is reported of it and its residents. */
export type KnownNode = (reported: ReportedNode, residents: readonly number[]) => ReplicaNode | undefined;

/** The model of a start that several plans are replayed on, one after another. */
export class BuiltReplica {
  readonly replica: Replica;
  /** Positions of the instances that the start has on each node, ascending. */
  readonly residents: readonly (readonly number[])[];
  /** The nodes as the start has them: never changed. */
  readonly asRead: readonly ReplicaNode[];

  /** Instances without a primary are not on any node. */
  constructor(start: Snapshot, known?: KnownNode) {
    const storage = statedStorage(start);
    const isReachable = reachableNodes(start);
    const residents = start.nodes.map((): number[] => []);
    start.instances.forEach(({ primary, secondary }, position) => {
      residents[primary]?.push(position);
      if (secondary !== primary) residents[secondary]?.push(position);
    });
    this.residents = residents;
    const reported = start.nodes.map((record, position) => ({
      position,
      record,
      hasInternalStorage: storage?.lacksInternal[position] !== 1,
    }));
    const built = reported.map((node, n) => known?.(node, residents[n]!));
    const nodes = reported.map((node, n) => built[n] ?? emptyNode(start, node, isReachable[n]!));
    this.replica = {
      start,
      storage,
      nodes,
      primaryOf: start.instances.map((instance) => instance.primary),
      secondaryOf: start.instances.map((instance) => instance.secondary),
      commonLocationsOf: start.instances.map((_, position) => commonLocationsAtStart(start, nodes, position)),
    };
    nodes.forEach((node, n) => {
      if (!built[n]) fill(this.replica, node, residents[n]!);
    });
    this.asRead = [...nodes];
  }

  /** Readies nodes for a replay that changes them. */
  open(touched: Iterable<number>): void {
    const { nodes } = this.replica;
    for (const node of touched) if (this.asRead[node]) nodes[node] = copyOf(this.asRead[node]);
  }

  /** Takes back a replay. @param moved instances that it moved @param touched nodes that it changed */
  restore(moved: Iterable<number>, touched: Iterable<number>): void {
    const { replica } = this;
    const { start, nodes } = replica;
    for (const node of touched) if (this.asRead[node]) nodes[node] = this.asRead[node];
    for (const position of moved) {
      if (start.instances[position] === undefined) continue;
      replica.primaryOf[position] = start.instances[position].primary;
      replica.secondaryOf[position] = start.instances[position].secondary;
      replica.commonLocationsOf[position] = commonLocationsAtStart(start, nodes, position);
    }
  }
}

const copyOf = (node: ReplicaNode): ReplicaNode => ({
  ...node,
  primaries: new Set(node.primaries),
  secondaries: new Set(node.secondaries),
  forthcomingPrimaries: new Set(node.forthcomingPrimaries),
  forthcomingSecondaries: new Set(node.forthcomingSecondaries),
  now: { ...node.now },
  planned: { ...node.planned },
  reservedMibByPeer: new Map(node.reservedMibByPeer),
  load: { ...node.load },
  exclusionTags: new Map(node.exclusionTags),
  locationPairs: new Map(node.locationPairs),
});

function commonLocationsAtStart(start: Snapshot, nodes: readonly ReplicaNode[], position: number): number {
  const { primary, secondary } = start.instances[position]!;
  return primary < 0 || secondary < 0 ? 0 : commonLocations(nodes[primary]!, nodes[secondary]!);
}
