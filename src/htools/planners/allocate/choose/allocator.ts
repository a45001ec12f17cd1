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
import { policyRefusalOn } from '../../../model/rules/policy.ts';
import { explainPoolSpace, poolSpaceRefusal } from '../../../model/rules/pool-space.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import {
  type AllocNodes,
  type AllocOptions,
  type AllocSolution,
  noRefusals,
  type Placement,
  pairsOf,
} from '../solution.ts';
import { type Admitted, firstAdmitted, noneAdmitted } from './first-admitted.ts';
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
