/** Builds the checker's model from a plan's start. */

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
type ReportedNode = Pick<ReplicaNode, 'position' | 'record' | 'hasInternalStorage' | 'isReachable'>;

function emptyNode(snapshot: Snapshot, reported: ReportedNode): ReplicaNode {
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

/**
 * Free memory is the smaller of what the node reports and what the sizes of its instances leave; a load that
 * is measured counts for those that are guessed.
 */
function settle(replica: Replica, node: ReplicaNode): void {
  let instancesMib = 0;
  for (const position of node.primaries) {
    const instance = replica.start.instances[position]!;
    if (takesMemory(instance)) instancesMib += instance.memMib;
  }
  const { totalMemMib, nodeMemMib, headRoomMib = 0, reportedCpuLoad } = node.record;
  const recorded = Math.trunc(totalMemMib) - nodeMemMib - headRoomMib - instancesMib;
  node.now.freeMemMib = Math.min(recorded, plannableMem(node.record));
  node.breaksNPlusOne = node.now.freeMemMib <= reservedMib(node);
  if (reportedCpuLoad !== undefined) node.load.cpu = reportedCpuLoad;
}

/** The model of a start. Instances without a primary are not on any node. */
export function buildReplica(start: Snapshot): Replica {
  const storage = statedStorage(start);
  const isReachable = reachableNodes(start);
  const nodes = start.nodes.map((record, position) => {
    const hasInternalStorage = storage?.lacksInternal[position] !== 1;
    return emptyNode(start, { position, record, hasInternalStorage, isReachable: isReachable[position]! });
  });
  const replica: Replica = {
    start,
    storage,
    nodes,
    primaryOf: start.instances.map(({ primary }) => primary),
    secondaryOf: start.instances.map(({ secondary }) => secondary),
    commonLocationsOf: start.instances.map(({ primary, secondary }) =>
      primary < 0 || secondary < 0 ? 0 : commonLocations(nodes[primary]!, nodes[secondary]!),
    ),
  };
  start.instances.forEach(({ primary, secondary }, position) => {
    if (nodes[primary]) placeReportedPrimary(replica, position, nodes[primary]);
    if (nodes[secondary]) placeReportedSecondary(replica, position, nodes[secondary]);
  });
  for (const node of nodes) settle(replica, node);
  return replica;
}
