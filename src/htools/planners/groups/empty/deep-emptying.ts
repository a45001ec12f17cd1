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

interface DeepEmptying extends DeepOptions {
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

const sumOfScores = (cluster: SuperCluster, groups: readonly number[]): number =>
  groups.reduce((sum, group) => sum + cluster.scoreOf(group), 0);

/** Mean score of the groups that take part and are not emptied, with relocations made. */
export function meanScore(cluster: SuperCluster, { groups, relocations }: Wanted): number {
  const others = cluster.groups.filter((group) => !groups.includes(group));
  return cluster.tentatively(() => {
    cluster.replay(relocations);
    return sumOfScores(cluster, others) / Math.max(1, others.length);
  });
}

/** Steps of one search, to be taken in their order. */
export function deepEmptier({ cluster, watch, seed, budget }: DeepEmptying) {
  const { state } = cluster;
  const rules = new GroupRules(cluster);
  const healthy = [...cluster.healthyGroups()];
  const empty = new Set(emptyGroups(cluster));
  const random = new RandomStream(seed, 0);
  /** Share of the work that sets which were given up have left undone: nobody else does it. */
  let undone = 0;
  /** At the start: instances with a node in each group; what each counts when it leaves its group. */
  const residentsIn = cluster.members.map((_, group) => residentsOf(cluster, group));
  const prices = Float64Array.from(cluster.snapshot.instances, (_, i) => cluster.priceOfLeaving(i));

  const isFrom = ({ group, secondary }: Relocation['from'], closed: ReadonlySet<number>): boolean =>
    closed.has(group) || (secondary >= 0 && closed.has(state.groupOf[secondary]!));
  /** Each once, also where an instance has its nodes in two of the groups. */
  const residentsInAny = (groups: readonly number[]): readonly number[] => [
    ...new Set(groups.flatMap((group) => residentsIn[group]!)),
  ];
  /** What emptying groups counts. */
  const priceOf = (groups: readonly number[]): number =>
    residentsInAny(groups).reduce((price, i) => price + prices[i]!, 0);
  /** Sets with one group in place of another that is no more of the cluster, the cheapest first. */
  const exchanges = (
    groups: readonly number[],
    candidates: readonly number[],
    share: ReadonlyMap<number, number>,
  ) => {
    const sets = groups.flatMap((out) =>
      candidates
        .filter((other) => !groups.includes(other) && share.get(other)! >= share.get(out)! - SAME_SHARE)
        .map((other) => [...groups.filter((group) => group !== out), other]),
    );
    return sets.map((set) => ({ set, price: priceOf(set) })).sort((a, b) => a.price - b.price);
  };

  /** A plan that empties groups, the better the more work is left; the state is as before. */
  const empties = ({ groups, begin, until, isFirstEnough }: SetTrial): readonly Relocation[] | undefined => {
    const used = new Set(begin.map(({ to }) => to.group));
    const targets = healthy.filter(
      (group) => !groups.includes(group) && (!empty.has(group) || used.has(group)),
    );
    const residents = residentsInAny(groups);
    if (residents.some((i) => stayRule(cluster, i) !== undefined)) return undefined;
    if (shortagesOf(cluster, residents, targets).length > 0) return undefined;
    const { targetsOf } = new Emptying(cluster, rules, (group) => targets.includes(group));
    if (residents.some((i) => targetsOf(i).length === 0)) return undefined;
    const before = sumOfScores(cluster, targets);
    const harm = (): number => sumOfScores(cluster, targets) / Math.max(before, Number.MIN_VALUE);
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
    if (!found && budget.share < (from + until) / 2) undone += until - budget.share;
    return found;
  };

  return {
    /** Looks for plans where none was found and none is proven impossible; the verdicts in their order. */
    judge: (verdicts: readonly GroupVerdict[]): GroupVerdict[] => {
      const open = verdicts.filter((verdict) => !isDecided(verdict));
      const judged = verdicts.map((verdict): GroupVerdict => {
        const at = open.indexOf(verdict);
        if (at < 0) return verdict;
        const { share } = budget;
        const until = share + (SINGLE_UNTIL - undone - share) / (open.length - at);
        watch(verdict.group);
        const found = empties({ groups: [verdict.group], begin: [], until, isFirstEnough: true });
        return found
          ? { ...verdict, outcome: { isPossible: true, relocations: found, fills: [] }, gain: verdict.share }
          : verdict;
      });
      return ranked(cluster, judged);
    },

    /** More groups together, or as many at a lower price. */
    together: (known: Wanted, verdicts: readonly GroupVerdict[]): Wanted => {
      const share = new Map(verdicts.map((verdict) => [verdict.group, verdict.share]));
      const candidates = verdicts.filter(isReclaimable).map(({ group }) => group);
      let best = known;
      const take = (groups: readonly number[]): boolean => {
        const last = TOGETHER_UNTIL - undone;
        if (budget.share >= last) return false;
        watch(groups.at(-1)!);
        const closed = new Set(groups);
        const begin = best.relocations.filter(
          ({ from, to }) => !closed.has(to.group) && isFrom(from, closed),
        );
        const until = Math.min(last, budget.share + SET_SHARE);
        const relocations = empties({ groups, begin, until, isFirstEnough: true });
        if (relocations === undefined) return false;
        const inOrder = [...groups].sort((a, b) => share.get(b)! - share.get(a)! || a - b);
        best = { ...best, groups: inOrder, relocations };
        return true;
      };
      if (!known.isLargest)
        for (const group of candidates) if (!best.groups.includes(group)) take([...best.groups, group]);
      let least = priceOf(best.groups);
      for (const { set, price } of exchanges(best.groups, candidates, share))
        if (price < least && take(set)) least = priceOf(best.groups);
      return best;
    },

    /** The same groups with less harm to the others; the work that is left goes into it. */
    gently: ({ groups, relocations }: Wanted): readonly Relocation[] => {
      if (groups.length === 0) return relocations;
      const found = empties({ groups, begin: relocations, until: 1 - undone, isFirstEnough: false });
      return found ?? relocations;
    },
  };
}
