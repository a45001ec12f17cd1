/**
 * Spreading load over groups: the move that evens it out most, again and again; DRBD instances only when
 * disks may be copied. Groups that take instances are healthy and stay so. Source: docs/why/groups.md.
 */
import { MIRROR_EXTERNAL } from '../../../model/state/state.ts';
import type { DeepOptions } from '../../anneal/budget.ts';
import { type StopOptions, StopRule } from '../../balance/stop-rule.ts';
import { findHome } from '../homes/homes.ts';
import { forbidsInterGroup, GroupRules, stayRule } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { BestMoves, type SpreadMove } from './best-move.ts';
import { type SpreadStep, spreadCheaper } from './deep-spread.ts';
import { GroupLoads } from './group-load.ts';

/** Stop rules as in hbal, and whether disks may be copied. */
export interface SpreadOptions extends StopOptions {
  readonly diskMoves: boolean;
  /** The one group that instances leave; by default any. */
  readonly only?: number | undefined;
}

/**
 * Why the search ended. forbidden: the cluster's tag. nothing-movable, no-target: no instance, no healthy
 * group. max-steps, min-score, min-gain: the option. searched: the deep search ended. no-home: moves that
 * would even the load out find no home. even: none would.
 */
export type SpreadEnd =
  | 'forbidden'
  | 'nothing-movable'
  | 'no-target'
  | 'max-steps'
  | 'min-score'
  | 'min-gain'
  | 'searched'
  | 'no-home'
  | 'even';

export class Spreading {
  readonly loads: GroupLoads;
  private readonly rule: StopRule;
  private readonly rules: GroupRules;
  /** Instances that may move at all. */
  readonly movable: readonly number[];
  /** Groups that may take instances. */
  readonly healthy: ReadonlySet<number>;
  /** Why the steps ended, once they have. */
  end: SpreadEnd = 'even';
  private readonly moves: BestMoves;

  constructor(
    private readonly cluster: SuperCluster,
    private readonly options: SpreadOptions,
  ) {
    // No groups carry loads more evenly than equally.
    this.rule = new StopRule(0, options);
    this.loads = new GroupLoads(cluster);
    this.rules = new GroupRules(cluster);
    this.healthy = cluster.healthyGroups();
    const { state } = cluster;
    const mayLeave = (group: number): boolean =>
      cluster.groups.includes(group) && (options.only ?? group) === group;
    const mayMove = (i: number): boolean =>
      cluster.isBalanced(i) &&
      (state.mirroring[i] === MIRROR_EXTERNAL || (options.diskMoves && cluster.isMirrored(i))) &&
      mayLeave(cluster.groupOf(i)) &&
      !state.placement.isSticky(i) &&
      stayRule(cluster, i) === undefined;
    this.movable = Array.from({ length: state.instanceCount }, (_, i) => i).filter(mayMove);
    this.moves = new BestMoves(cluster, this.loads, this.rules, this.movable, this.healthy);
  }

  /** Takes steps on the state, handing out each as soon as it is taken. */
  *steps(): Generator<SpreadStep, void, void> {
    let taken = 0;
    for (; this.rule.mayGoOn(taken, this.loads.score); taken++) {
      const step = this.next(this.loads.score);
      if (step === undefined) return;
      yield step;
    }
    this.end = this.loads.score > this.options.minScore ? 'max-steps' : 'min-score';
  }

  /**
   * Moves that spread the load as evenly, at the lowest price found. The state is left with them made.
   * @param steps all that were taken; the state is as it was before them
   */
  searchDeep(steps: readonly SpreadStep[], deep: DeepOptions): readonly SpreadStep[] {
    const { cluster, loads, rules, movable, healthy } = this;
    const mostMoves = this.options.maxSteps < 0 ? Number.POSITIVE_INFINITY : this.options.maxSteps;
    const found = spreadCheaper({ cluster, loads, rules, movable, healthy, mostMoves, ...deep }, steps);
    const isOther =
      found.length !== steps.length || found.some(({ relocation }, k) => relocation !== steps[k]!.relocation);
    if (isOther) this.end = 'searched';
    return found;
  }

  /** The best move that finds a home, unless it gains too little. */
  private next(before: number): SpreadStep | undefined {
    for (;;) {
      let isSmall = false;
      const worthIt = (isLastResort: boolean): SpreadMove | undefined => {
        const move = this.moves.find(before, isLastResort);
        if (move === undefined || this.rule.isWorthIt(before, move.score)) return move;
        isSmall = true;
        return undefined;
      };
      // Groups of last resort take something only when no other group can.
      const best = worthIt(false) ?? worthIt(true);
      if (best === undefined) {
        this.end = this.whyNothing(isSmall);
        return undefined;
      }
      const { relocation } = findHome(this.cluster, best.instance, [best.to]);
      if (!relocation) {
        this.moves.refuse(best);
        continue;
      }
      this.moves.take(best);
      this.loads.refresh([best.from, best.to]);
      return { relocation, score: this.loads.score };
    }
  }

  private whyNothing(isSmall: boolean): SpreadEnd {
    if (forbidsInterGroup(this.cluster)) return 'forbidden';
    if (this.movable.length === 0) return 'nothing-movable';
    if (this.healthy.size === 0) return 'no-target';
    if (isSmall) return 'min-gain';
    return this.moves.hasRefused ? 'no-home' : 'even';
  }
}
