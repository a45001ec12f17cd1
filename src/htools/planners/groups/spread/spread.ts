/**
 * Spreading load over groups: the move that evens it out most, again and again. Source:
 * docs/design/groups.md, "hspread".
 *
 * Instances on shared pools move between groups that reach their pool; DRBD instances only when disks may be
 * copied. Of moves that are as good, the one that copies least is taken. No group that takes an instance
 * becomes unhealthy, and unhealthy ones take none.
 */
import { HAS_SECONDARY, IS_AUTO_BALANCED, IS_MOVABLE, MIRROR_EXTERNAL } from '../../../model/state/state.ts';
import type { DeepOptions } from '../../anneal/budget.ts';
import { type StopOptions, StopRule } from '../../balance/stop-rule.ts';
import { findHome } from '../homes/homes.ts';
import { GroupRules, stayRule } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { forbidsInterGroup, LAST_RESORT, PREFERRED, tierOf } from '../homes/targets.ts';
import type { SpreadStep } from './deep-spread.ts';
import { spreadCheaper } from './deep-spread.ts';
import { GroupLoads } from './group-load.ts';

/** Scores that differ by less than this share of them count as equal: the sums behind them are rounded. */
const EQUAL_SHARE = 1e-9;

/** Stop rules as in hbal, and whether disks may be copied. */
export interface SpreadOptions extends StopOptions {
  readonly diskMoves: boolean;
  /** The one group that instances leave; by default any. */
  readonly only?: number | undefined;
}

/**
 * Why the search ended. forbidden: the cluster's tag. nothing-movable: no instance may move. no-target: no
 * healthy group. max-steps, min-score, min-gain: the option of that name. searched: the deep search ended.
 * no-home: moves that would even the load out find no home. even: none would.
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

interface Candidate {
  readonly instance: number;
  readonly from: number;
  readonly to: number;
  readonly score: number;
}

export class Spreading {
  readonly loads: GroupLoads;
  private readonly rule: StopRule;
  private readonly rules: GroupRules;
  /** Instances that may move at all. */
  readonly movable: readonly number[];
  /** Groups that may take instances. */
  readonly healthy: ReadonlySet<number>;
  /** Why the steps ended; undefined before they have. */
  end: SpreadEnd | undefined;
  /**
   * By group: what it has refused since it last lost an instance. What comes to a group makes no room there.
   */
  private readonly refused: Set<number>[];
  /** Each instance moves once at most. */
  private readonly hasMoved = new Set<number>();

  constructor(
    private readonly cluster: SuperCluster,
    private readonly options: SpreadOptions,
  ) {
    // No groups carry loads more evenly than equally.
    this.rule = new StopRule(0, options);
    this.loads = new GroupLoads(cluster);
    this.rules = new GroupRules(cluster);
    this.healthy = new Set(cluster.groups.filter((group) => cluster.healthOf(group).state === 'healthy'));
    this.refused = cluster.members.map(() => new Set());
    const { state } = cluster;
    const wanted = IS_MOVABLE | IS_AUTO_BALANCED;
    const mayMove = (i: number): boolean =>
      (state.flags[i]! & wanted) === wanted &&
      (state.mirroring[i] === MIRROR_EXTERNAL ||
        (options.diskMoves && (state.flags[i]! & HAS_SECONDARY) !== 0)) &&
      this.mayLeave(state.groupOf[state.primary[i]!]!) &&
      !state.placement.isSticky(i) &&
      stayRule(cluster, i) === undefined;
    this.movable = forbidsInterGroup(cluster)
      ? []
      : Array.from({ length: state.instanceCount }, (_, i) => i).filter(mayMove);
  }

  private mayLeave(group: number): boolean {
    return this.cluster.groups.includes(group) && (this.options.only ?? group) === group;
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
   * Moves that spread the load at least as evenly as the steps, with the least copying found. The state is
   * left with them made.
   * @param steps all that were taken; the state is as it was before them
   */
  searchDeep(steps: readonly SpreadStep[], deep: DeepOptions): readonly SpreadStep[] {
    const { cluster, loads, rules, movable, healthy } = this;
    const mostMoves = this.options.maxSteps < 0 ? Number.POSITIVE_INFINITY : this.options.maxSteps;
    const found = spreadCheaper({ cluster, loads, rules, movable, healthy, mostMoves, ...deep }, steps);
    const isOther =
      found.length !== steps.length ||
      found.some((one, k) => one.relocation.instance !== steps[k]?.relocation.instance);
    if (isOther) this.end = 'searched';
    return found;
  }

  /** The best move that finds a home, unless it gains too little. */
  private next(before: number): SpreadStep | undefined {
    let hasRefusal = false;
    for (;;) {
      // Groups of last resort take something only when no other group can.
      const found = [PREFERRED, LAST_RESORT].map((tier) => this.best(before, tier));
      const best = found.find((one) => one !== undefined && this.rule.isWorthIt(before, one.score));
      if (best === undefined) {
        const isSmall = found.some((one) => one !== undefined);
        this.end = this.whyNothing(isSmall, hasRefusal || this.refused.some((set) => set.size > 0));
        return undefined;
      }
      const home = findHome(this.cluster, best.instance, [best.to], {
        strategy: 'standard',
        refreshesOld: true,
      });
      if (home.kind !== 'found') {
        hasRefusal = true;
        this.refused[best.to]!.add(best.instance);
        continue;
      }
      this.hasMoved.add(best.instance);
      this.refused[best.from]!.clear();
      this.loads.refresh([best.from, best.to]);
      return { relocation: home.relocation, score: this.loads.score };
    }
  }

  private whyNothing(isSmall: boolean, hasRefusal: boolean): SpreadEnd {
    if (forbidsInterGroup(this.cluster)) return 'forbidden';
    if (this.movable.length === 0) return 'nothing-movable';
    if (this.healthy.size === 0) return 'no-target';
    if (isSmall) return 'min-gain';
    return hasRefusal ? 'no-home' : 'even';
  }

  /** MiB that moving an instance copies. */
  private copied(instance: number): number {
    const { diskTemplate, diskMib } = this.cluster.snapshot.instances[instance]!;
    return diskTemplate === 'drbd' ? 2 * diskMib : 0;
  }

  private best(before: number, tier: number): Candidate | undefined {
    const { state } = this.cluster;
    let best: Candidate | undefined;
    for (const instance of this.movable) {
      const primary = state.primary[instance]!;
      // What a dead node ran is no load now, and its way out is hredist's matter. Nothing is copied twice.
      if (state.isOffline[primary] || this.hasMoved.has(instance)) continue;
      const from = state.groupOf[primary]!;
      for (const to of this.rules.of(instance).open) {
        if (!this.healthy.has(to) || to === from || this.refused[to]!.has(instance)) continue;
        if (tierOf(this.cluster, to) !== tier) continue;
        const score = this.loads.scoreAfter(instance, from, to);
        if (score < before && this.isPreferred(instance, score, best)) best = { instance, from, to, score };
      }
    }
    return best;
  }

  /** Better, or as good and less to copy. */
  private isPreferred(instance: number, score: number, best: Candidate | undefined): boolean {
    if (best === undefined) return true;
    const margin = EQUAL_SHARE * Math.max(1, best.score);
    if (score < best.score - margin) return true;
    return score <= best.score + margin && this.copied(instance) < this.copied(best.instance);
  }
}
