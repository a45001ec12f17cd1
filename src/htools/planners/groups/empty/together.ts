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
import { SumsOfMemory } from './sums-of-memory.ts';

/**
 * Groups that are emptied together, every instance straight to its end: what came to a group that is added
 * later is placed anew, from where it was at the start.
 */
class GroupSet {
  private readonly rules: GroupRules;
  /** Groups that stay or become empty, and so take nothing. */
  private readonly closed: Set<number>;
  private relocations: Relocation[] = [];

  /** @param empty groups that are empty and stay so */
  constructor(
    private readonly cluster: SuperCluster,
    private readonly healthy: ReadonlySet<number>,
    empty: readonly number[],
  ) {
    this.rules = new GroupRules(cluster);
    this.closed = new Set(empty);
  }

  /**
   * Empties one more group; false, with everything as before, when that does not work this way.
   * @param avoided groups that take nothing if that can be, as they are to be emptied later
   */
  add(group: number, avoided: ReadonlySet<number>): boolean {
    const { cluster } = this;
    const mark = cluster.mark();
    const back = this.relocations.filter(({ to }) => to.group === group);
    for (const one of back.toReversed()) sendBack(cluster.state, one);
    const waiting = cluster.largestFirst(
      new Set([...back.map(({ instance }) => instance), ...residentsOf(cluster, group)]),
    );
    const closed = new Set([...this.closed, group]);
    const targets = [...this.healthy].filter((other) => !closed.has(other));
    const strategies = mayFit(cluster, waiting, targets) ? STRATEGIES : [];
    for (const strategy of strategies) {
      for (const shut of avoided.size > 0 ? [new Set([...closed, ...avoided]), closed] : [closed]) {
        const isTarget = (other: number): boolean => this.healthy.has(other) && !shut.has(other);
        const placed = new Emptying(cluster, this.rules, isTarget).place(waiting, strategy);
        if (placed === undefined) continue;
        this.relocations = [...this.relocations.filter((one) => !back.includes(one)), ...placed];
        this.closed.add(group);
        return true;
      }
    }
    cluster.rollback(mark);
    return false;
  }

  /** The relocations in an order that can be made. The state is left at the start, where none is made. */
  inOrder(start: TrialMark): readonly Relocation[] | undefined {
    const { cluster } = this;
    cluster.rollback(start);
    const { relocations, waiting } = moveInTurns(this.relocations, ({ instance, to }) =>
      relocate(cluster.state, instance, to),
    );
    cluster.rollback(start);
    return waiting.length === 0 ? relocations : undefined;
  }
}

/** Groups and instances up to which all sets of one size are tried, and how many of them. */
const MOST_GROUPS = 14;
const MOST_INSTANCES = 60;
const MOST_SETS = 600;

/** Groups that are emptied. */
export interface Wanted {
  /** Those that give back most first; not those that are empty already. */
  readonly groups: readonly number[];
  /** In an order in which they can be made; no instance moves twice. */
  readonly relocations: readonly Relocation[];
  /** No larger set exists. */
  readonly isLargest?: boolean;
}

class TogetherSearch {
  private readonly healthy: ReadonlySet<number>;
  private readonly verdictOf: ReadonlyMap<number, GroupVerdict>;
  private readonly empty: readonly number[];
  /** Groups that can be emptied alone, the most first. */
  private readonly candidates: readonly number[];
  /** Whether all sets of a size can be tried. */
  private readonly isSmall: boolean;
  private sets = 0;
  /** Whether it is known of each group whether it can be emptied; and of all sets that were looked at. */
  private readonly areDecided: boolean;
  private isProven: boolean;

  constructor(
    private readonly cluster: SuperCluster,
    verdicts: readonly GroupVerdict[],
    private readonly watch: Watch = () => {},
  ) {
    this.areDecided = verdicts.every(isDecided);
    this.isProven = this.areDecided;
    this.healthy = cluster.healthyGroups();
    this.verdictOf = new Map(verdicts.map((verdict) => [verdict.group, verdict]));
    // Verdicts come with those first that give back most, and of equals the cheapest.
    const byShare = [...verdicts].sort((a, b) => moreFirst(a.share, b.share));
    this.empty = byShare.filter(({ outcome }) => outcome === 'empty').map(({ group }) => group);
    this.candidates = byShare.filter(isReclaimable).map(({ group }) => group);
    const residents = this.candidates.reduce((sum, group) => sum + residentsOf(cluster, group).length, 0);
    this.isSmall = this.candidates.length + this.empty.length <= MOST_GROUPS && residents <= MOST_INSTANCES;
  }

  private weigh(groups: readonly number[]): number {
    return groups.reduce((sum, group) => sum + this.verdictOf.get(group)!.share, 0);
  }

  find(): Required<Wanted> {
    const grown = this.orders()
      .map((order) => this.growInOrder(order))
      .reduce((best, one) => (this.isBetter(one, best) ? one : best));
    const { best, isLargest } = this.isSmall ? this.widen(grown) : { best: grown, isLargest: false };
    const emptied = best.groups.filter((group) => !this.empty.includes(group));
    const isAll = this.areDecided && best.groups.length === this.candidates.length + this.empty.length;
    return { groups: emptied, relocations: best.relocations, isLargest: isLargest || isAll };
  }

  /** Whether the sums alone leave room for what is in these groups. */
  private hasRoom(closed: readonly number[]): boolean {
    const residents = [...new Set(closed.flatMap((group) => residentsOf(this.cluster, group)))];
    const targets = [...this.healthy].filter((group) => !closed.includes(group));
    return mayFit(this.cluster, residents, targets);
  }

  /** Orders of adding candidates: by free share; for few instances by size, too, least need first. */
  private orders(): (readonly number[])[] {
    const { candidates, verdictOf } = this;
    const { state, members, groups } = this.cluster;
    const { free } = capacityOf(
      state,
      groups.flatMap((group) => members[group]!),
    );
    const needs = new Map(
      candidates.map((group) => {
        const need = needOf(state, residentsOf(this.cluster, group));
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
    return this.isSmall && byFree.some((group, k) => group !== bySize[k]) ? [byFree, bySize] : [byFree];
  }

  private isBetter(a: Wanted, b: Wanted): boolean {
    return (
      a.groups.length > b.groups.length ||
      (a.groups.length === b.groups.length && this.weigh(a.groups) > this.weigh(b.groups) + SAME_SHARE)
    );
  }

  /** Adds groups one after another. */
  private growInOrder(order: readonly number[]): Wanted {
    const { cluster, empty, healthy, candidates } = this;
    const start = cluster.mark();
    const promised = new SumsOfMemory(cluster, candidates, healthy).largest(empty, order);
    const inTurn = [...promised, ...order.filter((group) => !promised.includes(group))];
    let taken: number[] = [];
    let set = new GroupSet(cluster, healthy, empty);
    inTurn.forEach((group, k) => {
      this.watch(group, k, order.length);
      const later = new Set(promised.filter((other) => !taken.includes(other) && other !== group));
      if (set.add(group, later)) taken.push(group);
    });
    for (;;) {
      const relocations = set.inOrder(start);
      if (relocations !== undefined) return { groups: [...empty, ...taken], relocations };
      // No order was found for what was placed: with one group less there is one.
      const fewer = new GroupSet(cluster, healthy, empty);
      taken = taken.slice(0, -1).filter((group) => fewer.add(group, new Set()));
      set = fewer;
    }
  }

  /** Looks for a set with a group more until there is none, then for a larger one of that size. */
  private widen(grown: Wanted): { best: Wanted; isLargest: boolean } {
    const items = [...this.candidates, ...this.empty];
    let best = grown;
    for (let size = best.groups.length + 1; size <= items.length; size++) {
      const wider = this.tryAll(items, size, -1);
      if (wider === undefined) break;
      best = wider;
    }
    const isLargest = this.isProven;
    for (;;) {
      const heavier = this.tryAll(items, best.groups.length, this.weigh(best.groups) + SAME_SHARE);
      if (heavier === undefined) return { best, isLargest };
      best = heavier;
    }
  }

  /** The heaviest set of that size that can be emptied and weighs more than `least`. */
  private tryAll(items: readonly number[], size: number, least: number): Wanted | undefined {
    const rules = new GroupRules(this.cluster);
    const sets = [...combinations(items, size)]
      .filter((groups) => this.weigh(groups) > least)
      .sort((a, b) => this.weigh(b) - this.weigh(a));
    for (const groups of sets) {
      if (!this.hasRoom(groups)) continue;
      if (this.sets++ >= MOST_SETS) {
        this.isProven = false;
        return undefined;
      }
      const outcome = emptyOf(this.cluster, groups, (group) => this.healthy.has(group), rules);
      if (outcome.isPossible) return { groups, relocations: outcome.relocations };
      this.isProven &&= outcome.isProven;
    }
    return undefined;
  }
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
export const findTogether = (
  cluster: SuperCluster,
  verdicts: readonly GroupVerdict[],
  watch?: Watch,
): Required<Wanted> => new TogetherSearch(cluster, verdicts, watch).find();
