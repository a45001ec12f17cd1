/**
 * What of a candidate does not depend on its target, worked out once per instance and kind of move.
 *
 * For each kind: may it happen at all, the change of each column's sums by the nodes that the instance leaves
 * (or stays on in another role), the change of the plain share, and what the scan needs about the node whose
 * reservation depends on the target. The figures stay right until a move touches the instance's own nodes.
 *
 * The arithmetic of the transitions is written out here, since playing them on the state took half the time
 * of a small run; property tests hold every slot against moves that are really applied.
 */
import { float64 } from '../../../../kit/shared-arrays.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import { memNeedOf } from '../../../model/rules/memory.ts';
import { failsWith } from '../../../model/rules/n-plus-one.ts';
import { N1_CNT, OFFLINE_ALL_CNT, OFFLINE_PRI_CNT, PRI_TAGS_SCORE } from '../../../model/score/metrics.ts';
import * as F from '../../../model/state/node-fields.ts';
import {
  type ClusterState,
  IS_FORTHCOMING,
  MIRROR_EXTERNAL,
  MIRROR_INTERNAL,
  RESERVES_MEMORY,
} from '../../../model/state/state.ts';
import type { BalanceOptions } from '../options.ts';
import { kindsWithTarget, mayFailOver } from '../possible-moves.ts';
import type { NodeTables } from './tables.ts';

/** Slots of an instance, one a kind of move: the numbers of moves/kinds.ts. */
export const SLOTS = 6;

/** Places within a slot, ahead of the column changes. */
export const IS_POSSIBLE = 0;
/** Change of the plain share of the score (N+1 count, tags, offline counts), without target and pivot. */
export const PLAIN_CHANGE = 1;
/** 1 when soft rules do not hold at the target. */
export const IS_FORCED = 2;
/**
 * The pivot: the node that becomes (or stays) secondary to the target, so that its reservation depends on the
 * target. Its largest reservation and free memory without the instance, the free memory for the rule
 * (Infinity: no rule), what it adds to the N+1 count when it fails, its scale (0: not scored) and its centred
 * reserved memory.
 */
export const PIVOT_RESERVED = 3;
export const PIVOT_FREE = 4;
export const PIVOT_ROOM = 5;
export const PIVOT_COUNT = 6;
export const PIVOT_PER_MEM = 7;
export const PIVOT_X = 8;
/** Column changes start here: sum and sum of squares, column after column, the reserved memory's last. */
export const CHANGES = 9;

export const slotStride = (columnCount: number): number => CHANGES + 2 * (columnCount + 1);

/** A node without the instance: free memory, largest reservation, N+1 failure, instances, N+1 share. */
interface Left {
  node: number;
  free: number;
  reserved: number;
  fails: boolean;
  count: number;
  n1: number;
}

const nowhere = (): Left => ({ node: -1, free: 0, reserved: 0, fails: false, count: 0, n1: 0 });

export class Hoists {
  readonly data: Float64Array;
  readonly stride: number;
  private readonly state: ClusterState;
  /** Of the instance at hand; a forthcoming one is held against what is planned alone. */
  private isForthcoming = false;
  private n1Weight = 0;
  private reservation = 0;
  private readonly tagWeight: number;
  private readonly offlineWeight: number;
  private readonly offlinePrimaryWeight: number;
  private readonly p = nowhere();
  private readonly s = nowhere();
  /** Primaries on the old primary that stop conflicting. */
  private resolved = 0;

  /** @param isLifted asks no rule, only what the kinds of move need: to know what a rule costs */
  constructor(
    readonly tables: NodeTables,
    readonly options: BalanceOptions,
    private readonly isLifted = false,
  ) {
    this.state = tables.state;
    const { weights } = this.state;
    this.tagWeight = weights[PRI_TAGS_SCORE]!;
    this.offlineWeight = weights[OFFLINE_ALL_CNT]!;
    this.offlinePrimaryWeight = weights[OFFLINE_PRI_CNT]!;
    this.stride = slotStride(tables.columnCount);
    this.data = float64(this.state.instanceCount * SLOTS * this.stride);
  }

  /** Start of a slot in `data`. */
  slot(i: number, kind: number): number {
    return (i * SLOTS + kind) * this.stride;
  }

  /** Works out all kinds of move of an instance anew. */
  refresh(i: number): void {
    // A loop: `fill` on shared memory took longer than all the rest for small clusters.
    const { data } = this;
    for (let k = this.slot(i, 0), end = this.slot(i + 1, 0); k < end; k++) data[k] = 0;
    const mirroring = this.state.mirroring[i]!;
    if (mirroring !== MIRROR_EXTERNAL && mirroring !== MIRROR_INTERNAL) return;
    const flags = this.tables.flags[i]!;
    this.isForthcoming = (flags & IS_FORTHCOMING) !== 0;
    this.n1Weight = this.isForthcoming ? 0 : this.state.weights[N1_CNT]!;
    this.reservation = flags & RESERVES_MEMORY ? this.state.mem[i]! : 0;
    this.leavePrimary(i);
    if (mirroring === MIRROR_EXTERNAL) this.hoistFailoverToAny(i);
    else this.hoistMirrored(i);
  }

  private leavePrimary(i: number): void {
    const { state, tables, p } = this;
    const n = state.primary[i]!;
    const at = n * F.NODE_STRIDE;
    const f = state.nodeFields;
    p.node = n;
    p.free = f[at + F.FREE_MEM]! + memNeedOf(state, i);
    p.reserved = f[at + F.RESERVED_MEM]!;
    p.fails = failsWith(p.free, p.reserved);
    p.count = f[at + F.PRIMARY_COUNT]! + f[at + F.SECONDARY_COUNT]! - 1;
    p.n1 = tables.arrays.n1[n]!;
    this.resolved = 0;
    const { counts, tagCount } = state.tags;
    for (const tag of state.tags.exclusionsOf[i]!) if (counts[n * tagCount + tag]! > 1) this.resolved++;
  }

  private leaveSecondary(i: number): void {
    const { state, tables, s } = this;
    const n = state.secondary[i]!;
    const at = n * F.NODE_STRIDE;
    const f = state.nodeFields;
    s.node = n;
    s.free = f[at + F.FREE_MEM]!;
    s.reserved = this.reservedWithout(n, state.primary[i]!);
    s.fails = failsWith(s.free, s.reserved);
    s.count = f[at + F.PRIMARY_COUNT]! + f[at + F.SECONDARY_COUNT]! - 1;
    s.n1 = tables.arrays.n1[n]!;
  }

  /** Largest reservation of a node once the instance's own is taken back. */
  private reservedWithout(node: number, primary: number): number {
    const { state } = this;
    const own = state.peers.get(node, primary);
    const largest = state.nodeFields[node * F.NODE_STRIDE + F.RESERVED_MEM]!;
    if (own < largest) return largest;
    return Math.max(own - this.reservation, state.largestPeer(node, primary));
  }

  private hoistFailoverToAny(i: number): void {
    if (!this.options.instanceMoves) return;
    const at = this.open(i, FAILOVER_TO_ANY, this.state.isOffline[this.p.node] === 1);
    this.leaveAsPrimary(at, i);
    // No pivot: a room that nothing reaches, and a count of nothing.
    this.data[at + PIVOT_FREE] = Number.POSITIVE_INFINITY;
    this.data[at + PIVOT_ROOM] = Number.POSITIVE_INFINITY;
  }

  private hoistMirrored(i: number): void {
    const { state, options, p, s } = this;
    this.leaveSecondary(i);
    const kinds = kindsWithTarget(state, i, options);
    const primaryOffline = state.isOffline[p.node] === 1;
    if (kinds.includes(REPLACE_SECONDARY)) this.hoistReplaceSecondary(i);
    if (kinds.includes(REPLACE_AND_FAILOVER)) this.hoistReplaceAndFailover(i);
    if (!mayFailOver(state, i, options)) return;
    if (!this.isLifted && !state.tags.mayMigrate(p.node, s.node)) return;
    const forced = primaryOffline || options.ignoreSoftErrors;
    if (!this.secondaryCanCarry(i, forced)) return;
    if (kinds.includes(REPLACE_PRIMARY)) this.hoistReplacePrimary(i, forced);
    if (kinds.includes(FAILOVER_AND_REPLACE)) this.hoistFailoverAndReplace(i);
    this.hoistFailover(i, primaryOffline, forced);
  }

  private hoistReplaceSecondary(i: number): void {
    const { state, data, tables, p, s } = this;
    if (!this.isLifted && !this.isForthcoming && !tables.rooms.keepsPrimary(p.node)) return;
    const at = this.open(i, REPLACE_SECONDARY, state.isOffline[s.node] === 1);
    // The primary stays, but its N+1 state is taken anew, as the stock programs do.
    if (tables.arrays.isScored[p.node]) {
      const n1 = failsWith(state.field(p.node, F.FREE_MEM), p.reserved) ? p.count + 1 : 0;
      data[at + PLAIN_CHANGE]! += this.n1Weight * (n1 - p.n1);
    }
    this.leaveAsSecondary(at, i);
  }

  private hoistReplaceAndFailover(i: number): void {
    const { state, options, data, tables, p, s } = this;
    const forced = state.isOffline[s.node] === 1 || options.ignoreSoftErrors;
    if (!this.canHoldDisks(i, p, p.reserved, forced)) return;
    // Only the run's option forces the new primary; the old secondary forces the pivot.
    const at = this.open(i, REPLACE_AND_FAILOVER, false);
    this.leaveAsSecondary(at, i);
    if (tables.arrays.isScored[p.node]) {
      data[at + PLAIN_CHANGE]! -= this.n1Weight * p.n1 + this.tagWeight * this.resolved;
    } else data[at + PLAIN_CHANGE]! -= this.offlinePrimaryWeight;
    this.change(at, i, p.node, -1, 1, p.reserved);
    this.setPivot(at, p, forced);
  }

  private hoistReplacePrimary(i: number, forced: boolean): void {
    const { data, s } = this;
    if (!this.canHoldDisks(i, s, s.reserved, forced)) return;
    const at = this.open(i, REPLACE_PRIMARY, forced);
    this.leaveAsPrimary(at, i);
    data[at + PLAIN_CHANGE]! -= this.n1Weight * s.n1;
    this.change(at, i, s.node, 0, 0, s.reserved);
    this.setPivot(at, s, forced);
  }

  private hoistFailoverAndReplace(i: number): void {
    const at = this.open(i, FAILOVER_AND_REPLACE, this.state.isOffline[this.p.node] === 1);
    this.leaveAsPrimary(at, i);
    this.secondaryTakesOver(at, i);
  }

  private hoistFailover(i: number, primaryOffline: boolean, forced: boolean): void {
    const { state, data, tables, p, s } = this;
    const peer = state.peers.get(p.node, s.node) + this.reservation;
    const reserved = Math.max(p.reserved, peer);
    // A failed primary keeps the disks that it has, but for one that lacks the spindles for them.
    const holds = primaryOffline
      ? this.isLifted || (state.admits(i, p.node) && tables.rooms.keepsSpindles(p.node))
      : this.canHoldDisks(i, p, reserved, forced);
    if (!holds) return;
    const at = this.open(i, FAILOVER, primaryOffline);
    if (tables.arrays.isScored[p.node]) {
      const n1 = failsWith(p.free, reserved) ? p.count + 1 : 0;
      data[at + PLAIN_CHANGE]! += this.n1Weight * (n1 - p.n1) - this.tagWeight * this.resolved;
    } else data[at + PLAIN_CHANGE]! -= this.offlinePrimaryWeight;
    this.change(at, i, p.node, -1, 1, reserved);
    this.secondaryTakesOver(at, i);
  }

  private open(i: number, kind: MoveKind, forced: boolean): number {
    const at = this.slot(i, kind);
    this.data[at + IS_POSSIBLE] = 1;
    this.data[at + IS_FORCED] = forced || this.isLifted || this.options.ignoreSoftErrors ? 1 : 0;
    return at;
  }

  /** Whether the secondary may become primary: it has the disks already. */
  private secondaryCanCarry(i: number, forced: boolean): boolean {
    const { state, tables, s } = this;
    if (this.isLifted) return true;
    if (!state.admits(i, s.node) || !tables.rooms.admitsPrimary(i, s.node, true, forced)) return false;
    if (forced || this.isForthcoming) return true;
    return (
      (s.fails || !failsWith(s.free - memNeedOf(state, i), s.reserved)) && !state.tags.conflicts(i, s.node)
    );
  }

  /** Whether a node that has the instance's disks may be its secondary with that reservation at least. */
  private canHoldDisks(i: number, left: Left, reserved: number, forced: boolean): boolean {
    const { state, tables } = this;
    const n = left.node;
    if (this.isLifted) return true;
    if (!state.admits(i, n) || !tables.rooms.admitsSecondary(i, n, n === state.primary[i], true, forced))
      return false;
    return forced || left.fails || !failsWith(left.free, Math.max(reserved, this.reservation));
  }

  private leaveAsPrimary(at: number, i: number): void {
    const { data, tables, p } = this;
    if (tables.arrays.isScored[p.node]) {
      const n1 = p.fails ? p.count : 0;
      data[at + PLAIN_CHANGE]! += this.n1Weight * (n1 - p.n1) - this.tagWeight * this.resolved;
    } else data[at + PLAIN_CHANGE]! -= this.offlineWeight + this.offlinePrimaryWeight;
    this.change(at, i, p.node, -1, 0, p.reserved);
  }

  private leaveAsSecondary(at: number, i: number): void {
    const { data, tables, s } = this;
    if (tables.arrays.isScored[s.node]) {
      const n1 = s.fails ? s.count : 0;
      data[at + PLAIN_CHANGE]! += this.n1Weight * (n1 - s.n1);
    } else data[at + PLAIN_CHANGE]! -= this.offlineWeight;
    this.change(at, i, s.node, 0, -1, s.reserved);
  }

  /** The secondary, which is online, becomes primary. */
  private secondaryTakesOver(at: number, i: number): void {
    const { state, data, s } = this;
    const mem = memNeedOf(state, i);
    const n1 = failsWith(s.free - mem, s.reserved) ? s.count + 1 : 0;
    let conflicts = 0;
    const { counts, tagCount } = state.tags;
    for (const tag of state.tags.exclusionsOf[i]!) if (counts[s.node * tagCount + tag]! > 0) conflicts++;
    data[at + PLAIN_CHANGE]! += this.n1Weight * (n1 - s.n1) + this.tagWeight * conflicts;
    this.change(at, i, s.node, 1, -1, s.reserved);
  }

  /** Adds a node's column changes when it comes (1) or leaves (-1), as primary and as secondary. */
  private change(
    at: number,
    i: number,
    node: number,
    primaries: number,
    secondaries: number,
    reserved: number,
  ): void {
    const { data, tables, state } = this;
    const { isScored, x, scale, reservedX, perMem } = tables.arrays;
    if (!isScored[node]) return;
    const { asPrimary, asSecondary, columnCount: k } = tables;
    const row = node * k;
    const amounts = i * k;
    for (let c = 0, to = at + CHANGES; c < k; c++, to += 2) {
      const dx =
        (primaries * asPrimary[amounts + c]! + secondaries * asSecondary[amounts + c]!) * scale[row + c]!;
      data[to]! += dx;
      data[to + 1]! += dx * (2 * x[row + c]! + dx);
    }
    const dx = (reserved - state.nodeFields[node * F.NODE_STRIDE + F.RESERVED_MEM]!) * perMem[node]!;
    data[at + CHANGES + 2 * k]! += dx;
    data[at + CHANGES + 2 * k + 1]! += dx * (2 * reservedX[node]! + dx);
  }

  /** The node that will hold the disks for the target; what it reserves is left to the scan. */
  private setPivot(at: number, left: Left, forced: boolean): void {
    const { data, tables, state } = this;
    const { isScored, perMem, reservedX } = tables.arrays;
    data[at + PIVOT_RESERVED] = left.reserved;
    data[at + PIVOT_FREE] = left.free;
    data[at + PIVOT_ROOM] = forced || left.fails || this.isLifted ? Number.POSITIVE_INFINITY : left.free;
    if (!isScored[left.node]) return;
    const before = state.nodeFields[left.node * F.NODE_STRIDE + F.RESERVED_MEM]!;
    data[at + PIVOT_COUNT] = this.n1Weight * (left.count + 1);
    data[at + PIVOT_PER_MEM] = perMem[left.node]!;
    data[at + PIVOT_X] = reservedX[left.node]! + (left.reserved - before) * perMem[left.node]!;
  }
}
