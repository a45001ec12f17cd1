/**
 * All rules about an amount at once, as balancing and the deep search ask them: what an instance needs is
 * held against a node's rooms, the most that passes each rule. admission.ts is the same in stock's order, for
 * the code of the first that refuses; property tests hold one against the other.
 *
 * Written out, one comparison a rule, with the figures of a node and of an instance side by side: a table of
 * rules that was gone through in a loop made the deep search a tenth slower.
 *
 * Amounts are whole numbers, so that "less than" is "at most one less". N+1, which looks at pairs, is not
 * among them.
 */
import { float64 } from '../../../kit/shared-arrays.ts';
import * as F from '../state/node-fields.ts';
import { type ClusterState, USES_NODE_DISK } from '../state/state.ts';
import { memNeedOf } from './memory.ts';
import { reservationOf } from './n-plus-one.ts';
import { mostVcpus, vcpusOf } from './vcpu-ratio.ts';

// Rooms of a node: without what is reserved for instances to come...
const MEM = 0;
const HARD_DISK = 1;
/** Under exclusive storage, as `SPINDLES`; else there is no limit. */
const HARD_SPINDLES = 2;
// ...and with it.
const PLANNED_MEM = 3;
const VCPUS = 4;
const DISK = 5;
const SPINDLES = 6;
/** By the policy, where storage is not exclusive. */
const SPINDLE_USE = 7;
const ROOMS = 8;

/** Fits everywhere: an amount of disks that are not on the nodes. */
const NOT_THERE = Number.NEGATIVE_INFINITY;

// Amounts of an instance.
/** Memory; none of one that is down. */
const RUNNING_MEM = 0;
/** Memory, also of one that is down. */
const ANY_MEM = 1;
const RESERVATION = 2;
const CPUS = 3;
const DISKS = 4;
/** Infinity where they are not known: such an instance fits on no exclusive storage. */
const DISK_SPINDLES = 5;
const SPINDLES_USED = 6;
/** Taken whatever the template; not known is nothing. */
const SPINDLES_TAKEN = 7;
const AMOUNTS = 8;

/** Rooms of all nodes, to be shared by threads, which let nothing in until they are refreshed. */
export const noRooms = (nodeCount: number): Float64Array => float64(nodeCount * ROOMS).fill(Number.NaN);

/** What all instances need and take, to be shared by threads. */
export function amountsOf(state: ClusterState): Float64Array {
  const amounts = float64(state.instanceCount * AMOUNTS);
  for (let i = 0, at = 0; i < state.instanceCount; i++, at += AMOUNTS) {
    const spindles = state.diskSpindles[i]!;
    amounts[at + RUNNING_MEM] = memNeedOf(state, i);
    amounts[at + ANY_MEM] = state.mem[i]!;
    amounts[at + RESERVATION] = reservationOf(state, i);
    amounts[at + CPUS] = vcpusOf(state, i);
    amounts[at + DISKS] = NOT_THERE;
    amounts[at + DISK_SPINDLES] = NOT_THERE;
    amounts[at + SPINDLES_USED] = NOT_THERE;
    amounts[at + SPINDLES_TAKEN] = spindles || 0;
    if (!(state.flags[i]! & USES_NODE_DISK)) continue;
    amounts[at + DISKS] = state.disk[i]!;
    amounts[at + DISK_SPINDLES] = Number.isNaN(spindles) ? Number.POSITIVE_INFINITY : spindles;
    amounts[at + SPINDLES_USED] = state.spindleUse[i]!;
  }
  return amounts;
}

export class Rooms {
  /** @param values as `noRooms` @param amounts as `amountsOf` */
  constructor(
    readonly values: Float64Array,
    private readonly amounts: Float64Array,
  ) {}

  refresh(state: ClusterState, node: number): void {
    const { values: rooms } = this;
    const { nodeFields: f } = state;
    const at = node * F.NODE_STRIDE;
    const to = node * ROOMS;
    const disk = Math.min(f[at + F.FREE_DISK]!, f[at + F.FREE_DISK_FORTHCOMING]!);
    const vcpus = Math.max(f[at + F.USED_CPU]!, f[at + F.USED_CPU_FORTHCOMING]!);
    const used = Math.max(f[at + F.INSTANCE_SPINDLES]!, f[at + F.INSTANCE_SPINDLES_FORTHCOMING]!);
    const spindles = f[at + F.FREE_SPINDLES]!;
    const isExclusive = state.isExclusive[node] === 1;
    rooms[to + MEM] = Math.ceil(f[at + F.FREE_MEM]!) - 1;
    rooms[to + HARD_DISK] = Math.ceil(f[at + F.FREE_DISK]!) - 1;
    rooms[to + HARD_SPINDLES] = isExclusive ? spindles : Number.POSITIVE_INFINITY;
    rooms[to + PLANNED_MEM] = Math.ceil(f[at + F.FREE_MEM_FORTHCOMING]!) - 1;
    rooms[to + VCPUS] = mostVcpus(state, node) - vcpus;
    rooms[to + DISK] = Math.min(Math.ceil(disk) - 1, Math.floor(disk) - Math.ceil(state.lowDisk[node]!));
    rooms[to + SPINDLES] = isExclusive
      ? Math.min(spindles, f[at + F.FREE_SPINDLES_FORTHCOMING]!)
      : Number.POSITIVE_INFINITY;
    rooms[to + SPINDLE_USE] = isExclusive
      ? Number.POSITIVE_INFINITY
      : Math.floor(state.highSpindles[node]!) - used;
  }

  /**
   * Whether an instance may become primary.
   * @param hasDisks as secondary
   * @param isForced no soft rule holds
   */
  admitsPrimary(i: number, node: number, hasDisks: boolean, isForced: boolean): boolean {
    const { values: rooms, amounts } = this;
    const room = node * ROOMS;
    const at = i * AMOUNTS;
    return (
      amounts[at + RUNNING_MEM]! <= rooms[room + MEM]! &&
      (isForced ||
        (amounts[at + ANY_MEM]! <= rooms[room + PLANNED_MEM]! &&
          amounts[at + CPUS]! <= rooms[room + VCPUS]!)) &&
      (hasDisks ? this.keepsDisks(room, isForced) : this.admitsDisks(at, room, isForced))
    );
  }

  /** Whether the primary may stay it: by the hard rules alone. */
  keepsPrimary(node: number): boolean {
    const room = node * ROOMS;
    return this.values[room + MEM]! >= 0 && this.keepsDisks(room, true);
  }

  /** Whether exclusive storage has spindles for the disks that it has. */
  keepsSpindles(node: number): boolean {
    return this.values[node * ROOMS + HARD_SPINDLES]! >= 0;
  }

  /**
   * Whether an instance may become secondary, or stay it.
   * @param isPrimary it stops being primary there
   * @param hasDisks in either role
   * @param isForced no soft rule holds
   */
  admitsSecondary(
    i: number,
    node: number,
    isPrimary: boolean,
    hasDisks: boolean,
    isForced: boolean,
  ): boolean {
    if (!isForced && !this.canReserve(i, node, isPrimary)) return false;
    const room = node * ROOMS;
    const at = i * AMOUNTS;
    return hasDisks ? this.keepsDisks(room, isForced) : this.admitsDisks(at, room, isForced);
  }

  /** Whether a node has the memory to take over, what it keeps for other instances left out. */
  canReserve(i: number, node: number, isPrimary: boolean): boolean {
    const { values: rooms, amounts } = this;
    const room = node * ROOMS;
    const at = i * AMOUNTS;
    const running = isPrimary ? amounts[at + RUNNING_MEM]! : 0;
    const planned = isPrimary ? amounts[at + ANY_MEM]! : 0;
    const needed = amounts[at + RESERVATION]!;
    return needed - running <= rooms[room + MEM]! && needed - planned <= rooms[room + PLANNED_MEM]!;
  }

  private admitsDisks(at: number, room: number, isForced: boolean): boolean {
    const { values: rooms, amounts } = this;
    const disks = amounts[at + DISKS]!;
    const spindles = amounts[at + DISK_SPINDLES]!;
    return isForced
      ? disks <= rooms[room + HARD_DISK]! && spindles <= rooms[room + HARD_SPINDLES]!
      : disks <= rooms[room + DISK]! &&
          spindles <= rooms[room + SPINDLES]! &&
          amounts[at + SPINDLES_USED]! <= rooms[room + SPINDLE_USE]!;
  }

  /** The same where the node has them already. */
  private keepsDisks(room: number, isForced: boolean): boolean {
    const { values: rooms } = this;
    return isForced
      ? rooms[room + HARD_DISK]! >= 0 && rooms[room + HARD_SPINDLES]! >= 0
      : rooms[room + DISK]! >= 0 && rooms[room + SPINDLES]! >= 0 && rooms[room + SPINDLE_USE]! >= 0;
  }

  /** An instance comes to a node (1) or leaves it (-1). @param asPrimary the same of the role of primary */
  change(i: number, node: number, direction: number, asPrimary: number): void {
    const { values: rooms, amounts } = this;
    const room = node * ROOMS;
    const at = i * AMOUNTS;
    rooms[room + MEM]! -= asPrimary * amounts[at + RUNNING_MEM]!;
    rooms[room + PLANNED_MEM]! -= asPrimary * amounts[at + ANY_MEM]!;
    rooms[room + VCPUS]! -= asPrimary * amounts[at + CPUS]!;
    rooms[room + HARD_SPINDLES]! -= direction * amounts[at + SPINDLES_TAKEN]!;
    rooms[room + SPINDLES]! -= direction * amounts[at + SPINDLES_TAKEN]!;
    if (amounts[at + DISKS] === NOT_THERE) return;
    rooms[room + HARD_DISK]! -= direction * amounts[at + DISKS]!;
    rooms[room + DISK]! -= direction * amounts[at + DISKS]!;
    rooms[room + SPINDLE_USE]! -= direction * amounts[at + SPINDLES_USED]!;
  }
}

export function roomsOf(state: ClusterState, amounts: Float64Array): Float64Array {
  const rooms = new Rooms(noRooms(state.nodeCount), amounts);
  for (let n = 0; n < state.nodeCount; n++) rooms.refresh(state, n);
  return rooms.values;
}
