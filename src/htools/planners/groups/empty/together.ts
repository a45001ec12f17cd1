/**
 * How many groups can be given back together. Source: docs/why/groups.md, "hcompress".
 *
 * What counts is how many groups are empty in the end, those included that are empty now, then how much of
 * the cluster they are. A part of a set that can be emptied can be emptied, too, so a larger set exists only
 * if one with one group more does: for few groups and instances those are all tried; for many, groups are
 * added one after another in the order that promises most.
 */
import { capacityOf, needOf, RESOURCES, shortagesOf } from '../homes/group-room.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { type GroupVerdict, healthyGroups, isReclaimable, SAME_SHARE, type Watch } from './compress.ts';
import { residentsOf } from './emptying.ts';
import { emptyTogether, GroupSet } from './group-set.ts';
import { SumsOfMemory } from './sums-of-memory.ts';

/** Groups and instances up to which all sets of one size are tried, and how many of them. */
const MOST_GROUPS = 14;
const MOST_INSTANCES = 60;
const MOST_SETS = 600;

/** Groups that can be given back together. */
export interface Together {
  /** Groups that are emptied, those that give back most first; not those that are empty already. */
  readonly groups: readonly number[];
  /** In an order in which they can be made; no instance moves twice. */
  readonly relocations: readonly Relocation[];
  /** Groups that are empty now and get instances, as more is given back that way. */
  readonly filled: readonly number[];
  /** No larger set exists. */
  readonly isLargest: boolean;
}

interface Found {
  readonly groups: readonly number[];
  readonly relocations: readonly Relocation[];
}

class TogetherSearch {
  private readonly cluster: SuperCluster;
  private readonly healthy: ReadonlySet<number>;
  private readonly share: ReadonlyMap<number, number>;
  private readonly free: ReadonlyMap<number, number>;
  private readonly empty: readonly number[];
  /** Groups that can be emptied alone, the most first. */
  private readonly candidates: readonly number[];
  private readonly sums: SumsOfMemory;
  private sets = 0;
  private isProven = true;

  constructor(cluster: SuperCluster, verdicts: readonly GroupVerdict[]) {
    this.cluster = cluster;
    this.healthy = healthyGroups(cluster);
    this.share = new Map(verdicts.map(({ group, share }) => [group, share]));
    this.free = new Map(verdicts.map(({ group, freeShare }) => [group, freeShare]));
    // Verdicts come with those first that give back most, and of equals the cheapest.
    const byShare = [...verdicts].sort((a, b) =>
      Math.abs(a.share - b.share) <= SAME_SHARE ? 0 : b.share - a.share,
    );
    this.empty = byShare.filter(({ outcome }) => outcome === 'empty').map(({ group }) => group);
    this.candidates = byShare.filter(isReclaimable).map(({ group }) => group);
    this.sums = new SumsOfMemory(cluster, this.candidates, this.healthy);
  }

  private weigh(groups: readonly number[]): number {
    return groups.reduce((sum, group) => sum + this.share.get(group)!, 0);
  }

  private get isSmall(): boolean {
    const residents = this.candidates.reduce(
      (sum, group) => sum + residentsOf(this.cluster, group).length,
      0,
    );
    return this.candidates.length + this.empty.length <= MOST_GROUPS && residents <= MOST_INSTANCES;
  }

  find(watch: Watch): Together {
    const grown = this.grow(watch);
    const { best, isLargest } = this.isSmall ? this.widen(grown) : { best: grown, isLargest: false };
    const emptied = best.groups.filter((group) => !this.empty.includes(group));
    const filled = this.empty.filter((group) => !best.groups.includes(group));
    const isAll = emptied.length === this.candidates.length && filled.length === 0;
    return { groups: emptied, relocations: best.relocations, filled, isLargest: isLargest || isAll };
  }

  /** Whether the sums alone leave room for one more group. */
  private hasRoom(closed: readonly number[]): boolean {
    const shut = new Set(closed);
    const residents = [...new Set(closed.flatMap((group) => residentsOf(this.cluster, group)))];
    const targets = [...this.healthy].filter((group) => !shut.has(group));
    return shortagesOf(this.cluster, residents, targets).length === 0;
  }

  /** Orders of adding candidates: by free share; for few instances by size, too, least need first. */
  private orders(): (readonly number[])[] {
    const { state, members } = this.cluster;
    const { free } = capacityOf(
      state,
      this.cluster.groups.flatMap((group) => members[group]!),
    );
    const needs = new Map(
      this.candidates.map((group) => {
        const need = needOf(state, residentsOf(this.cluster, group));
        return [
          group,
          Math.max(...RESOURCES.map((resource) => need[resource] / Math.max(1, free[resource]))),
        ];
      }),
    );
    const byNeed = (a: number, b: number): number => needs.get(a)! - needs.get(b)!;
    const bySize = (a: number, b: number): number => {
      const more = this.share.get(b)! - this.share.get(a)!;
      return Math.abs(more) <= SAME_SHARE ? byNeed(a, b) : more;
    };
    const byFree = (a: number, b: number): number => this.free.get(b)! - this.free.get(a)!;
    const orders = [[...this.candidates].sort(byFree), [...this.candidates].sort(bySize)];
    const isOne = !this.isSmall || orders[0]!.every((group, k) => group === orders[1]![k]);
    return isOne ? [orders[0]!] : orders;
  }

  /** The best of the sets that come of adding groups one after another. */
  private grow(watch: Watch): Found {
    const found = this.orders().map((order) => this.growInOrder(order, watch));
    return found.reduce((best, one) => (this.isBetter(one, best) ? one : best));
  }

  private isBetter(a: Found, b: Found): boolean {
    return (
      a.groups.length > b.groups.length ||
      (a.groups.length === b.groups.length && this.weigh(a.groups) > this.weigh(b.groups) + SAME_SHARE)
    );
  }

  /** Adds groups one after another. */
  private growInOrder(order: readonly number[], watch: Watch): Found {
    const { cluster, empty } = this;
    const start = cluster.mark();
    const promised = this.sums.largest(empty, order);
    const inTurn = [...promised, ...order.filter((group) => !promised.includes(group))];
    let taken: number[] = [];
    let set = new GroupSet(cluster, this.healthy, empty);
    inTurn.forEach((group, k) => {
      watch(group, k, order.length);
      const later = new Set(promised.filter((other) => !taken.includes(other) && other !== group));
      if (set.add(group, later)) taken.push(group);
    });
    for (;;) {
      const relocations = set.inOrder(start);
      cluster.rollback(start);
      if (relocations !== undefined) return { groups: [...empty, ...taken], relocations };
      // No order was found for what was placed: with one group less there is one.
      taken = taken.slice(0, -1);
      set = new GroupSet(cluster, this.healthy, empty);
      for (const group of taken) set.add(group, new Set());
    }
  }

  /** Looks for a set with a group more until there is none, then for a larger one of that size. */
  private widen(grown: Found): { best: Found; isLargest: boolean } {
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
  private tryAll(items: readonly number[], size: number, least: number): Found | undefined {
    const sets = [...combinations(items, size)]
      .filter((groups) => this.weigh(groups) > least)
      .sort((a, b) => this.weigh(b) - this.weigh(a));
    for (const groups of sets) {
      if (!this.hasRoom(groups)) continue;
      if (this.sets++ >= MOST_SETS) {
        this.isProven = false;
        return undefined;
      }
      const outcome = emptyTogether(this.cluster, this.healthy, groups);
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
  watch: Watch = () => {},
): Together => new TogetherSearch(cluster, verdicts).find(watch);
