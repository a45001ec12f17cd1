/**
 * Which targets the rules allow for one kind of move of one instance: what depends on the instance alone is
 * looked up once, so that each target takes a few comparisons with its rooms (tables.ts).
 */
import {
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import { RESERVES_MEMORY, USES_CPU, USES_MEMORY, USES_NODE_DISK } from '../../../model/state/state.ts';
import * as H from './hoists.ts';
import type { ScanData } from './scan-data.ts';
import type { Rooms } from './tables.ts';

/** Whether the target of a kind of move becomes the secondary. */
export const toSecondary = (kind: MoveKind): boolean =>
  kind === REPLACE_SECONDARY || kind === FAILOVER_AND_REPLACE;

export class TargetRules {
  private becomesSecondary = false;
  private isForced = false;
  private rooms: Rooms;
  private primary = 0;
  private secondary = 0;
  private pool = 0;
  /** What the instance needs; -Infinity where it needs none of its own. */
  usedMem = 0;
  private mem = 0;
  private disk = 0;
  private spindles = 0;
  private vcpus = 0;
  private reservation = 0;
  /** What some nodes reserve for others: by the target as pivot's peer, or by the new primary. */
  private peers: Float64Array;
  private row = 0;
  /** Of the pivot, where the target becomes primary. */
  private pivotReserved = 0;
  private pivotRoom = 0;
  private migrationFrom = 0;
  private tagStart = 0;
  private tagEnd = 0;
  /** Reservations of nothing, for moves without a pivot. */
  private readonly noPeers: Float64Array;

  constructor(private readonly data: ScanData) {
    this.rooms = data.tables.strict;
    this.noPeers = new Float64Array(data.peers.size);
    this.peers = this.noPeers;
  }

  /** The questions that follow are about this kind of move. */
  open(i: number, kind: MoveKind): void {
    const { data } = this;
    const { hoists, tables, peers } = data;
    const at = (i * H.SLOTS + kind) * data.slotStride;
    const flags = data.flags[i]!;
    this.becomesSecondary = toSecondary(kind);
    this.isForced = hoists[at + H.IS_FORCED] === 1;
    this.rooms = this.isForced ? tables.forced : tables.strict;
    this.primary = data.primary[i]!;
    this.secondary = data.secondary[i]!;
    this.pool = data.storageRow[i]! * data.nodeCount;
    this.mem = data.mem[i]!;
    this.usedMem = flags & USES_MEMORY ? this.mem : 0;
    const isLocal = (flags & USES_NODE_DISK) !== 0;
    this.disk = isLocal ? data.disk[i]! : Number.NEGATIVE_INFINITY;
    this.spindles = isLocal ? data.spindleUse[i]! : Number.NEGATIVE_INFINITY;
    this.vcpus = flags & USES_CPU ? data.vcpus[i]! : 0;
    const isAlone = kind === FAILOVER_TO_ANY;
    this.reservation = !isAlone && flags & RESERVES_MEMORY ? this.mem : 0;
    const stays = kind === REPLACE_PRIMARY || kind === FAILOVER_AND_REPLACE ? this.secondary : this.primary;
    this.migrationFrom = stays;
    this.row = isAlone ? 0 : peers.placeOf[stays]! * peers.size;
    if (isAlone) this.peers = this.noPeers;
    else this.peers = this.becomesSecondary ? peers.byPrimary : peers.peers;
    this.pivotReserved = hoists[at + H.PIVOT_RESERVED]!;
    this.pivotRoom = hoists[at + H.PIVOT_ROOM]!;
    this.tagStart = data.exclusionStart[i]!;
    this.tagEnd = data.exclusionStart[i + 1]!;
  }

  /** Largest reservation after the move: of the target that becomes secondary, or of the pivot. */
  reservedWith(t: number): number {
    const peer = this.peers[this.row + this.data.peers.placeOf[t]!]! + this.reservation;
    return Math.max(peer, this.becomesSecondary ? this.data.tables.reserved[t]! : this.pivotReserved);
  }

  /** Whether the rules allow a target; that changes only with the target, and where the instance is. */
  allows(t: number): boolean {
    const { rooms, disk } = this;
    const { access } = this.data;
    if (t === this.primary || t === this.secondary) return false;
    if (access !== undefined && access[this.pool + t] === 0) return false;
    if (!(disk < rooms.disk[t]! && disk <= rooms.diskReserve[t]! && this.spindles <= rooms.spindles[t]!))
      return false;
    return this.becomesSecondary ? this.maySecond(t) : this.mayRun(t);
  }

  /** Whether the pivot can reserve what it needs to for an allowed target: a rule that changes with it. */
  leavesPivot(t: number): boolean {
    return this.becomesSecondary || !(this.pivotRoom <= this.reservedWith(t));
  }

  private maySecond(t: number): boolean {
    const { rooms } = this;
    return this.reservation < rooms.reservation[t]! && !(rooms.n1[t]! <= this.reservedWith(t));
  }

  private mayRun(t: number): boolean {
    const { rooms } = this;
    if (
      !(this.usedMem < rooms.mem[t]! && this.mem < rooms.memForthcoming[t]! && this.vcpus <= rooms.vcpus[t]!)
    )
      return false;
    if (!this.isForced && this.hasConflict(t)) return false;
    return this.data.migrationClassCount <= 1 || this.mayMigrate(this.migrationFrom, t);
  }

  /** Tags of the instance that a node's primaries already carry. */
  conflicts(t: number): number {
    const { exclusions, tagCounts, tagCount } = this.data;
    let conflicts = 0;
    for (let k = this.tagStart; k < this.tagEnd; k++)
      if (tagCounts[t * tagCount + exclusions[k]!]! > 0) conflicts++;
    return conflicts;
  }

  /** Whether there is any: the count takes longer. */
  private hasConflict(t: number): boolean {
    const { exclusions, tagCounts, tagCount } = this.data;
    for (let k = this.tagStart; k < this.tagEnd; k++)
      if (tagCounts[t * tagCount + exclusions[k]!]! > 0) return true;
    return false;
  }

  private mayMigrate(from: number, to: number): boolean {
    const { migrationAllowed, migrationClassOf, migrationClassCount } = this.data;
    return migrationAllowed[migrationClassOf[from]! * migrationClassCount + migrationClassOf[to]!] === 1;
  }
}
