/**
 * What of a candidate does not depend on its target, worked out once per instance and kind of move.
 *
 * For each kind: may it happen at all, the change of each column's sums by the nodes that the instance leaves (or stays
 * on in another role), the change of the plain share, and what the scan needs about the node whose reservation depends
 * on the target. The figures stay right until a move touches the instance's own nodes.
 */
import * as F from '../cluster/node-fields.ts';
import { ALLOWED } from '../cluster/refusal.ts';
import type { ClusterState } from '../cluster/state.ts';
import { MIRROR_EXTERNAL, MIRROR_INTERNAL, USES_MEMORY } from '../cluster/state.ts';
import { addPrimary, addSecondary, removePrimary, removeSecondary } from '../moves/transitions.ts';
import { primaryRefusal, secondaryRefusal } from '../rules/admission.ts';
import { failsWith } from '../rules/n-plus-one.ts';
import { contributionsOf, METRIC_COUNT, METRICS, N1_CNT, OFFLINE_ALL_CNT } from '../score/metrics.ts';
import type { BalanceOptions } from './options.ts';
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
 * The pivot: the node that becomes (or stays) secondary to the target, so that its reservation depends on the target.
 * Its largest reservation and free memory without the instance, the free memory for the rule (Infinity: no rule),
 * what it adds to the N+1 count when it fails, its scale (0: not scored) and its centred reserved memory.
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

export class Hoists {
  readonly data: Float64Array;
  readonly stride: number;
  private readonly state: ClusterState;
  private readonly tables: NodeTables;
  private readonly options: BalanceOptions;
  /** Rows of contributions: primary and secondary before, and at the moment. */
  private readonly primaryBefore = new Float64Array(METRIC_COUNT);
  private readonly secondaryBefore = new Float64Array(METRIC_COUNT);
  private readonly now = new Float64Array(METRIC_COUNT);

  constructor(tables: NodeTables, options: BalanceOptions) {
    this.state = tables.state;
    this.tables = tables;
    this.options = options;
    this.stride = slotStride(tables.columnCount);
    this.data = new Float64Array(new SharedArrayBuffer(this.state.instanceCount * SLOTS * this.stride * 8));
  }

  /** Start of a slot in `data`. */
  slot(i: number, kind: number): number {
    return (i * SLOTS + kind) * this.stride;
  }

  /** Works out all kinds of move of an instance anew. Changes nothing in the state. */
  refresh(i: number): void {
    // A loop: `fill` on shared memory took longer than all the rest for small clusters.
    const { data } = this;
    for (let k = this.slot(i, 0), end = this.slot(i + 1, 0); k < end; k++) data[k] = 0;
    const mirroring = this.state.mirroring[i]!;
    if (mirroring === MIRROR_EXTERNAL) this.refreshExternal(i);
    else if (mirroring === MIRROR_INTERNAL) this.refreshMirrored(i);
  }

  private refreshExternal(i: number): void {
    if (!this.options.instanceMoves) return;
    const { state } = this;
    const p = state.primary[i]!;
    const at = this.open(i, 1, state.isOffline[p] === 1);
    contributionsOf(state, p, this.primaryBefore, 0);
    const mark = state.journal.mark();
    removePrimary(state, i, p, state.locationScore[i]!);
    this.addChange(at, p, this.primaryBefore);
    state.journal.rollback(mark);
    // No pivot: a room that nothing reaches, and a count of nothing.
    this.data[at + PIVOT_FREE] = Number.POSITIVE_INFINITY;
    this.data[at + PIVOT_ROOM] = Number.POSITIVE_INFINITY;
  }

  private refreshMirrored(i: number): void {
    const { state, options } = this;
    const p = state.primary[i]!;
    const s = state.secondary[i]!;
    const primaryOffline = state.isOffline[p] === 1;
    const secondaryOffline = state.isOffline[s] === 1;
    const useSecondary = options.instanceMoves && !secondaryOffline;
    const migrates = state.tags.mayMigrate(p, s);
    const { diskMoves, instanceMoves } = options;
    const restricted = options.restrictedMigration && !primaryOffline;
    const mark = state.journal.mark();

    contributionsOf(state, p, this.primaryBefore, 0);
    contributionsOf(state, s, this.secondaryBefore, 0);
    removePrimary(state, i, p, state.locationScore[i]!);
    const withoutPrimary = state.journal.mark();
    removeSecondary(state, i, s, p);
    const without = state.journal.mark();

    if (diskMoves) this.hoistReplaceSecondary(i, p, s);
    if (diskMoves && instanceMoves && !restricted) this.hoistReplaceAndFailover(i, p, s, secondaryOffline);
    const forced = primaryOffline || options.ignoreSoftErrors;
    if (useSecondary && migrates && primaryRefusal(state, i, s, forced) === ALLOWED) {
      if (diskMoves && !options.restrictedMigration) this.hoistReplacePrimary(i, p, s, primaryOffline);
      addPrimary(state, i, s, 0);
      if (diskMoves && !restricted) this.hoistFailoverAndReplace(i, p, s, primaryOffline);
      if (secondaryRefusal(state, i, p, s, primaryOffline, forced) === ALLOWED) {
        addSecondary(state, i, p, s);
        const at = this.open(i, 0, primaryOffline);
        this.addChange(at, p, this.primaryBefore);
        this.addChange(at, s, this.secondaryBefore);
      }
      state.journal.rollback(without);
    }
    state.journal.rollback(withoutPrimary);
    state.journal.rollback(mark);
  }

  /** The primary stays, but its N+1 state is taken anew, as the stock programs do. */
  private hoistReplaceSecondary(i: number, p: number, s: number): void {
    const { state, data, tables } = this;
    const at = this.open(i, 2, state.isOffline[s] === 1);
    const f = state.nodeFields;
    const n = p * F.NODE_STRIDE;
    // The state has the instance removed; back on the primary it takes what it took before.
    const usedMem = state.flags[i]! & USES_MEMORY ? state.mem[i]! : 0;
    const free = f[n + F.FREE_MEM]! - usedMem;
    const disk = f[n + F.FREE_DISK]! - state.disk[i]!;
    if (tables.arrays.isScored[p]) {
      const count = this.primaryBefore[OFFLINE_ALL_CNT]!;
      const fails = failsWith(free, f[n + F.RESERVED_MEM]!) ? count : 0;
      data[at + PLAIN_CHANGE] += METRICS[N1_CNT]!.weight * (fails - this.primaryBefore[N1_CNT]!);
    }
    data[at + IS_POSSIBLE] = free > 0 && disk > 0 ? 1 : 0;
    this.addChange(at, s, this.secondaryBefore);
  }

  private hoistReplaceAndFailover(i: number, p: number, s: number, secondaryOffline: boolean): void {
    const { state, options } = this;
    // The pair (p, p) holds no reservation, so this asks for the least that any target would need.
    const forced = secondaryOffline || options.ignoreSoftErrors;
    if (secondaryRefusal(state, i, p, p, false, forced) !== ALLOWED) return;
    // Only the run's option forces the new primary; the old secondary forces the pivot.
    const at = this.open(i, 3, false);
    this.addChange(at, s, this.secondaryBefore);
    this.hoistPivot(at, i, p, this.primaryBefore, forced);
  }

  private hoistReplacePrimary(i: number, p: number, s: number, primaryOffline: boolean): void {
    const { state, options } = this;
    const forced = primaryOffline || options.ignoreSoftErrors;
    if (secondaryRefusal(state, i, s, s, false, forced) !== ALLOWED) return;
    const at = this.open(i, 4, primaryOffline);
    this.addChange(at, p, this.primaryBefore);
    this.hoistPivot(at, i, s, this.secondaryBefore, forced);
  }

  /** Called with the instance on its secondary as primary. */
  private hoistFailoverAndReplace(i: number, p: number, s: number, primaryOffline: boolean): void {
    const at = this.open(i, 5, primaryOffline);
    this.addChange(at, p, this.primaryBefore);
    this.addChange(at, s, this.secondaryBefore);
  }

  private open(i: number, kind: number, fromOffline: boolean): number {
    const at = this.slot(i, kind);
    this.data[at + IS_POSSIBLE] = 1;
    this.data[at + IS_FORCED] = fromOffline || this.options.ignoreSoftErrors ? 1 : 0;
    return at;
  }

  /** Adds the change of a node from a row before to its state now. */
  private addChange(at: number, node: number, before: Float64Array): void {
    contributionsOf(this.state, node, this.now, 0);
    this.addRows(at, node, before, this.now);
  }

  private addRows(at: number, node: number, before: Float64Array, after: Float64Array): void {
    const { data, tables } = this;
    data[at + PLAIN_CHANGE] += tables.plainShare(after, node) - tables.plainShare(before, node);
    if (!tables.arrays.isScored[node]) return;
    for (let c = 0; c <= tables.columnCount; c++) {
      const x = tables.centred(before, c);
      const y = tables.centred(after, c);
      data[at + CHANGES + 2 * c] += y - x;
      data[at + CHANGES + 2 * c + 1] += y * y - x * x;
    }
  }

  /** The pivot holds the instance's disks as secondary; what it reserves is left to the scan. */
  private hoistPivot(at: number, i: number, node: number, before: Float64Array, forced: boolean): void {
    const { state, data, tables, now } = this;
    const f = state.nodeFields;
    const n = node * F.NODE_STRIDE;
    const free = f[n + F.FREE_MEM]!;
    contributionsOf(state, node, now, 0);
    const count = now[OFFLINE_ALL_CNT]! + 1;
    now[OFFLINE_ALL_CNT] = count;
    now[N1_CNT] = 0;
    data[at + PLAIN_CHANGE] += tables.plainShare(now, node) - tables.plainShare(before, node);
    data[at + PIVOT_RESERVED] = f[n + F.RESERVED_MEM]!;
    data[at + PIVOT_FREE] = free;
    data[at + PIVOT_ROOM] = forced || f[n + F.FAILS_N1] === 1 ? Number.POSITIVE_INFINITY : free;
    if (!tables.arrays.isScored[node]) return;
    const { list, secondaryCount } = tables.columns;
    const k = tables.columnCount;
    for (let c = 0; c <= k; c++) {
      const disks = c < secondaryCount ? list[c]!.asSecondary[i]! * list[c]!.scale[node]! : 0;
      const x = tables.centred(before, c);
      const y = tables.centred(now, c) + disks;
      data[at + CHANGES + 2 * c] += y - x;
      data[at + CHANGES + 2 * c + 1] += y * y - x * x;
    }
    data[at + PIVOT_COUNT] = METRICS[N1_CNT]!.weight * count;
    data[at + PIVOT_PER_MEM] = tables.arrays.perMem[node]!;
    data[at + PIVOT_X] = tables.centred(now, k);
  }
}
