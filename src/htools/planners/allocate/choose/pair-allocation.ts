/**
 * The best pair of nodes for a new instance, with all refused pairs counted.
 *
 * Usually pairs are estimated (pair-estimates.ts) and only those near the best are scored in stock's own
 * arithmetic (pair-scan.ts); pairs of nodes with the same figures are scored once. Every pair is scored where
 * somebody wants to see the scores, where nodes are offline, and where a metric is not a number.
 */

import { ALLOWED, FAIL_N1, type FailCode } from '../../../cluster/refusal.ts';
import { secondaryRefusal } from '../../../model/rules/admission.ts';
import { ascendingPlaces } from '../../../model/score/ascending.ts';
import type { ScopeStatistics } from '../../../model/score/incremental.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import {
  type AllocOptions,
  type AllocSolution,
  type NodePairs,
  noRefusals,
  type Placement,
} from '../solution.ts';
import { oneOfEach } from './like-pairs.ts';
import { PairEstimates } from './pair-estimates.ts';
import { PairScan, type ScoredPair } from './pair-scan.ts';

class NearestPairs {
  private readonly primaries: number[] = [];
  private readonly secondaries: number[] = [];
  private readonly scores: number[] = [];
  private tolerance = 0;
  private limit = Number.POSITIVE_INFINITY;

  constructor(private readonly scan: PairScan) {}

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
  best(): ScoredPair | undefined {
    const { limit, primaries, scan, scores, secondaries } = this;
    const near: Placement[] = [];
    scores.forEach((score, k) => {
      if (score <= limit) near.push({ primary: primaries[k]!, secondary: secondaries[k]! });
    });
    return scan.best(oneOfEach(scan, near));
  }
}

type Pairs = readonly NodePairs[];

export class PairAllocation {
  private readonly state: ClusterState;
  private readonly scan: PairScan;
  private readonly estimates: PairEstimates;
  private readonly nearest: NearestPairs;
  private tolerance = 0;

  constructor(private readonly statistics: ScopeStatistics) {
    this.state = statistics.state;
    this.scan = new PairScan(statistics);
    this.estimates = new PairEstimates(this.state);
    this.nearest = new NearestPairs(this.scan);
  }

  /** @param i an instance on no node @param codes per pair of the list, why its primary is refused */
  allocate(i: number, pairs: Pairs, codes: readonly FailCode[], options: AllocOptions): AllocSolution {
    const refusals = noRefusals();
    const open: NodePairs[] = [];
    pairs.forEach((pair, k) => {
      const count = pair.secondaries.length;
      if (codes[k] === ALLOWED) open.push(pair);
      else {
        refusals[codes[k]!]! += count;
        options.onRefusal?.({ primary: pair.primary, secondary: -1, code: codes[k]!, count });
      }
    });
    if (open.length === 0) return { refusals, successes: 0, best: undefined };
    const primaries = open.map((pair) => pair.primary);
    const secondaries = secondariesOf(open);
    this.scan.prepare(i, primaries, secondaries);
    if (this.needsAllScores(primaries, secondaries, options))
      return this.scoreAll(i, open, options, refusals);
    this.estimates.prepare(this.scan, i, secondaries);
    // Both ends of a comparison may err, in each of the two updates of a pair.
    this.tolerance = 4 * this.statistics.tolerance([this.scan.asPrimary, this.scan.asSecondary], primaries);
    return options.globalCheck
      ? this.chooseAdmitted(i, open, options, refusals)
      : this.chooseNearest(open, refusals);
  }

  private needsAllScores(
    primaries: readonly number[],
    secondaries: readonly number[],
    { onRefusal, onScore }: AllocOptions,
  ): boolean {
    const isOffline = (n: number): boolean => this.state.isOffline[n] === 1;
    return (
      onRefusal !== undefined ||
      onScore !== undefined ||
      this.statistics.isUndefined ||
      primaries.some(isOffline) ||
      secondaries.some(isOffline)
    );
  }

  private chooseNearest(open: Pairs, refusals: number[]): AllocSolution {
    const { estimates, nearest } = this;
    let successes = 0;
    nearest.reset(this.tolerance);
    for (const { primary, secondaries } of open) {
      estimates.run(primary, secondaries, refusals);
      successes += estimates.count;
      nearest.addAll(primary, estimates);
    }
    return { refusals, successes, best: nearest.best() };
  }

  /** With a capacity check each primary has a best secondary of its own; those dropped are counted. */
  private chooseAdmitted(i: number, open: Pairs, options: AllocOptions, refusals: number[]): AllocSolution {
    const { estimates, nearest } = this;
    const { globalCheck, books } = options;
    let successes = 0;
    let best: ScoredPair | undefined;
    for (const { primary, secondaries } of open) {
      estimates.run(primary, secondaries, refusals);
      const { count } = estimates;
      if (count === 0) continue;
      if (globalCheck!.isHopeless) {
        refusals[FAIL_N1]! += count;
        continue;
      }
      nearest.reset(this.tolerance);
      nearest.addAll(primary, estimates);
      const own = nearest.best()!;
      const admitted = globalCheck!.admits(i, primary, own.secondary, books)
        ? { found: own, dropped: 0 }
        : this.firstAdmitted(i, primary, estimates.secondaries.slice(0, count), options);
      successes += count - admitted.dropped;
      refusals[FAIL_N1]! += admitted.dropped;
      const { found } = admitted;
      if (found && (best === undefined || !(best.metric < found.metric))) best = found;
    }
    return { refusals, successes, best };
  }

  /** The best allowed secondary that keeps the cluster redundant, and how many better ones do not. */
  private firstAdmitted(
    i: number,
    primary: number,
    allowed: ArrayLike<number>,
    options: AllocOptions,
  ): { found: ScoredPair | undefined; dropped: number } {
    const { globalCheck, books, onRefusal } = options;
    this.scan.open(primary);
    const scores = Array.from(allowed, (secondary) => this.scan.score(secondary));
    const order = ascendingPlaces(scores);
    const isAdmitted = (k: number): boolean => {
      const secondary = allowed[k]!;
      if (!globalCheck || globalCheck.admits(i, primary, secondary, books)) return true;
      const stuck = globalCheck.refusingNode;
      onRefusal?.({ primary, secondary, code: FAIL_N1, count: 1, stuck });
      return false;
    };
    const first = order.findIndex(isAdmitted);
    const k = order[first];
    if (k === undefined) return { found: undefined, dropped: scores.length };
    return { found: { primary, secondary: allowed[k]!, metric: scores[k]! }, dropped: first };
  }

  private scoreAll(i: number, open: Pairs, options: AllocOptions, refusals: number[]): AllocSolution {
    const { onRefusal, onScore } = options;
    let successes = 0;
    let best: ScoredPair | undefined;
    for (const { primary, secondaries } of open) {
      const allowed: number[] = [];
      for (const secondary of secondaries) {
        // The soft rules hold for new secondaries even where they are left out for primaries, as in stock.
        const code = secondaryRefusal(this.state, i, secondary, primary, false, false);
        if (code === ALLOWED) allowed.push(secondary);
        else {
          refusals[code]!++;
          onRefusal?.({ primary, secondary, code, count: 1 });
        }
      }
      if (onScore) {
        this.scan.open(primary);
        for (const secondary of allowed) onScore({ primary, secondary }, this.scan.score(secondary));
      }
      const { found, dropped } = this.firstAdmitted(i, primary, allowed, options);
      successes += allowed.length - dropped;
      refusals[FAIL_N1]! += dropped;
      if (found && (best === undefined || !(best.metric < found.metric))) best = found;
    }
    return { refusals, successes, best };
  }
}

function secondariesOf(pairs: Pairs): number[] {
  const all = new Set<number>();
  for (const { secondaries } of pairs) for (const s of secondaries) all.add(s);
  return [...all];
}
