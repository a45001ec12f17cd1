/**
 * What each node changes in each metric when an instance comes to it as primary or as secondary, kept from
 * one instance of a size to the next and renewed for the nodes that changed.
 *
 * A variance in which one value changes from x to y becomes V + (n(y^2 - x^2) - 2S(y - x) - (y - x)^2) / n^2,
 * with the sum S and the number n of the values: so the differences of the values and of their squares are
 * kept.
 */

import { rowWithPrimary, rowWithSecondary } from '../../../model/moves/arrival-rows.ts';
import type { ScopeStatistics } from '../../../model/score/incremental.ts';
import {
  FREE_DISK_CV,
  FREE_DISK_CV_FORTH,
  FREE_MEM_CV,
  FREE_MEM_CV_FORTH,
  METRIC_COUNT,
  METRICS,
  SPINDLES_CV,
  SPINDLES_CV_FORTH,
  VCPU_RATIO_CV,
  VCPU_RATIO_CV_FORTH,
} from '../../../model/score/metrics.ts';
import type { ClusterState } from '../../../model/state/state.ts';

/**
 * Metrics that are most often equal on all nodes, and of equal weight: the second is counted with the first
 * then.
 */
const TWINS: readonly (readonly [number, number])[] = [
  [FREE_MEM_CV, FREE_MEM_CV_FORTH],
  [FREE_DISK_CV, FREE_DISK_CV_FORTH],
  [VCPU_RATIO_CV, VCPU_RATIO_CV_FORTH],
  [SPINDLES_CV, SPINDLES_CV_FORTH],
];

/** One role's changes. */
export interface RoleColumns {
  /** Contributions with the instance: `rows[node * METRIC_COUNT + metric]`. */
  readonly rows: Float64Array;
  /** What a value and its square change by: `[metric][node]`. */
  readonly change: readonly Float64Array[];
  readonly squares: readonly Float64Array[];
}

export class RoleChanges {
  readonly statistics: ScopeStatistics;
  readonly primary: RoleColumns;
  /** As secondary of a primary for which the node reserves nothing yet. */
  readonly secondary: RoleColumns;
  private readonly state: ClusterState;
  private readonly online: readonly number[];
  /** Largest value, old or new, that a node has in a metric. */
  private readonly magnitude: readonly Float64Array[];
  /** 1 where the metrics of a pair of twins differ on a node: `[twin * nodeCount + node]`. */
  private readonly differs: Uint8Array;
  private readonly differing = new Int32Array(TWINS.length);

  /** @param online the nodes whose figures are kept */
  constructor(statistics: ScopeStatistics, online: readonly number[]) {
    const n = statistics.state.nodeCount;
    const columns = (): Float64Array[] => METRICS.map(() => new Float64Array(n));
    const role = (): RoleColumns => ({
      rows: new Float64Array(n * METRIC_COUNT),
      change: columns(),
      squares: columns(),
    });
    this.statistics = statistics;
    this.state = statistics.state;
    this.online = online;
    this.primary = role();
    this.secondary = role();
    this.magnitude = columns();
    this.differs = new Uint8Array(n * TWINS.length);
  }

  /** Renews what is known of these nodes. The rest must be about an instance of the same size. */
  update(i: number, changed: readonly number[]): void {
    const { state, primary, secondary } = this;
    const { rows } = this.statistics;
    for (const n of changed) {
      const at = n * METRIC_COUNT;
      rowWithPrimary(state, i, n, 0, primary.rows, at);
      rowWithSecondary(state, i, n, n, secondary.rows, at);
      for (let m = 0; m < METRIC_COUNT; m++) {
        const before = rows[at + m]!;
        this.magnitude[m]![n] = Math.max(
          Math.abs(before),
          replace(primary, m, n, before),
          replace(secondary, m, n, before),
        );
      }
      this.updateTwins(n);
    }
  }

  private updateTwins(n: number): void {
    const at = n * METRIC_COUNT;
    const tables = [this.statistics.rows, this.primary.rows, this.secondary.rows];
    TWINS.forEach(([a, b], twin) => {
      const differs = tables.some((rows) => rows[at + a] !== rows[at + b]);
      const place = twin * this.state.nodeCount + n;
      this.differing[twin]! += (differs ? 1 : 0) - this.differs[place]!;
      this.differs[place] = differs ? 1 : 0;
    });
  }

  /** The metrics' weights, with those of twins on the first of them and 0 on the second. */
  weights(out: Float64Array): void {
    const { weights } = this.state;
    out.set(weights);
    TWINS.forEach(([a, b], twin) => {
      if (this.differing[twin]! > 0 || weights[a] !== weights[b]) return;
      out[a]! += weights[b]!;
      out[b] = 0;
    });
  }

  /** What one node's change does to a variance. */
  shift(m: number, n: number, { change, squares }: RoleColumns): number {
    const { sums, count } = this.statistics.now;
    const d = change[m]![n]!;
    return (count * squares[m]![n]! - 2 * sums[m]! * d - d * d) / (count * count);
  }

  /** Largest value that any node has or would have in a metric. */
  largest(m: number): number {
    let largest = 0;
    for (const n of this.online) largest = Math.max(largest, this.magnitude[m]![n]!);
    return largest;
  }
}

/** Notes what a value changes by; returns the size of the new one. */
function replace({ rows, change, squares }: RoleColumns, m: number, n: number, before: number): number {
  const after = rows[n * METRIC_COUNT + m]!;
  change[m]![n] = after - before;
  squares[m]![n] = after * after - before * before;
  return Math.abs(after);
}
