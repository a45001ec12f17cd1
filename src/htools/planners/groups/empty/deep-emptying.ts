/**
 * Emptying by the deep search: groups for which no plan was found, more groups together, as many at a lower
 * price, and the same with less harm to those that take the instances. Source: docs/why/groups.md.
 */
import type { DeepOptions } from '../../anneal/budget.ts';
import { RandomStream } from '../../anneal/random.ts';
import { type Aim, isLeft, lastResorts, type Merit } from '../cheaper/aim.ts';
import { findCheaper } from '../cheaper/cheaper.ts';
import { shortagesOf } from '../homes/group-room.ts';
import { GroupRules, stayRule } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { type GroupVerdict, isDecided, isReclaimable, ranked, SAME_SHARE } from './compress.ts';
import { Emptying, emptyGroups, residentsOf } from './emptying.ts';
import type { Wanted } from './together.ts';

/** Shares of the work at which the search for single groups ends, and that for groups together. */
const SINGLE_UNTIL = 0.35;
const TOGETHER_UNTIL = 0.8;
/** Share of the work that one set of groups may take. */
const SET_SHARE = 0.06;

export interface DeepEmptying extends DeepOptions {
  readonly cluster: SuperCluster;
  readonly watch: (group: number) => void;
}

/** A set of groups to empty, and a plan for it or for most of it. */
interface SetTrial {
  readonly groups: readonly number[];
  readonly begin: readonly Relocation[];
  readonly until: number;
  readonly isFirstEnough: boolean;
}

export class DeepEmptier {
  private readonly cluster: SuperCluster;
  private readonly rules: GroupRules;
  private readonly healthy: readonly number[];
  private readonly empty: ReadonlySet<number>;
  private readonly random: RandomStream;
  /** Share of the work that sets which were given up have left undone: nobody else does it. */
  private undone = 0;
  /** At the start: instances with a node in each group; what each counts when it leaves its group. */
  private readonly residents: readonly (readonly number[])[];
  private readonly prices: Float64Array;

  constructor(private readonly options: DeepEmptying) {
    const { cluster } = options;
    this.cluster = cluster;
    this.rules = new GroupRules(cluster);
    this.healthy = [...cluster.healthyGroups()];
    this.empty = new Set(emptyGroups(cluster));
    this.random = new RandomStream(options.seed, 0);
    this.residents = cluster.members.map((_, group) => residentsOf(cluster, group));
    this.prices = Float64Array.from(cluster.snapshot.instances, (_, i) => cluster.priceOfLeaving(i));
  }

  /** Looks for plans where none was found and none is proven impossible; the verdicts in their order. */
  judge(verdicts: readonly GroupVerdict[]): GroupVerdict[] {
    const { cluster, options } = this;
    const open = verdicts.filter((verdict) => !isDecided(verdict));
    const judged = verdicts.map((verdict): GroupVerdict => {
      const at = open.indexOf(verdict);
      if (at < 0) return verdict;
      const { share } = options.budget;
      const until = share + (SINGLE_UNTIL - this.undone - share) / (open.length - at);
      options.watch(verdict.group);
      const found = this.empties({ groups: [verdict.group], begin: [], until, isFirstEnough: true });
      return found
        ? { ...verdict, outcome: { isPossible: true, relocations: found, fills: [] }, gain: verdict.share }
        : verdict;
    });
    return ranked(cluster, judged);
  }

  /** More groups together, or as many at a lower price. */
  together(known: Wanted, verdicts: readonly GroupVerdict[]): Wanted {
    const share = new Map(verdicts.map((verdict) => [verdict.group, verdict.share]));
    const candidates = verdicts.filter(isReclaimable).map(({ group }) => group);
    let best = known;
    const take = (groups: readonly number[]): boolean => {
      const { budget, watch } = this.options;
      const last = TOGETHER_UNTIL - this.undone;
      if (budget.share >= last) return false;
      watch(groups.at(-1)!);
      const closed = new Set(groups);
      const begin = best.relocations.filter(
        ({ from, to }) => !closed.has(to.group) && this.isFrom(from, closed),
      );
      const until = Math.min(last, budget.share + SET_SHARE);
      const relocations = this.empties({ groups, begin, until, isFirstEnough: true });
      if (relocations === undefined) return false;
      const inOrder = [...groups].sort((a, b) => share.get(b)! - share.get(a)! || a - b);
      best = { ...best, groups: inOrder, relocations };
      return true;
    };
    if (!known.isLargest)
      for (const group of candidates) if (!best.groups.includes(group)) take([...best.groups, group]);
    let least = this.priceOf(best.groups);
    for (const { set, price } of this.exchanges(best.groups, candidates, share))
      if (price < least && take(set)) least = this.priceOf(best.groups);
    return best;
  }

  /** The same groups with less harm to the others; the work that is left goes into it. */
  gently({ groups, relocations }: Wanted): readonly Relocation[] {
    if (groups.length === 0) return relocations;
    return (
      this.empties({ groups, begin: relocations, until: 1 - this.undone, isFirstEnough: false }) ??
      relocations
    );
  }

  /** Mean score of the groups that take part and are not emptied, with relocations made. */
  meanScore({ groups, relocations }: Wanted): number {
    const { cluster } = this;
    const others = cluster.groups.filter((group) => !groups.includes(group));
    return cluster.tentatively(() => {
      cluster.replay(relocations);
      return this.scoreOf(others) / Math.max(1, others.length);
    });
  }

  private scoreOf(groups: readonly number[]): number {
    return groups.reduce((sum, group) => sum + this.cluster.scoreOf(group), 0);
  }

  private isFrom({ group, secondary }: Relocation['from'], closed: ReadonlySet<number>): boolean {
    return closed.has(group) || (secondary >= 0 && closed.has(this.cluster.state.groupOf[secondary]!));
  }

  /** Sets with one group in place of another that is no more of the cluster, the cheapest first. */
  private exchanges(
    groups: readonly number[],
    candidates: readonly number[],
    share: ReadonlyMap<number, number>,
  ): { readonly set: readonly number[]; readonly price: number }[] {
    const sets = groups.flatMap((out) =>
      candidates
        .filter((other) => !groups.includes(other) && share.get(other)! >= share.get(out)! - SAME_SHARE)
        .map((other) => [...groups.filter((group) => group !== out), other]),
    );
    return sets.map((set) => ({ set, price: this.priceOf(set) })).sort((a, b) => a.price - b.price);
  }

  /** What emptying groups counts, as long as no instance has its nodes in two. */
  private priceOf(groups: readonly number[]): number {
    const isCounted = new Uint8Array(this.prices.length);
    let price = 0;
    for (const group of groups)
      for (const i of this.residents[group]!) {
        if (isCounted[i] === 0) price += this.prices[i]!;
        isCounted[i] = 1;
      }
    return price;
  }

  /** A plan that empties groups, the better the more work is left; the state is as before. */
  private empties({ groups, begin, until, isFirstEnough }: SetTrial): readonly Relocation[] | undefined {
    const { cluster, random } = this;
    const { budget } = this.options;
    const { state } = cluster;
    const used = new Set(begin.map(({ to }) => to.group));
    const targets = this.healthy.filter(
      (group) => !groups.includes(group) && (!this.empty.has(group) || used.has(group)),
    );
    const residents = [...new Set(groups.flatMap((group) => this.residents[group]!))];
    if (residents.some((i) => stayRule(cluster, i) !== undefined)) return undefined;
    if (shortagesOf(cluster, residents, targets).length > 0) return undefined;
    const { targetsOf } = new Emptying(cluster, this.rules, (group) => targets.includes(group));
    if (residents.some((i) => targetsOf(i).length === 0)) return undefined;
    const before = this.scoreOf(targets);
    const harm = (): number => this.scoreOf(targets) / Math.max(before, Number.MIN_VALUE);
    const leaves = new Uint8Array(state.nodeCount);
    for (const group of groups) for (const n of cluster.members[group]!) leaves[n] = 1;
    const aim: Aim = {
      movable: residents,
      leaves,
      healed: new Set(),
      staysWithin: false,
      targetsOf,
      ...(!isFirstEnough && before > 0 && { harm }),
    };
    const merit = (relocations: readonly Relocation[]): Merit =>
      residents.some((i) => isLeft(leaves, state, i)) || !targets.every((group) => cluster.isHealthy(group))
        ? undefined
        : [lastResorts(cluster, relocations), cluster.priceOf(relocations), harm()];
    const from = budget.share;
    const found = findCheaper({ cluster, aim, random, budget, until, merit, isFirstEnough }, begin);
    if (!found && budget.share < (from + until) / 2) this.undone += until - budget.share;
    return found;
  }
}
