/**
 * The scan: scores the candidates of one instance on given targets, in constant time each and without making
 * objects.
 *
 * A candidate's score = fixed share + plain share + weighted deviations; each deviation comes from the
 * column's sum and sum of squares with the touched nodes' old values out and their new ones in. The results
 * are within the tables' tolerance of the exact score; the best few are scored exactly afterwards
 * (step-search.ts).
 *
 * Two inner loops of one shape each, since a long function with many branches was compiled late and thrown
 * away often: targets that become primary, and targets that become secondary.
 */
import {
  FAILOVER,
  FAILOVER_TO_ANY,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import { N1_CNT, PRI_TAGS_SCORE, RESERVED_MEM_RTOTAL } from '../../../model/score/metrics.ts';
import { RESERVES_MEMORY, USES_CPU, USES_MEMORY, USES_NODE_DISK } from '../../../model/state/state.ts';
import type { Candidates } from './candidates.ts';
import * as H from './hoists.ts';
import { locationChange } from './location-change.ts';
import type { ScanData } from './scan-data.ts';

export class Scan {
  private readonly n1Weight: number;
  private readonly tagWeight: number;
  private readonly reservedTotalWeight: number;
  /** Sums and sums of squares with the hoisted changes in, and the weighted deviations of these. */
  private readonly sums: Float64Array;
  private readonly squares: Float64Array;
  private readonly deviations: Float64Array;
  /** Location changes by class of the target; NaN = not asked yet. */
  private readonly locations: Float64Array;
  /** Reservations of nothing, for moves without a pivot. */
  private readonly noPeers: Float64Array;
  /** Lowest score of the last call's candidates that the rules allow. */
  least = Number.POSITIVE_INFINITY;
  /** Candidates looked at, possible or not. */
  visited = 0;

  constructor(
    readonly data: ScanData,
    readonly found: Candidates,
  ) {
    this.n1Weight = data.metricWeights[N1_CNT]!;
    this.tagWeight = data.metricWeights[PRI_TAGS_SCORE]!;
    this.reservedTotalWeight = data.metricWeights[RESERVED_MEM_RTOTAL]!;
    const k = data.columnCount;
    this.sums = new Float64Array(k + 1);
    this.squares = new Float64Array(k + 1);
    this.deviations = new Float64Array(k + 1);
    this.locations = new Float64Array(data.locationClassCount);
    this.noPeers = new Float64Array(data.nodeCount);
  }

  /**
   * Scores a kind of move of an instance on the first `count` of the targets; a failover has none and is
   * scored once.
   */
  kind(i: number, kind: MoveKind, targets: Int32Array, count: number): void {
    const { data } = this;
    this.least = Number.POSITIVE_INFINITY;
    this.visited += kind === FAILOVER ? 1 : count;
    if (data.hoists[(i * H.SLOTS + kind) * data.slotStride + H.IS_POSSIBLE] === 0) return;
    const { placeOf, size, peers } = data.peers;
    const p = placeOf[data.primary[i]!]! * size;
    const s = placeOf[data.secondary[i]!]! * size;
    const reservation = data.flags[i]! & RESERVES_MEMORY ? data.mem[i]! : 0;
    if (kind === FAILOVER) this.failover(i);
    else if (kind === FAILOVER_TO_ANY) this.toPrimary(i, kind, targets, count, this.noPeers, 0, 0);
    else if (kind === REPLACE_SECONDARY) this.toSecondary(i, kind, targets, count, p, reservation);
    else if (kind === REPLACE_AND_FAILOVER) this.toPrimary(i, kind, targets, count, peers, p, reservation);
    else if (kind === REPLACE_PRIMARY) this.toPrimary(i, kind, targets, count, peers, s, reservation);
    else this.toSecondary(i, kind, targets, count, s, reservation);
  }

  /**
   * Prepares a slot: its column sums, and the part of the score that no target changes.
   * @param variable columns from the front that the target changes; the reserved memory's is always left out
   */
  private prepare(at: number, variable: number): number {
    const { data, sums, squares, deviations } = this;
    const { perNode } = data.tables;
    const { hoists, weights, columnCount: k, tables } = data;
    const reserved = at + H.CHANGES + 2 * k;
    let score = tables.base[0]! + hoists[at + H.PLAIN_CHANGE]! + this.reservedTotalWeight * hoists[reserved]!;
    for (let c = 0; c <= k; c++) {
      const sum = tables.sums[c]! + hoists[at + H.CHANGES + 2 * c]!;
      const square = tables.squares[c]! + hoists[at + H.CHANGES + 2 * c + 1]!;
      sums[c] = sum;
      squares[c] = square;
      if (c < variable) continue;
      const mean = sum * perNode[c]!;
      const variance = square * perNode[c]! - mean * mean;
      deviations[c] = variance > 0 ? weights[c]! * Math.sqrt(variance) : 0;
      if (c < k) score += deviations[c]!;
    }
    return score;
  }

  private failover(i: number): void {
    const { data } = this;
    const at = (i * H.SLOTS + FAILOVER) * data.slotStride;
    let score = this.prepare(at, 0) + this.deviations[data.columnCount]!;
    if (data.locationClassCount > 0) score += locationChange(data, i, FAILOVER, -1);
    this.take(i, FAILOVER, -1, score);
  }

  private take(i: number, kind: MoveKind, target: number, score: number): void {
    if (score < this.least) this.least = score;
    if (score <= this.found.limit) this.found.add(i, kind, target, score);
  }

  private location(i: number, kind: MoveKind, target: number): number {
    const { locations, data } = this;
    const c = data.locationClassOf[target]!;
    if (Number.isNaN(locations[c]!)) locations[c] = locationChange(data, i, kind, target);
    return locations[c]!;
  }

  /** Tags of the instance that a node's primaries already carry. */
  private conflicts(start: number, end: number, node: number): number {
    const { exclusions, tagCounts, tagCount } = this.data;
    let conflicts = 0;
    for (let k = start; k < end; k++) if (tagCounts[node * tagCount + exclusions[k]!]! > 0) conflicts++;
    return conflicts;
  }

  /**
   * Targets that become primary. `pivotPeers[pivotRow + place of t]` is what the pivot reserves for target t.
   */
  private toPrimary(
    i: number,
    kind: MoveKind,
    targets: Int32Array,
    count: number,
    pivotPeers: Float64Array,
    pivotRow: number,
    reservation: number,
  ): void {
    const { data, sums, squares, n1Weight, reservedTotalWeight } = this;
    const at = (i * H.SLOTS + kind) * data.slotStride;
    const { hoists, tables, weights, columnCount: k } = data;
    const isForced = hoists[at + H.IS_FORCED] === 1;
    const rooms = isForced ? tables.forced : tables.strict;
    const {
      mem: memRoom,
      memForthcoming,
      disk: diskRoom,
      diskReserve,
      spindles: spindleRoom,
      vcpus: vcpuRoom,
    } = rooms;
    const { freeMem, reserved, counts, n1, x: values, scale, perNode } = tables;
    const p = data.primary[i]!;
    const s = data.secondary[i]!;
    const flags = data.flags[i]!;
    const mem = data.mem[i]!;
    const usedMem = flags & USES_MEMORY ? mem : 0;
    const isLocal = (flags & USES_NODE_DISK) !== 0;
    const disk = isLocal ? data.disk[i]! : Number.NEGATIVE_INFINITY;
    const spindles = isLocal ? data.spindleUse[i]! : Number.NEGATIVE_INFINITY;
    const vcpus = flags & USES_CPU ? data.vcpus[i]! : 0;
    const tagStart = data.exclusionStart[i]!;
    const tagEnd = data.exclusionStart[i + 1]!;
    const migrationFrom = kind === REPLACE_PRIMARY ? s : p;
    const checksMigration = data.migrationClassCount > 1;
    const usesLocations = data.locationClassCount > 0;
    if (usesLocations) this.locations.fill(Number.NaN);
    const pivotReserved = hoists[at + H.PIVOT_RESERVED]!;
    const pivotFree = hoists[at + H.PIVOT_FREE]!;
    const pivotRoom = hoists[at + H.PIVOT_ROOM]!;
    const pivotCount = hoists[at + H.PIVOT_COUNT]!;
    const pivotPerMem = hoists[at + H.PIVOT_PER_MEM]!;
    const pivotX = hoists[at + H.PIVOT_X]!;
    const base = this.prepare(at, k);
    const reservedWeight = weights[k]!;
    const reservedDeviation = this.deviations[k]!;
    const amounts = i * k;
    const { asPrimary, access } = data;
    const { placeOf } = data.peers;
    const pool = data.storageRow[i]! * data.nodeCount;

    for (let j = 0; j < count; j++) {
      const t = targets[j]!;
      if (t === p || t === s || (access !== undefined && access[pool + t] === 0)) continue;
      if (!(usedMem < memRoom[t]! && mem < memForthcoming[t]! && vcpus <= vcpuRoom[t]!)) continue;
      if (!(disk < diskRoom[t]! && disk <= diskReserve[t]! && spindles <= spindleRoom[t]!)) continue;
      const peer = pivotPeers[pivotRow + placeOf[t]!]! + reservation;
      const newReserved = Math.max(peer, pivotReserved);
      if (pivotRoom <= newReserved) continue;
      let score = base - n1Weight * n1[t]!;
      if (tagStart < tagEnd) {
        const conflicts = this.conflicts(tagStart, tagEnd, t);
        if (conflicts > 0 && !isForced) continue;
        score += this.tagWeight * conflicts;
      }
      if (checksMigration && !this.mayMigrate(migrationFrom, t)) continue;
      if (freeMem[t]! - usedMem <= reserved[t]!) score += n1Weight * (counts[t]! + 1);
      if (pivotFree <= newReserved) score += pivotCount;
      if (usesLocations) score += this.location(i, kind, t);

      if (newReserved === pivotReserved) score += reservedDeviation;
      else {
        const dx = (newReserved - pivotReserved) * pivotPerMem;
        const mean = (sums[k]! + dx) * perNode[k]!;
        const variance = (squares[k]! + dx * (2 * pivotX + dx)) * perNode[k]! - mean * mean;
        score += reservedTotalWeight * dx + (variance > 0 ? reservedWeight * Math.sqrt(variance) : 0);
      }
      const row = t * k;
      for (let c = 0; c < k; c++) {
        const dx = asPrimary[amounts + c]! * scale[row + c]!;
        const mean = (sums[c]! + dx) * perNode[c]!;
        const variance = (squares[c]! + dx * (2 * values[row + c]! + dx)) * perNode[c]! - mean * mean;
        if (variance > 0) score += weights[c]! * Math.sqrt(variance);
      }
      this.take(i, kind, t, score);
    }
  }

  private mayMigrate(from: number, to: number): boolean {
    const { migrationAllowed, migrationClassOf, migrationClassCount } = this.data;
    return migrationAllowed[migrationClassOf[from]! * migrationClassCount + migrationClassOf[to]!] === 1;
  }

  /**
   * Targets that become secondary; `byPrimary[row + place of t]` is what target t reserves for the new
   * primary.
   */
  private toSecondary(
    i: number,
    kind: MoveKind,
    targets: Int32Array,
    count: number,
    row: number,
    reservation: number,
  ): void {
    const { data, sums, squares, n1Weight, reservedTotalWeight } = this;
    const at = (i * H.SLOTS + kind) * data.slotStride;
    const { hoists, tables, weights, columnCount: k, secondaryCount } = data;
    const { byPrimary, placeOf } = data.peers;
    const rooms = hoists[at + H.IS_FORCED] === 1 ? tables.forced : tables.strict;
    const {
      disk: diskRoom,
      diskReserve,
      spindles: spindleRoom,
      reservation: reservationRoom,
      n1: n1Room,
    } = rooms;
    const { freeMem, reserved, counts, n1, x: values, scale, reservedX, perMem, perNode } = tables;
    const p = data.primary[i]!;
    const s = data.secondary[i]!;
    const disk = data.disk[i]!;
    const spindles = data.spindleUse[i]!;
    const usesLocations = data.locationClassCount > 0;
    if (usesLocations) this.locations.fill(Number.NaN);
    const base = this.prepare(at, secondaryCount);
    const reservedWeight = weights[k]!;
    const reservedDeviation = this.deviations[k]!;
    const amounts = i * k;
    const { asSecondary, access } = data;
    const pool = data.storageRow[i]! * data.nodeCount;

    for (let j = 0; j < count; j++) {
      const t = targets[j]!;
      if (t === p || t === s || (access !== undefined && access[pool + t] === 0)) continue;
      if (!(disk < diskRoom[t]! && disk <= diskReserve[t]! && spindles <= spindleRoom[t]!)) continue;
      if (!(reservation < reservationRoom[t]!)) continue;
      const peer = byPrimary[row + placeOf[t]!]! + reservation;
      const before = reserved[t]!;
      const newReserved = Math.max(peer, before);
      if (n1Room[t]! <= newReserved) continue;
      let score = base - n1Weight * n1[t]!;
      if (freeMem[t]! <= newReserved) score += n1Weight * (counts[t]! + 1);
      if (usesLocations) score += this.location(i, kind, t);

      if (newReserved === before) score += reservedDeviation;
      else {
        const dx = (newReserved - before) * perMem[t]!;
        const mean = (sums[k]! + dx) * perNode[k]!;
        const variance = (squares[k]! + dx * (2 * reservedX[t]! + dx)) * perNode[k]! - mean * mean;
        score += reservedTotalWeight * dx + (variance > 0 ? reservedWeight * Math.sqrt(variance) : 0);
      }
      const place = t * k;
      for (let c = 0; c < secondaryCount; c++) {
        const dx = asSecondary[amounts + c]! * scale[place + c]!;
        const mean = (sums[c]! + dx) * perNode[c]!;
        const variance = (squares[c]! + dx * (2 * values[place + c]! + dx)) * perNode[c]! - mean * mean;
        if (variance > 0) score += weights[c]! * Math.sqrt(variance);
      }
      this.take(i, kind, t, score);
    }
  }
}
