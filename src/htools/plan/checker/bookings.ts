/**
 * The four ways in which an instance comes to a node or leaves it, as changes of the checker's model.
 * They never refuse; node-rules.ts judges before they are used.
 */
import type { Instance } from '../../cluster/snapshot.ts';
import { usesNodeDisk } from '../../cluster/templates.ts';
import type { Books, Replica, ReplicaNode } from './replica.ts';
import {
  adjustCount,
  diskSpindles,
  failoverMemMib,
  locationPairKeys,
  reservedMib,
  takesCpus,
  takesMemory,
  unmetLocations,
} from './replica.ts';

/** 1 = the instance comes, -1 = it leaves. */
type Direction = 1 | -1;

function spindlesAfter(books: Books, instance: Instance, direction: Direction): number {
  const spindles = diskSpindles(instance);
  if (spindles !== undefined) return books.freeSpindles - direction * spindles;
  // Unknown needs cannot be met; and when such an instance leaves, nobody knows what it gives back.
  return direction === 1 ? -1 : books.freeSpindles;
}

function storageAfter(node: ReplicaNode, books: Books, instance: Instance, direction: Direction): Books {
  const onDisk = usesNodeDisk(instance.diskTemplate) ? direction : 0;
  const exclusive = node.record.hasExclusiveStorage;
  return {
    ...books,
    freeDiskMib: books.freeDiskMib - onDisk * instance.diskMib,
    freeSpindles: exclusive ? spindlesAfter(books, instance, direction) : 0,
    instanceSpindles: exclusive ? 0 : books.instanceSpindles + onDisk * instance.spindleUse,
  };
}

/** The real books of a node after an instance came or left as primary. */
export function nowAfterPrimary(node: ReplicaNode, instance: Instance, direction: Direction): Books {
  const after = storageAfter(node, node.now, instance, direction);
  if (takesMemory(instance)) after.freeMemMib -= direction * instance.memMib;
  if (takesCpus(instance)) after.vcpus += direction * instance.vcpus;
  return after;
}

/** The books with forthcoming instances after an instance came or left as primary. */
export function plannedAfterPrimary(node: ReplicaNode, instance: Instance, direction: Direction): Books {
  const after = storageAfter(node, node.planned, instance, direction);
  after.freeMemMib -= direction * instance.memMib;
  if (takesCpus(instance)) after.vcpus += direction * instance.vcpus;
  return after;
}

/** The real books of a node after an instance came or left as secondary. */
export const nowAfterSecondary = (node: ReplicaNode, instance: Instance, direction: Direction): Books =>
  storageAfter(node, node.now, instance, direction);

/** The books with forthcoming instances after an instance came or left as secondary. */
export const plannedAfterSecondary = (node: ReplicaNode, instance: Instance, direction: Direction): Books =>
  storageAfter(node, node.planned, instance, direction);

function setMembership(set: Set<number>, position: number, direction: Direction): void {
  if (direction === 1) set.add(position);
  else set.delete(position);
}

const settleNPlusOne = (node: ReplicaNode): void => {
  node.breaksNPlusOne = node.now.freeMemMib <= reservedMib(node);
};

/** The instance at `position` comes to the node as primary, or leaves it. */
export function bookPrimary(
  replica: Replica,
  node: ReplicaNode,
  position: number,
  direction: Direction,
): void {
  const instance = replica.start.instances[position]!;
  const planned = plannedAfterPrimary(node, instance, direction);
  for (const tag of instance.exclusionTags) adjustCount(node.exclusionTags, tag, direction);
  if (instance.isForthcoming) {
    setMembership(node.forthcomingPrimaries, position, direction);
  } else {
    setMembership(node.primaries, position, direction);
    Object.assign(node.now, nowAfterPrimary(node, instance, direction));
    settleNPlusOne(node);
    node.load.cpu += direction * instance.utilisation.cpu;
    node.load.mem += direction * instance.utilisation.mem;
    node.load.disk += direction * instance.utilisation.disk;
    node.load.net += direction * instance.utilisation.net;
    for (const key of locationPairKeys(node, instance)) adjustCount(node.locationPairs, key, direction);
    const penalty = replica.commonLocationsOf[position]! + unmetLocations(node, instance);
    node.locationPenalty += direction * penalty;
  }
  Object.assign(node.planned, planned);
}

/** The instance at `position` comes to the node as secondary, or leaves it; `primary` is its primary then. */
export function bookSecondary(
  replica: Replica,
  node: ReplicaNode,
  position: number,
  primary: number,
  direction: Direction,
): void {
  const instance = replica.start.instances[position]!;
  const planned = plannedAfterSecondary(node, instance, direction);
  if (instance.isForthcoming) {
    setMembership(node.forthcomingSecondaries, position, direction);
  } else {
    setMembership(node.secondaries, position, direction);
    Object.assign(node.now, nowAfterSecondary(node, instance, direction));
    adjustCount(node.reservedMibByPeer, primary, direction * failoverMemMib(instance));
    settleNPlusOne(node);
    node.load.disk += direction * instance.utilisation.disk;
  }
  Object.assign(node.planned, planned);
}
