/**
 * How many groups can be given back together: what counts is how many are empty in the end, then how much of
 * the cluster they are. A part of a set that can be emptied can be, too, so a larger set exists only if one
 * with one group more does: for few instances those are all tried; for many, groups are added in the order
 * that promises most. Source: docs/why/groups.md, "hcompress".
 */
import { capacityOf, mayFit, needOf, RESOURCES } from '../homes/group-room.ts';
import { GroupRules } from '../homes/leaving.ts';
import { STRATEGIES } from '../homes/placements.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { moveInTurns, type Relocation, relocate, sendBack } from '../relocate/relocation.ts';
import {
  type GroupVerdict,
  isDecided,
  isReclaimable,
  moreFirst,
  SAME_SHARE,
  type Watch,
} from './compress.ts';
import { Emptying, emptyOf, residentsOf } from './emptying.ts';
import { largestBySums } from './sums-of-memory.ts';

/**
 * Groups that are emptied together, every instance straight to its end: what came to a group that is added
 * later is placed anew, from where it was at the start.
 * @param empty groups that are empty and stay so
 */
function groupSet(cluster: SuperCluster, healthy: ReadonlySet<number>, empty: readonly number[]) {
  const rules = new GroupRules(cluster);
  /** Groups that stay or become empty, and so take nothing. */
  const closed = new Set(empty);
  let all: Relocation[] = [];
  return {
    /**
     * Empties one more group; false, with everything as before, when that does not work this way.
     * @param avoided groups that take nothing if that can be, as they are to be emptied later
     */
    add: (group: number, avoided: ReadonlySet<number>): boolean => {
      const mark = cluster.mark();
      const back = all.filter(({ to }) => to.group === group);
      for (const one of back.toReversed()) sendBack(cluster.state, one);
      const waiting = cluster.largestFirst(
        new Set([...back.map(({ instance }) => instance), ...residentsOf(cluster, group)]),
      );
      const shutAtLeast = new Set([...closed, group]);
      const targets = [...healthy].filter((other) => !shutAtLeast.has(other));
      const strategies = mayFit(cluster, waiting, targets) ? STRATEGIES : [];
      for (const strategy of strategies) {
        for (const shut of avoided.size > 0
          ? [new Set([...shutAtLeast, ...avoided]), shutAtLeast]
          : [shutAtLeast]) {
          const isTarget = (other: number): boolean => healthy.has(other) && !shut.has(other);
          const placed = new Emptying(cluster, rules, isTarget).place(waiting, strategy);
          if (placed === undefined) continue;
          all = [...all.filter((one) => !back.includes(one)), ...placed];
          closed.add(group);
          return true;
        }
      }
      cluster.rollback(mark);
      return false;
    },
    /** The relocations in an order that can be made. The state is left at the start, where none is made. */
    inOrder: (start: TrialMark): readonly Relocation[] | undefined => {
      cluster.rollback(start);
      const { relocations, waiting } = moveInTurns(all, ({ instance, to }) =>
        relocate(cluster.state, instance, to),
      );
      cluster.rollback(start);
      return waiting.length === 0 ? relocations : undefined;
    },
  };
}

/** Groups and instances up to which all sets of one size are tried, and how many of them. */
const MOST_GROUPS = 14;
const MOST_INSTANCES = 60;
const MOST_SETS = 600;

export interface Wanted {
  /** Those that give back most first; not those that are empty already. */
  readonly groups: readonly number[];
  /** In an order in which they can be made; no instance moves twice. */
  readonly relocations: readonly Relocation[];
  /** No larger set exists. */
  readonly isLargest?: boolean;
}

/** All parts of that size, in order. */
function* combinations(items: readonly number[], size: number, from = 0): Generator<readonly number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let k = from; k <= items.length - size; k++) {
    for (const rest of combinations(items, size - 1, k + 1)) yield [items[k]!, ...rest];
  }
}

/** The groups that can be given back together. The state is as before. */
export function findTogether(
  cluster: SuperCluster,
  verdicts: readonly GroupVerdict[],
  watch: Watch = () => {},
): Required<Wanted> {
  const healthy = cluster.healthyGroups();
  const verdictOf = new Map(verdicts.map((verdict) => [verdict.group, verdict]));
  // Verdicts come with those first that give back most, and of equals the cheapest.
  const byShare = [...verdicts].sort((a, b) => moreFirst(a.share, b.share));
  const empty = byShare.filter(({ outcome }) => outcome === 'empty').map(({ group }) => group);
  /** Groups that can be emptied alone, the most first. */
  const candidates = byShare.filter(isReclaimable).map(({ group }) => group);
  const items = [...candidates, ...empty];
  const residents = candidates.reduce((sum, group) => sum + residentsOf(cluster, group).length, 0);
  /** Whether all sets of a size can be tried. */
  const isSmall = items.length <= MOST_GROUPS && residents <= MOST_INSTANCES;
  /** Whether it is known of each group whether it can be emptied; and of all sets that were looked at. */
  const areDecided = verdicts.every(isDecided);
  let isProven = areDecided;
  let sets = 0;

  const weigh = (groups: readonly number[]): number =>
    groups.reduce((sum, group) => sum + verdictOf.get(group)!.share, 0);
  const isBetter = (a: Wanted, b: Wanted): boolean =>
    a.groups.length > b.groups.length ||
    (a.groups.length === b.groups.length && weigh(a.groups) > weigh(b.groups) + SAME_SHARE);

  /** Whether the sums alone leave room for what is in these groups. */
  const hasRoom = (closed: readonly number[]): boolean => {
    const all = [...new Set(closed.flatMap((group) => residentsOf(cluster, group)))];
    const targets = [...healthy].filter((group) => !closed.includes(group));
    return mayFit(cluster, all, targets);
  };

  /** Orders of adding candidates: by free share; for few instances by size, too, least need first. */
  const orders = (): (readonly number[])[] => {
    const { state, members, groups } = cluster;
    const { free } = capacityOf(
      state,
      groups.flatMap((group) => members[group]!),
    );
    const needs = new Map(
      candidates.map((group) => {
        const need = needOf(state, residentsOf(cluster, group));
        return [
          group,
          Math.max(...RESOURCES.map((resource) => need[resource] / Math.max(1, free[resource]))),
        ];
      }),
    );
    const byFree = candidates.toSorted((a, b) => verdictOf.get(b)!.freeShare - verdictOf.get(a)!.freeShare);
    const bySize = candidates.toSorted(
      (a, b) => moreFirst(verdictOf.get(a)!.share, verdictOf.get(b)!.share) || needs.get(a)! - needs.get(b)!,
    );
    return isSmall && byFree.some((group, k) => group !== bySize[k]) ? [byFree, bySize] : [byFree];
  };

  const growInOrder = (order: readonly number[]): Wanted => {
    const start = cluster.mark();
    const promised = largestBySums(cluster, candidates, healthy, empty, order);
    const inTurn = [...promised, ...order.filter((group) => !promised.includes(group))];
    let taken: number[] = [];
    let set = groupSet(cluster, healthy, empty);
    inTurn.forEach((group, k) => {
      watch(group, k, order.length);
      const later = new Set(promised.filter((other) => !taken.includes(other) && other !== group));
      if (set.add(group, later)) taken.push(group);
    });
    for (;;) {
      const relocations = set.inOrder(start);
      if (relocations !== undefined) return { groups: [...empty, ...taken], relocations };
      // No order was found for what was placed: with one group less there is one.
      const fewer = groupSet(cluster, healthy, empty);
      taken = taken.slice(0, -1).filter((group) => fewer.add(group, new Set()));
      set = fewer;
    }
  };

  /** The heaviest set of that size that can be emptied and weighs more than `least`. */
  const tryAll = (size: number, least: number): Wanted | undefined => {
    const rules = new GroupRules(cluster);
    const heaviest = [...combinations(items, size)]
      .filter((groups) => weigh(groups) > least)
      .sort((a, b) => weigh(b) - weigh(a));
    for (const groups of heaviest) {
      if (!hasRoom(groups)) continue;
      if (sets++ >= MOST_SETS) {
        isProven = false;
        return undefined;
      }
      const outcome = emptyOf(cluster, groups, (group) => healthy.has(group), rules);
      if (outcome.isPossible) return { groups, relocations: outcome.relocations };
      isProven &&= outcome.isProven;
    }
    return undefined;
  };

  let best = orders()
    .map(growInOrder)
    .reduce((one, other) => (isBetter(other, one) ? other : one));
  let isLargest = false;
  if (isSmall) {
    // A set with a group more until there is none, then a heavier one of that size.
    for (let wider: Wanted | undefined = best; wider; wider = tryAll(best.groups.length + 1, -1))
      best = wider;
    isLargest = isProven;
    const heavier = (): Wanted | undefined => tryAll(best.groups.length, weigh(best.groups) + SAME_SHARE);
    for (let other = heavier(); other; other = heavier()) best = other;
  }
  const emptied = best.groups.filter((group) => !empty.includes(group));
  const isAll = areDecided && best.groups.length === items.length;
  return { groups: emptied, relocations: best.relocations, isLargest: isLargest || isAll };
}
