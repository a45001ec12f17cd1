/**
 * The pairs whose estimates lie too near the lowest to be told apart, and which of them is exactly the best.
 *
 * An exact score follows from the figures of the two nodes alone, so pairs of like nodes are scored once: an
 * empty cluster of equal nodes has tens of thousands of equal pairs.
 */
import { METRIC_COUNT } from '../../../model/score/metrics.ts';
import * as F from '../../../model/state/node-fields.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { Placement } from '../solution.ts';
import { findClasses } from './node-classes.ts';
import type { PairEstimates } from './pair-estimates.ts';
import type { PairScan } from './pair-scan.ts';

/** With fewer pairs than this, finding the classes takes longer than scoring. */
const WORTH_CLASSES = 64;

export class NearestPairs {
  private readonly state: ClusterState;
  private readonly primaries: number[] = [];
  private readonly secondaries: number[] = [];
  private readonly scores: number[] = [];
  private readonly primaryClass: Int32Array;
  private readonly secondaryClass: Int32Array;
  private tolerance = 0;
  private limit = Number.POSITIVE_INFINITY;

  constructor(private readonly scan: PairScan) {
    this.state = scan.statistics.state;
    this.primaryClass = new Int32Array(this.state.nodeCount);
    this.secondaryClass = new Int32Array(this.state.nodeCount);
  }

  /** Starts anew. @param tolerance how far above the lowest estimate the best pair may be estimated */
  reset(tolerance: number): void {
    this.primaries.length = 0;
    this.secondaries.length = 0;
    this.scores.length = 0;
    this.tolerance = tolerance;
    this.limit = Number.POSITIVE_INFINITY;
  }

  /** Adds what a scan has found for a primary. Primaries must come in the order in which ties are broken. */
  addAll(primary: number, estimates: PairEstimates): void {
    this.limit = Math.min(this.limit, estimates.lowest + this.tolerance);
    const { limit, primaries, secondaries, scores } = this;
    if (estimates.lowest > limit) return;
    for (let k = 0; k < estimates.count; k++) {
      if (estimates.scores[k]! > limit) continue;
      primaries.push(primary);
      secondaries.push(estimates.secondaries[k]!);
      scores.push(estimates.scores[k]!);
    }
  }

  /** The exactly best pair; of equal ones the last. */
  best(): (Placement & { readonly metric: number }) | undefined {
    const near: number[] = [];
    for (let k = 0; k < this.scores.length; k++) if (this.scores[k]! <= this.limit) near.push(k);
    const known = near.length >= WORTH_CLASSES ? this.findClasses(near) : undefined;
    let best: (Placement & { readonly metric: number }) | undefined;
    let open = -1;
    for (const k of near) {
      const primary = this.primaries[k]!;
      const secondary = this.secondaries[k]!;
      const key = known && this.keyOf(primary, secondary);
      let metric = key === undefined ? undefined : known!.get(key);
      if (metric === undefined) {
        if (open !== primary) this.scan.open(primary);
        open = primary;
        metric = this.scan.score(secondary);
        if (key !== undefined) known!.set(key, metric);
      }
      if (best === undefined || !(best.metric < metric)) best = { primary, secondary, metric };
    }
    return best;
  }

  /** Pairs of one key have the same score. Those that reserve memory already have keys of their own. */
  private keyOf(primary: number, secondary: number): number {
    const { nodeCount, peers } = this.state;
    const pair =
      peers.get(secondary, primary) === 0
        ? this.primaryClass[primary]! * nodeCount + this.secondaryClass[secondary]!
        : nodeCount * nodeCount + primary * nodeCount + secondary;
    return pair;
  }

  private findClasses(near: readonly number[]): Map<number, number> {
    const { scan, state } = this;
    const { rows } = scan.statistics;
    const primaries = [...new Set(near.map((k) => this.primaries[k]!))];
    const secondaries = [...new Set(near.map((k) => this.secondaries[k]!))];
    const common = [
      { values: rows, width: METRIC_COUNT },
      { values: Float64Array.from(state.tags.locationClassOf), width: 1 },
    ];
    findClasses(
      primaries,
      [...common, { values: scan.asPrimary, width: METRIC_COUNT }, { values: scan.crowdingWith, width: 1 }],
      this.primaryClass,
    );
    findClasses(
      secondaries,
      [
        ...common,
        { values: scan.asSecondary, width: METRIC_COUNT },
        { values: state.nodeFields, width: F.NODE_STRIDE },
        { values: state.totalMem, width: 1 },
      ],
      this.secondaryClass,
    );
    return new Map();
  }
}
