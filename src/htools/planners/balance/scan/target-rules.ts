/**
 * Which targets the rules allow for one kind of move of one instance: what depends on the instance alone is
 * looked up once, so that each target takes a few comparisons.
 */
import {
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  placementAfter,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import { Rooms } from '../../../model/rules/rooms.ts';
import { refusalBySets } from '../../../model/rules/sets.ts';
import { IS_FORTHCOMING, RESERVES_MEMORY, USES_MEMORY } from '../../../model/state/state.ts';
import * as H from './hoists.ts';
import type { ScanData } from './scan-data.ts';

export const toSecondary = (kind: MoveKind): boolean =>
  kind === REPLACE_SECONDARY || kind === FAILOVER_AND_REPLACE;

export class TargetRules {
  private becomesSecondary = false;
  private isForced = false;
  private asksTags = true;
  private readonly rooms: Rooms;
  private instance = 0;
  private primary = 0;
  private secondary = 0;
  private pool = 0;
  /** What the instance needs to run. */
  usedMem = 0;
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
    this.rooms = new Rooms(data.tables.rooms, data.tables.amounts);
    this.noPeers = new Float64Array(data.peers.size);
    this.peers = this.noPeers;
  }

  /** The questions that follow are about this kind of move. */
  open(i: number, kind: MoveKind): void {
    const { data } = this;
    const { hoists, peers } = data;
    const at = (i * H.SLOTS + kind) * data.slotStride;
    const flags = data.flags[i]!;
    this.becomesSecondary = toSecondary(kind);
    this.isForced = hoists[at + H.IS_FORCED] === 1;
    this.asksTags = !this.isForced && (flags & IS_FORTHCOMING) === 0;
    this.instance = i;
    this.primary = data.primary[i]!;
    this.secondary = data.secondary[i]!;
    this.pool = data.storageRow[i]! * data.nodeCount;
    this.usedMem = flags & USES_MEMORY ? data.mem[i]! : 0;
    const isAlone = kind === FAILOVER_TO_ANY;
    this.reservation = !isAlone && flags & RESERVES_MEMORY ? data.mem[i]! : 0;
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
    const { access } = this.data;
    if (t === this.primary || t === this.secondary) return false;
    if (access !== undefined && access[this.pool + t] === 0) return false;
    return this.becomesSecondary ? this.maySecond(t) : this.mayRun(t);
  }

  /** Whether the pivot can reserve what it needs to for an allowed target: a rule that changes with it. */
  leavesPivot(t: number): boolean {
    return this.becomesSecondary || !(this.pivotRoom <= this.reservedWith(t));
  }

  /**
   * Whether sets let the instance come to its new primary, and to one on its way there. That changes with
   * where others are, so it is asked only of what may be the best.
   */
  keepsSets(i: number, kind: MoveKind, target: number): boolean {
    const { data } = this;
    const sets = data.sets[i];
    if (!sets || kind === REPLACE_SECONDARY) return true;
    if (data.hoists[(i * H.SLOTS + kind) * data.slotStride + H.IS_FORCED] === 1) return true;
    const secondary = data.secondary[i]!;
    const [primary] = placementAfter(kind, data.primary[i]!, secondary, target);
    const isKept = (node: number): boolean => refusalBySets(sets, data, i, node) === undefined;
    return isKept(primary) && (kind !== REPLACE_PRIMARY || isKept(secondary));
  }

  private maySecond(t: number): boolean {
    const { isForced } = this;
    if (!this.rooms.admitsSecondary(this.instance, t, false, false, isForced)) return false;
    return isForced || this.reservedWith(t) < this.data.tables.n1Room[t]!;
  }

  private mayRun(t: number): boolean {
    const { tables } = this.data;
    if (!this.rooms.admitsPrimary(this.instance, t, false, this.isForced)) return false;
    if (!this.isForced && this.usedMem + tables.reserved[t]! >= tables.n1Room[t]!) return false;
    if (this.asksTags && this.hasConflict(t)) return false;
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
