/**
 * Homes for new instances, one after the other, as the stock programs choose them: the first choice by score
 * that every rule allows, of equal ones the last.
 *
 * An allocator stands on a state and keeps what it knows of it from one allocation to the next; whoever
 * changes the state in between says so by `refresh`. Source: stock tryAlloc and its primitives.
 */
import { ALLOWED, FAIL_DISK, FAIL_N1 } from '../../../cluster/refusal.ts';
import { type Instance, NO_NODE } from '../../../cluster/snapshot.ts';
import { exactScores, PLACE, TargetChooser } from '../../../model/redundancy/drbd/best-target.ts';
import { primaryRefusal, secondaryRefusal } from '../../../model/rules/admission.ts';
import { policyRefusalOn } from '../../../model/rules/policy.ts';
import { explainPoolSpace, poolSpaceRefusal } from '../../../model/rules/pool-space.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import {
  type AllocNodes,
  type AllocOptions,
  type AllocSolution,
  type Choice,
  type NodePairs,
  noRefusals,
  type Placement,
  pairsOf,
} from '../solution.ts';
import { type Admitted, firstAdmitted, noneAdmitted } from './first-admitted.ts';
import { LikeNodes } from './like-nodes.ts';
import { PairEstimates } from './pair-estimates.ts';
import { PairScan } from './pair-scan.ts';

/**
 * The best pair of nodes for a new instance, with all refused pairs counted: of the best that each primary
 * has, the best.
 *
 * Usually pairs are estimated (pair-estimates.ts) and only those near the best are scored in stock's own
 * arithmetic (pair-scan.ts); pairs of nodes with the same figures are scored once. Every pair is scored where
 * somebody wants to see the scores, where nodes are offline, and where a metric is not a number.
 */
class PairAllocation {
  private readonly state: ClusterState;
  private readonly scan: PairScan;
  private readonly like: LikeNodes;
  private readonly estimates: PairEstimates;
  /** How far above the lowest estimate of a primary its best pair may be estimated. */
  private tolerance = 0;

  constructor(private readonly scorer: Scorer) {
    this.state = scorer.state;
    this.scan = new PairScan(scorer);
    this.like = new LikeNodes(this.scan);
    this.estimates = new PairEstimates(this.state);
  }

  /** @param i an instance on no node */
  allocate(i: number, pairs: readonly NodePairs[], options: AllocOptions): AllocSolution {
    const { state, scan } = this;
    const refusals = noRefusals();
    const open: NodePairs[] = [];
    for (const pair of pairs) {
      const { primary, secondaries } = pair;
      const code =
        policyRefusalOn(state, i, primary) || primaryRefusal(state, i, primary, options.ignoreSoftErrors);
      if (code === ALLOWED) open.push(pair);
      else {
        refusals[code]! += secondaries.length;
        options.trace?.refused({ primary, secondary: NO_NODE, code, count: secondaries.length });
      }
    }
    if (open.length === 0) return { refusals, successes: 0, best: undefined };
    const primaries = open.map((pair) => pair.primary);
    const secondaries = secondariesOf(open);
    scan.prepare(i, primaries, secondaries);
    this.like.forgetAll();
    const isEstimated = !this.needsAllScores(primaries, secondaries, options);
    if (isEstimated) {
      // The soft rules hold for new secondaries even where they are left out for primaries, as in stock.
      this.estimates.prepare(scan, i, secondaries, false);
      // Both ends of a comparison may err, in each of the two updates of a pair.
      this.tolerance = 4 * this.scorer.tolerance([scan.asPrimary, scan.asSecondary], primaries);
    }
    let successes = 0;
    let best: Choice | undefined;
    for (const pair of open) {
      const own = isEstimated
        ? this.chooseEstimated(i, pair, options, refusals)
        : this.chooseScored(i, pair, options, refusals);
      const { found } = own;
      successes += own.successes;
      refusals[FAIL_N1]! += own.dropped;
      if (found && (best === undefined || !(best.metric < found.metric))) best = found;
    }
    return { refusals, successes, best };
  }

  private needsAllScores(
    primaries: readonly number[],
    secondaries: readonly number[],
    { trace }: AllocOptions,
  ): boolean {
    const isOffline = (n: number): boolean => this.state.isOffline[n] === 1;
    return (
      trace !== undefined ||
      this.scorer.isUndefined ||
      primaries.some(isOffline) ||
      secondaries.some(isOffline)
    );
  }

  /** The choice among the secondaries of a primary, of which only those near the best are scored. */
  private chooseEstimated(
    i: number,
    { primary, secondaries }: NodePairs,
    options: AllocOptions,
    refusals: number[],
  ): Admitted {
    const { estimates, like, scan } = this;
    const { globalCheck, books } = options;
    estimates.run(primary, secondaries, refusals);
    const { count, lowest, scores, peers } = estimates;
    if (count === 0 || globalCheck?.isHopeless) return noneAdmitted(count);
    const near: number[] = [];
    for (let k = 0; k < count; k++)
      if (scores[k]! <= lowest + this.tolerance) near.push(estimates.secondaries[k]!);
    const last = like.lastOfEach(primary, near, peers);
    const found = scan.best(last.map((secondary) => ({ primary, secondary })))!;
    if (!globalCheck || globalCheck.admits(i, primary, found.secondary, books))
      return { found, successes: count, dropped: 0 };
    return this.scored(i, primary, estimates.secondaries.subarray(0, count), options);
  }

  private chooseScored(
    i: number,
    { primary, secondaries }: NodePairs,
    options: AllocOptions,
    refusals: number[],
  ): Admitted {
    const allowed = secondaries.filter((secondary) => {
      // The soft rules hold for new secondaries even where they are left out for primaries, as in stock.
      const code = secondaryRefusal(this.state, i, secondary, primary, false, false);
      if (code === ALLOWED) return true;
      refusals[code]!++;
      options.trace?.refused({ primary, secondary, code, count: 1 });
      return false;
    });
    return this.scored(i, primary, allowed, options);
  }

  private scored(i: number, primary: number, allowed: ArrayLike<number>, options: AllocOptions): Admitted {
    const { trace } = options;
    const homeAt = (k: number): Placement => ({ primary, secondary: allowed[k]! });
    this.scan.open(primary);
    const scores = Array.from(allowed, (secondary) => this.scan.score(secondary));
    if (trace) scores.forEach((score, k) => void trace.scored(homeAt(k), score));
    return firstAdmitted(i, scores, homeAt, options);
  }
}

function secondariesOf(pairs: readonly NodePairs[]): number[] {
  const all = new Set<number>();
  for (const { secondaries } of pairs) for (const s of secondaries) all.add(s);
  return [...all];
}

export class Allocator {
  private readonly chooser: TargetChooser;
  private pairs: PairAllocation | undefined;

  /** @param nodes positions, ascending */
  constructor(
    readonly state: ClusterState,
    /** Nodes whose score decides: the whole cluster, or a group. */
    readonly nodes: readonly number[],
  ) {
    this.chooser = new TargetChooser(state, nodes);
  }

  /** Takes over what changed on these nodes. */
  refresh(changed: readonly number[]): void {
    this.chooser.refresh(changed);
  }

  /** Finds the best home for an instance. The state is as before. */
  allocate(instance: Instance, nodes: AllocNodes, options: AllocOptions): AllocSolution {
    const i = this.state.addInstance(instance);
    // What is there already has its place in its pool.
    const isThere = options.books?.original !== undefined;
    const solution =
      !isThere && poolSpaceRefusal(this.state, i) !== ALLOWED
        ? this.refuseAll(i, nodes, options)
        : nodes.kind === 'pairs'
          ? this.pairAllocation.allocate(i, nodes.pairs, options)
          : this.allocateSingles(i, nodes.nodes, options);
    this.state.dropLastInstance();
    return solution;
  }

  private get pairAllocation(): PairAllocation {
    this.pairs ??= new PairAllocation(this.chooser.scorer);
    return this.pairs;
  }

  /** The pool is too full for the instance, so no node will do. */
  private refuseAll(i: number, nodes: AllocNodes, { trace }: AllocOptions): AllocSolution {
    const refusals = noRefusals();
    for (const { primary, secondaries } of pairsOf(nodes)) {
      const code = policyRefusalOn(this.state, i, primary) || FAIL_DISK;
      const count = secondaries.length;
      refusals[code]! += count;
      trace?.refused({ primary, secondary: NO_NODE, code, count });
    }
    return { refusals, successes: 0, best: undefined, pool: explainPoolSpace(this.state, i) };
  }

  private allocateSingles(i: number, targets: readonly number[], options: AllocOptions): AllocSolution {
    const refusals = noRefusals();
    const { chooser } = this;
    const nearest = chooser.choose(i, PLACE, targets, options.ignoreSoftErrors);
    const homes: Placement[] = [];
    targets.forEach((primary, k) => {
      const code = chooser.refusals[k]!;
      if (code === ALLOWED) homes.push({ primary, secondary: NO_NODE });
      else {
        refusals[code]!++;
        options.trace?.refused({ primary, secondary: NO_NODE, code, count: 1 });
      }
    });
    if (nearest === undefined) return { refusals, successes: 0, best: undefined };
    const { found, successes, dropped } = this.admitted(i, homes, nearest, options);
    refusals[FAIL_N1]! += dropped;
    return { refusals, successes, best: found };
  }

  /** The choice among homes of which one is the best by score: mostly the others need no exact scores. */
  private admitted(i: number, homes: readonly Placement[], nearest: number, options: AllocOptions): Admitted {
    const { globalCheck, books, trace, ignoreSoftErrors } = options;
    const scoresOf = (primaries: readonly number[]): number[] =>
      exactScores(this.chooser.scorer, i, PLACE, primaries, ignoreSoftErrors);
    if (!trace) {
      if (globalCheck?.isHopeless) return noneAdmitted(homes.length);
      if (!globalCheck || globalCheck.admits(i, nearest, NO_NODE, books)) {
        const found = { primary: nearest, secondary: NO_NODE, metric: scoresOf([nearest])[0]! };
        return { found, successes: homes.length, dropped: 0 };
      }
    }
    const scores = scoresOf(homes.map(({ primary }) => primary));
    if (trace) homes.forEach((home, k) => void trace.scored(home, scores[k]!));
    return firstAdmitted(i, scores, (k) => homes[k]!, options);
  }
}
