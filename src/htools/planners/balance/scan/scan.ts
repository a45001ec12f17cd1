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
import { FAILOVER, type MoveKind } from '../../../model/moves/kinds.ts';
import { N1_CNT, PRI_TAGS_SCORE, RESERVED_MEM_RTOTAL } from '../../../model/score/metrics.ts';
import { IS_FORTHCOMING } from '../../../model/state/state.ts';
import type { Candidates } from './candidates.ts';
import * as H from './hoists.ts';
import { LocationChange } from './location-change.ts';
import type { ScanData } from './scan-data.ts';
import { TargetRules, toSecondary } from './target-rules.ts';

export class Scan {
  readonly rules: TargetRules;
  readonly locations: LocationChange;
  private readonly n1Weight: number;
  private readonly tagWeight: number;
  private readonly reservedTotalWeight: number;
  /** Sums and sums of squares with the hoisted changes in, and the weighted deviations of these. */
  private readonly sums: Float64Array;
  private readonly squares: Float64Array;
  private readonly deviations: Float64Array;
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
    this.locations = new LocationChange(data);
    this.rules = new TargetRules(data);
  }

  /**
   * Scores a kind of move of an instance on the first `count` of the targets, which the rules allow; a
   * failover has none and is scored once.
   */
  kind(i: number, kind: MoveKind, targets: Int32Array, count: number): void {
    const { data } = this;
    if (data.hoists[(i * H.SLOTS + kind) * data.slotStride + H.IS_POSSIBLE] === 0) return;
    this.visited += kind === FAILOVER ? 1 : count;
    if (data.locationClassCount > 0) this.locations.open(i);
    if (kind === FAILOVER) {
      this.failover(i);
      return;
    }
    this.rules.open(i, kind);
    if (toSecondary(kind)) this.toSecondary(i, kind, targets, count);
    else this.toPrimary(i, kind, targets, count);
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
    const score = this.prepare(at, 0) + this.deviations[data.columnCount]! + this.locations.of(FAILOVER, -1);
    this.take(i, FAILOVER, -1, score);
  }

  /** Forthcoming instances fail with no node. */
  private n1WeightOf(i: number): number {
    return this.data.flags[i]! & IS_FORTHCOMING ? 0 : this.n1Weight;
  }

  private take(i: number, kind: MoveKind, target: number, score: number): void {
    if (score <= this.found.limit && this.rules.keepsSets(i, kind, target))
      this.found.add(i, kind, target, score);
  }

  /** Targets that become primary; what the pivot reserves depends on them. */
  private toPrimary(i: number, kind: MoveKind, targets: Int32Array, count: number): void {
    const { data, sums, squares, rules, locations, reservedTotalWeight } = this;
    const n1Weight = this.n1WeightOf(i);
    const at = (i * H.SLOTS + kind) * data.slotStride;
    const { hoists, tables, weights, columnCount: k } = data;
    const { freeMem, reserved, counts, n1, x: values, scale, perNode } = tables;
    const { usedMem } = rules;
    const usesLocations = data.locationClassCount > 0;
    const pivotReserved = hoists[at + H.PIVOT_RESERVED]!;
    const pivotFree = hoists[at + H.PIVOT_FREE]!;
    const pivotCount = hoists[at + H.PIVOT_COUNT]!;
    const pivotPerMem = hoists[at + H.PIVOT_PER_MEM]!;
    const pivotX = hoists[at + H.PIVOT_X]!;
    const base = this.prepare(at, k);
    const reservedWeight = weights[k]!;
    const reservedDeviation = this.deviations[k]!;
    const amounts = i * k;
    const { asPrimary } = data;

    for (let j = 0; j < count; j++) {
      const t = targets[j]!;
      const newReserved = rules.reservedWith(t);
      let score = base - n1Weight * n1[t]! + this.tagWeight * rules.conflicts(t);
      if (freeMem[t]! - usedMem <= reserved[t]!) score += n1Weight * (counts[t]! + 1);
      if (pivotFree <= newReserved) score += pivotCount;
      if (usesLocations) score += locations.of(kind, t);

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

  /** Targets that become secondary, and reserve for the new primary. */
  private toSecondary(i: number, kind: MoveKind, targets: Int32Array, count: number): void {
    const { data, sums, squares, rules, locations, reservedTotalWeight } = this;
    const n1Weight = this.n1WeightOf(i);
    const at = (i * H.SLOTS + kind) * data.slotStride;
    const { tables, weights, columnCount: k, secondaryCount } = data;
    const { freeMem, reserved, counts, n1, x: values, scale, reservedX, perMem, perNode } = tables;
    const usesLocations = data.locationClassCount > 0;
    const base = this.prepare(at, secondaryCount);
    const reservedWeight = weights[k]!;
    const reservedDeviation = this.deviations[k]!;
    const amounts = i * k;
    const { asSecondary } = data;

    for (let j = 0; j < count; j++) {
      const t = targets[j]!;
      const before = reserved[t]!;
      const newReserved = rules.reservedWith(t);
      let score = base - n1Weight * n1[t]!;
      if (freeMem[t]! <= newReserved) score += n1Weight * (counts[t]! + 1);
      if (usesLocations) score += locations.of(kind, t);

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
