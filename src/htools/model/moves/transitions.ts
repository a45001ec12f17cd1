/**
 * The four node transitions that every move is made of: an instance comes to or leaves a node, as primary or
 * secondary.
 *
 * They change the figures exactly as the stock programs do, rounding included, and record how to undo it.
 * They do not ask whether the instance may come: see rules/admission.ts.
 * Source: stock addPriEx, addSecExEx, removePri, removeSec.
 */
import { type DiskBooks, REAL, WITH_FORTHCOMING } from '../rules/admission.ts';
import { memNeedOf } from '../rules/memory.ts';
import { failsWith, reservationOf } from '../rules/n-plus-one.ts';
import { freeSpindlesAfter, usedSpindlesAfter } from '../rules/spindles.ts';
import { vcpusOf } from '../rules/vcpu-ratio.ts';
import * as F from '../state/node-fields.ts';
import { type ClusterState, IS_FORTHCOMING, USES_NODE_DISK, UTILISATION_STRIDE } from '../state/state.ts';

function pushTo(state: ClusterState, list: number[], i: number): void {
  list.push(i);
  state.journal.listGrew(list);
}

function takeFrom(state: ClusterState, list: number[], i: number): void {
  const at = list.lastIndexOf(i);
  list.splice(at, 1);
  state.journal.listShrank(list, at, i);
}

/** Files the node's latest instance under another's number, in its list alone; it can be undone. */
export function refileLatest(state: ClusterState, node: number, as: number): void {
  const list = state.primaries[node]!;
  list[list.length - 1] = as;
}

function setPeer(state: ClusterState, node: number, primary: number, reserved: number): void {
  state.journal.savePeer(node, primary);
  state.peers.set(node, primary, reserved);
}

/** Disk and spindles in one set of books, for an instance that comes (+1) or leaves (-1). */
function changeDisk(books: DiskBooks, state: ClusterState, i: number, node: number, change: 1 | -1): void {
  const { nodeFields: f } = state;
  const { freeDisk, freeSpindles, usedSpindles } = books;
  const at = node * F.NODE_STRIDE;
  if (state.flags[i]! & USES_NODE_DISK) f[at + freeDisk]! -= change * state.disk[i]!;
  f[at + freeSpindles] = freeSpindlesAfter(state, i, node, freeSpindles, change);
  f[at + usedSpindles] = usedSpindlesAfter(state, i, node, usedSpindles, change);
}

function judgeNPlusOne({ nodeFields: f }: ClusterState, node: number): void {
  const at = node * F.NODE_STRIDE;
  f[at + F.FAILS_N1] = failsWith(f[at + F.FREE_MEM]!, f[at + F.RESERVED_MEM]!) ? 1 : 0;
}

function changePrimary(
  state: ClusterState,
  i: number,
  node: number,
  locationScore: number,
  change: 1 | -1,
): void {
  const { nodeFields: f, flags, tags } = state;
  const at = node * F.NODE_STRIDE;
  state.journal.saveNode(node);

  f[at + F.TAG_CONFLICTS]! += tags.countPrimary(i, node, change);
  state.journal.tagsChanged(i, node, change);
  const vcpus = vcpusOf(state, i);
  changeDisk(WITH_FORTHCOMING, state, i, node, change);
  f[at + F.FREE_MEM_FORTHCOMING]! -= change * state.mem[i]!;
  f[at + F.USED_CPU_FORTHCOMING]! += change * vcpus;
  if (flags[i]! & IS_FORTHCOMING) {
    (change === 1 ? pushTo : takeFrom)(state, state.forthcomingPrimaries[node]!, i);
    return;
  }

  (change === 1 ? pushTo : takeFrom)(state, state.primaries[node]!, i);
  const mem = memNeedOf(state, i);
  const u = i * UTILISATION_STRIDE;
  changeDisk(REAL, state, i, node, change);
  f[at + F.PRIMARY_COUNT]! += change;
  f[at + F.INSTANCE_MEM]! += change * mem;
  f[at + F.FREE_MEM]! -= change * mem;
  judgeNPlusOne(state, node);
  f[at + F.USED_CPU]! += change * vcpus;
  f[at + F.LOAD_CPU]! += change * state.utilisation[u]!;
  f[at + F.LOAD_MEM]! += change * state.utilisation[u + 1]!;
  f[at + F.LOAD_DISK]! += change * state.utilisation[u + 2]!;
  f[at + F.LOAD_NET]! += change * state.utilisation[u + 3]!;
  f[at + F.LOCATION_SCORE]! += change * (locationScore + tags.unmetLocations(i, node));
  tags.countInLocations(i, node, change);
  state.journal.locationsChanged(i, node, change);
}

/** Comes to the node as primary. @param locationScore common-failure tags that its two nodes will share */
export function addPrimary(state: ClusterState, i: number, node: number, locationScore: number): void {
  changePrimary(state, i, node, locationScore, 1);
}

export function removePrimary(state: ClusterState, i: number, node: number, locationScore: number): void {
  changePrimary(state, i, node, locationScore, -1);
}

/** All but the reservation; whether there is one to be changed. */
function changeSecondary(state: ClusterState, i: number, node: number, change: 1 | -1): boolean {
  const { nodeFields: f } = state;
  const at = node * F.NODE_STRIDE;
  const isReal = (state.flags[i]! & IS_FORTHCOMING) === 0;
  state.journal.saveNode(node);
  changeDisk(WITH_FORTHCOMING, state, i, node, change);
  const list = (isReal ? state.secondaries : state.forthcomingSecondaries)[node]!;
  (change === 1 ? pushTo : takeFrom)(state, list, i);
  if (!isReal) return false;
  changeDisk(REAL, state, i, node, change);
  f[at + F.SECONDARY_COUNT]! += change;
  f[at + F.LOAD_DISK]! += change * state.utilisation[i * UTILISATION_STRIDE + 2]!;
  return true;
}

/** Comes to the node as secondary. @param primary node for whose failure memory is reserved */
export function addSecondary(state: ClusterState, i: number, node: number, primary: number): void {
  if (!changeSecondary(state, i, node, 1)) return;
  const { nodeFields: f } = state;
  const at = node * F.NODE_STRIDE;
  const peer = state.peers.get(node, primary) + reservationOf(state, i);
  setPeer(state, node, primary, peer);
  f[at + F.RESERVED_MEM] = Math.max(f[at + F.RESERVED_MEM]!, peer);
  judgeNPlusOne(state, node);
}

/** The instance leaves its secondary; `primary` is the node for which memory was reserved. */
export function removeSecondary(state: ClusterState, i: number, node: number, primary: number): void {
  if (!changeSecondary(state, i, node, -1)) return;
  const { nodeFields: f } = state;
  const at = node * F.NODE_STRIDE;
  const before = state.peers.get(node, primary);
  const after = Math.max(0, before - reservationOf(state, i));
  setPeer(state, node, primary, after);
  // A peer without reservations disappears from the `peermap` column. The undo of setPeer restores it.
  if (after === 0) state.peers.forgetStamp(node, primary);
  if (before >= f[at + F.RESERVED_MEM]!) f[at + F.RESERVED_MEM] = state.largestPeer(node);
  judgeNPlusOne(state, node);
}
