/**
 * Homes for new instances, one after the other, as the stock programs choose them: the first choice by score
 * that every rule allows, of equal ones the last.
 *
 * An allocator stands on a state and keeps what it knows of it from one allocation to the next; whoever
 * changes the state in between says so by `refresh`. Source: stock tryAlloc and its primitives.
 */
import { ALLOWED, FAIL_DISK, FAIL_N1 } from '../../../cluster/refusal.ts';
import type { Instance } from '../../../cluster/snapshot.ts';
import { exactScores, PLACE, TargetChooser } from '../../../model/redundancy/drbd/best-target.ts';
import { primaryRefusal } from '../../../model/rules/admission.ts';
import { policyRefusalOn } from '../../../model/rules/policy.ts';
import { explainPoolSpace, poolSpaceRefusal } from '../../../model/rules/pool-space.ts';
import { ascendingPlaces } from '../../../model/score/ascending.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import {
  type AllocNodes,
  type AllocOptions,
  type AllocSolution,
  type NodePairs,
  noRefusals,
  pairsOf,
} from '../solution.ts';
import { PairAllocation } from './pair-allocation.ts';

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
          ? this.allocatePairs(i, nodes.pairs, options)
          : this.allocateSingles(i, nodes.nodes, options);
    this.state.dropLastInstance();
    return solution;
  }

  /** The pool is too full for the instance, so no node will do. */
  private refuseAll(i: number, nodes: AllocNodes, { onRefusal }: AllocOptions): AllocSolution {
    const refusals = noRefusals();
    for (const { primary, secondaries } of pairsOf(nodes)) {
      const code = policyRefusalOn(this.state, i, primary) || FAIL_DISK;
      const count = secondaries.length;
      refusals[code]! += count;
      onRefusal?.({ primary, secondary: -1, code, count });
    }
    return { refusals, successes: 0, best: undefined, pool: explainPoolSpace(this.state, i) };
  }

  private allocatePairs(i: number, pairs: readonly NodePairs[], options: AllocOptions): AllocSolution {
    const { state } = this;
    this.pairs ??= new PairAllocation(this.chooser.statistics);
    const codes = pairs.map(
      ({ primary: p }) =>
        policyRefusalOn(state, i, p) || primaryRefusal(state, i, p, options.ignoreSoftErrors),
    );
    return this.pairs.allocate(i, pairs, codes, options);
  }

  private allocateSingles(i: number, targets: readonly number[], options: AllocOptions): AllocSolution {
    const refusals = noRefusals();
    const { chooser } = this;
    const { ignoreSoftErrors, onRefusal, onScore } = options;
    const isHopeless = options.globalCheck?.isHopeless ?? false;
    const best = chooser.choose(i, PLACE, targets, ignoreSoftErrors);
    targets.forEach((primary, k) => {
      const code = chooser.refusals[k]!;
      if (code === ALLOWED) return;
      refusals[code]!++;
      onRefusal?.({ primary, secondary: -1, code, count: 1 });
    });
    const allowed = targets.filter((_, k) => chooser.refusals[k] === ALLOWED);
    if (best === undefined) return { refusals, successes: 0, best: undefined };
    const admits = this.admission(i, options);
    const exact = (targetNodes: readonly number[]): number[] =>
      exactScores(chooser.statistics, i, PLACE, targetNodes, ignoreSoftErrors);
    if (!onScore && !isHopeless && admits(best, -1)) {
      const metric = exact([best])[0]!;
      return { refusals, successes: allowed.length, best: { primary: best, secondary: -1, metric } };
    }
    const scores = isHopeless && !onScore ? [] : exact(allowed);
    if (onScore) scores.forEach((score, k) => void onScore({ primary: allowed[k]!, secondary: -1 }, score));
    const places = isHopeless ? [...allowed.keys()] : ascendingPlaces(scores);
    const first = places.findIndex((k) => {
      const primary = allowed[k]!;
      if (admits(primary, -1)) return true;
      const stuck = options.globalCheck!.refusingNode;
      onRefusal?.({ primary, secondary: -1, code: FAIL_N1, count: 1, stuck });
      return false;
    });
    const dropped = first < 0 ? allowed.length : first;
    refusals[FAIL_N1]! += dropped;
    const k = places[first];
    return {
      refusals,
      successes: allowed.length - dropped,
      best: k === undefined ? undefined : { primary: allowed[k]!, secondary: -1, metric: scores[k]! },
    };
  }

  private admission(i: number, options: AllocOptions): (primary: number, secondary: number) => boolean {
    const { globalCheck, books } = options;
    if (!globalCheck) return () => true;
    return (primary, secondary) => globalCheck.admits(i, primary, secondary, books);
  }
}
