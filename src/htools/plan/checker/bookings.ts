/** How an instance comes to a node or leaves it, in the checker's model; node-rules.ts judges first. */
import type { Instance } from '../../cluster/snapshot.ts';
import { usesNodeDisk } from '../../cluster/templates.ts';
import {
  adjustCount,
  type Books,
  diskSpindles,
  failoverMemMib,
  locationPairKeys,
  type Replica,
  type ReplicaNode,
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

/** A node's real books, or those with forthcoming instances. */
type Which = 'now' | 'planned';

/** Books of a node after an instance came or left as primary. */
export function afterPrimary(
  node: ReplicaNode,
  which: Which,
  instance: Instance,
  direction: Direction,
): Books {
  const after = afterSecondary(node, which, instance, direction);
  if (which === 'planned' || takesMemory(instance)) after.freeMemMib -= direction * instance.memMib;
  if (takesCpus(instance)) after.vcpus += direction * instance.vcpus;
  return after;
}

/** The same as secondary. */
export function afterSecondary(
  node: ReplicaNode,
  which: Which,
  instance: Instance,
  direction: Direction,
): Books {
  const onDisk = usesNodeDisk(instance.diskTemplate) ? direction : 0;
  const exclusive = node.record.hasExclusiveStorage;
  const books = node[which];
  return {
    ...books,
    freeDiskMib: books.freeDiskMib - onDisk * instance.diskMib,
    freeSpindles: exclusive ? spindlesAfter(books, instance, direction) : 0,
    instanceSpindles: exclusive ? 0 : books.instanceSpindles + onDisk * instance.spindleUse,
  };
}

function setMembership(set: Set<number>, position: number, direction: Direction): void {
  if (direction === 1) set.add(position);
  else set.delete(position);
}

/** In the books every instance takes spindles, as in stock; in truth those do whose disks are on the node. */
function takeSpindles(node: ReplicaNode, instance: Instance, direction: Direction): void {
  if (usesNodeDisk(instance.diskTemplate)) node.takenSpindles += direction * (diskSpindles(instance) ?? 0);
}

const settleNPlusOne = (node: ReplicaNode): void => {
  node.breaksNPlusOne = node.now.freeMemMib <= reservedMib(node);
};

/** What a real primary puts on a node beside the amounts in its books. */
export function bookPresence(
  replica: Replica,
  node: ReplicaNode,
  position: number,
  direction: Direction,
): void {
  const instance = replica.start.instances[position]!;
  const { cpu, mem, disk, net } = instance.utilisation;
  setMembership(node.primaries, position, direction);
  node.load.cpu += direction * cpu;
  node.load.mem += direction * mem;
  node.load.disk += direction * disk;
  node.load.net += direction * net;
  for (const key of locationPairKeys(node, instance)) adjustCount(node.locationPairs, key, direction);
  const penalty = replica.commonLocationsOf[position]! + unmetLocations(node, instance);
  node.locationPenalty += direction * penalty;
}

/** The instance at `position` comes to the node as primary, or leaves it. */
export function bookPrimary(
  replica: Replica,
  node: ReplicaNode,
  position: number,
  direction: Direction,
): void {
  const instance = replica.start.instances[position]!;
  const planned = afterPrimary(node, 'planned', instance, direction);
  for (const tag of instance.exclusionTags) adjustCount(node.exclusionTags, tag, direction);
  if (instance.isForthcoming) setMembership(node.forthcomingPrimaries, position, direction);
  else {
    Object.assign(node.now, afterPrimary(node, 'now', instance, direction));
    settleNPlusOne(node);
    takeSpindles(node, instance, direction);
    bookPresence(replica, node, position, direction);
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
  const planned = afterSecondary(node, 'planned', instance, direction);
  if (instance.isForthcoming) setMembership(node.forthcomingSecondaries, position, direction);
  else {
    setMembership(node.secondaries, position, direction);
    Object.assign(node.now, afterSecondary(node, 'now', instance, direction));
    adjustCount(node.reservedMibByPeer, primary, direction * failoverMemMib(instance));
    settleNPlusOne(node);
    takeSpindles(node, instance, direction);
    node.load.disk += direction * instance.utilisation.disk;
  }
  Object.assign(node.planned, planned);
}
