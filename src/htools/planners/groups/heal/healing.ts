/**
 * Healing one group by moving instances within it and out of it; each stage goes on from where the last one
 * left the state. Source: docs/why/groups.md, "hredist".
 *
 * All instances of offline nodes have to go from there, secondaries with their primaries: largest first.
 * Where nodes fail N+1, instances go one by one: secondaries on such nodes, then primaries there, the one
 * that helps most for its price first; what turns out not to be needed is put back.
 */
import * as F from '../../../model/state/node-fields.ts';
import { instancesOn } from '../../../model/state/scope.ts';
import { IS_AUTO_BALANCED, IS_MOVABLE } from '../../../model/state/state.ts';
import { failingNodes } from '../homes/health.ts';
import { findHome } from '../homes/homes.ts';
import { fixedRule, type GroupRules, stayRule } from '../homes/leaving.ts';
import type { Strategy } from '../homes/placements.ts';
import { replay } from '../homes/replay.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { type Stranded, strandedBy } from '../refusals/refusals.ts';
import { nodesOf, type Relocation, sendBack } from '../relocate/relocation.ts';
import {
  bestWithin,
  failingCount,
  isBetterChoice,
  isLarge,
  moveWithin,
  type WithinChoice,
} from './within.ts';

/** Candidates for a relieving move within the group that are looked at, the most promising first. */
const MOST_RELIEVING = { small: 24, large: 6 };

/** In which order instances leave nodes that fail N+1. */
type Order = 'by-class' | 'cheapest' | 'as-listed';
/** Whether instances may stay in the group: never; if no more nodes fail N+1 by it; wherever taken. */
type Within = 'never' | 'gently' | 'freely';

/** One way of going about it. */
export interface Way {
  readonly within: Within;
  readonly strategy: Strategy;
  readonly order: Order;
}

interface HealingContext extends Way {
  readonly cluster: SuperCluster;
  readonly rules: GroupRules;
  readonly isTarget: (group: number) => boolean;
  /** Whether what can be saved of a group is moved even if that does not heal it. */
  readonly keepsPartial: boolean;
}

/** What could be done for one group. */
export interface Healing {
  readonly group: number;
  readonly isHealed: boolean;
  /** In order; what brings nothing unless all of it is done is left out where the group cannot be healed. */
  readonly relocations: readonly Relocation[];
  /** Instances that would have to go and find no home. */
  readonly stranded: readonly Stranded[];
}

/** Instances of a class, the best first; found when asked for: most moves are among the first. */
type Candidates = () => readonly number[];

/** The first instances of the classes, each once. */
function firstOf(classes: readonly Candidates[], count: number): ReadonlySet<number> {
  const first = new Set<number>();
  for (const candidates of classes) {
    if (first.size >= count) break;
    for (const i of candidates()) if (first.size < count) first.add(i);
  }
  return first;
}

class Healer {
  private readonly cluster: SuperCluster;
  private readonly stranded: Stranded[] = [];
  /** Instances that were found to have no home since the last move. */
  private readonly homeless = new Set<number>();
  /** Nothing moves twice. */
  private readonly moved = new Set<number>();

  constructor(
    private readonly context: HealingContext,
    private readonly group: number,
  ) {
    this.cluster = context.cluster;
  }

  heal(): Healing {
    const { cluster, group } = this;
    const start = cluster.mark();
    const escaped = this.leaveDeadNodes();
    const mark = cluster.mark();
    const relieved = this.stranded.length === 0 ? this.relieve() : [];
    const isHealed = cluster.healthOf(group).state === 'healthy';
    if (isHealed) {
      const relocations = this.putBack(escaped.length, [...escaped, ...relieved], start);
      return { group, isHealed, relocations, stranded: [] };
    }
    const { keepsPartial } = this.context;
    cluster.rollback(keepsPartial ? mark : start);
    return { group, isHealed, relocations: keepsPartial ? escaped : [], stranded: this.stranded };
  }

  private isTarget = (other: number): boolean => other !== this.group && this.context.isTarget(other);

  /** Moves an instance to another group. */
  private across(i: number): Relocation | undefined {
    const { cluster, context } = this;
    if (stayRule(cluster, i) !== undefined) return undefined;
    const groups = context.rules.of(i).open.filter(this.isTarget);
    if (groups.length === 0) return undefined;
    const home = findHome(cluster, i, groups, { strategy: context.strategy, refreshesOld: true });
    return home.kind === 'found' ? home.relocation : undefined;
  }

  /** Moves an instance within its group, unless more than `most` nodes would fail N+1 then. */
  private within(i: number, most: number): Relocation | undefined {
    const choice = bestWithin(this.cluster, i, most);
    return choice && moveWithin(this.cluster, i, choice.home);
  }

  /** Moves an instance off an offline node. */
  private escape(i: number): Relocation | undefined {
    if (fixedRule(this.cluster, i) !== undefined) return undefined;
    const anyNumber = Number.POSITIVE_INFINITY;
    switch (this.context.within) {
      case 'never':
        return this.across(i);
      case 'freely':
        return this.within(i, anyNumber) ?? this.across(i);
      case 'gently':
        return (
          this.within(i, failingCount(this.cluster, this.group)) ??
          this.across(i) ??
          this.within(i, anyNumber)
        );
    }
  }

  /** Moves everything off the offline nodes; what finds no home is tried again once the others are gone. */
  private leaveDeadNodes(): Relocation[] {
    const { cluster } = this;
    const { state, snapshot } = cluster;
    const { deadNodes } = cluster.healthOf(this.group);
    const all = instancesOn(state, deadNodes);
    const { instances } = snapshot;
    const bySize = (a: number, b: number): number =>
      instances[b]!.memMib - instances[a]!.memMib || instances[b]!.diskMib - instances[a]!.diskMib || a - b;
    let waiting = [...all].sort(this.context.order === 'as-listed' ? (a, b) => a - b : bySize);
    const relocations: Relocation[] = [];
    for (let moved = -1; moved !== 0 && waiting.length > 0; ) {
      const failed: number[] = [];
      for (const i of waiting) {
        const relocation = this.escape(i);
        if (relocation) relocations.push(relocation);
        else failed.push(i);
      }
      moved = waiting.length - failed.length;
      waiting = failed;
    }
    for (const { instance } of relocations) this.moved.add(instance);
    this.strand(waiting, relocations.length > 0);
    return relocations;
  }

  private strand(instances: readonly number[], isAfterOthers: boolean): void {
    const { cluster, context } = this;
    for (const i of instances)
      this.stranded.push(strandedBy(cluster, context.rules, i, this.isTarget, isAfterOthers));
  }

  /** Takes instances off the nodes that fail N+1 until none does, or nothing more can go. */
  private relieve(): Relocation[] {
    const { cluster } = this;
    const relocations: Relocation[] = [];
    this.homeless.clear();
    while (cluster.healthOf(this.group).state !== 'healthy') {
      const moved = this.relieveOnce();
      if (!moved) break;
      this.moved.add(moved.instance);
      relocations.push(moved);
    }
    if (cluster.healthOf(this.group).state !== 'healthy')
      this.strand([...this.homeless], relocations.length > 0);
    return relocations;
  }

  private relieveOnce(): Relocation | undefined {
    const classes = this.candidateClasses();
    const within = this.context.within === 'never' ? undefined : this.relieveWithin(classes);
    if (within) return within;
    for (const candidates of classes) {
      for (const i of candidates()) {
        if (this.homeless.has(i)) continue;
        const moved = this.across(i);
        if (moved) return moved;
        this.homeless.add(i);
      }
    }
    return undefined;
  }

  /** The move within the group after which fewest nodes fail N+1, if fewer than now. */
  private relieveWithin(classes: readonly Candidates[]): Relocation | undefined {
    const { cluster, group } = this;
    let most = failingCount(cluster, group) - 1;
    let best: (WithinChoice & { readonly instance: number }) | undefined;
    const count = isLarge(cluster, group) ? MOST_RELIEVING.large : MOST_RELIEVING.small;
    for (const instance of firstOf(classes, count)) {
      const choice = bestWithin(cluster, instance, most);
      if (!choice || !isBetterChoice(choice, best)) continue;
      best = { ...choice, instance };
      most = choice.failing;
    }
    return best && moveWithin(cluster, best.instance, best.home);
  }

  /** Instances worth taking off, class by class, the best of each class first. */
  private candidateClasses(): readonly Candidates[] {
    const { cluster, group } = this;
    const { state } = cluster;
    const failing = failingNodes(cluster.healthOf(group));
    const mayGo = (i: number): boolean => {
      const wanted = IS_MOVABLE | IS_AUTO_BALANCED;
      return (
        (state.flags[i]! & wanted) === wanted && !this.moved.has(i) && fixedRule(cluster, i) === undefined
      );
    };
    const primariesOn = (nodes: readonly number[]) => nodes.flatMap((n) => state.primaries[n]!).filter(mayGo);
    const secondaries = () => failing.flatMap((n) => state.secondaries[n]!).filter(mayGo);
    if (this.context.order === 'as-listed') {
      return [() => [...new Set([...secondaries(), ...primariesOn(failing)])].sort((a, b) => a - b)];
    }
    const binding = () =>
      failing
        .filter((n) => this.shortfallOf(n) > 0)
        .flatMap((n) => this.binding(n))
        .filter(mayGo);
    const rated = (list: () => readonly number[]): Candidates => {
      let known: readonly number[] | undefined;
      return () => {
        known ??= this.byWorth([...new Set(list())]);
        return known;
      };
    };
    // Where a failed node's instances find no room, others that leave make some: those there, then any.
    const others = [rated(secondaries), rated(() => primariesOn(cluster.online[group]!))];
    return this.context.order === 'by-class'
      ? [rated(binding), rated(() => primariesOn(failing)), ...others]
      : [rated(() => [...binding(), ...primariesOn(failing)]), ...others];
  }

  /** Memory (MiB) that a node lacks to take over from its worst peer. */
  private shortfallOf(node: number): number {
    const f = this.cluster.state.nodeFields;
    const at = node * F.NODE_STRIDE;
    return f[at + F.FAILS_N1] ? f[at + F.RESERVED_MEM]! - f[at + F.FREE_MEM]! + 1 : 0;
  }

  /** Secondaries on a node whose peer reserves more there than the node has: only these help. */
  private binding(node: number): number[] {
    const { state } = this.cluster;
    const free = state.nodeFields[node * F.NODE_STRIDE + F.FREE_MEM]!;
    return state.secondaries[node]!.filter((i) => state.peers.get(node, state.primary[i]!) >= free);
  }

  /** Most memory freed for its price first. */
  private byWorth(instances: readonly number[]): number[] {
    const { cluster } = this;
    const { state } = cluster;
    const worth = new Map(instances.map((i) => [i, state.mem[i]! / cluster.priceOfLeaving(i)]));
    return [...instances].sort((a, b) => worth.get(b)! - worth.get(a)! || a - b);
  }

  /**
   * Sends back, the dearest first, what the group's health does not need.
   * @param needed how many of the first relocations are needed in any case
   * @param start where none of them was done
   */
  private putBack(
    needed: number,
    relocations: readonly Relocation[],
    start: TrialMark,
  ): readonly Relocation[] {
    const { cluster } = this;
    const unneeded = new Set<Relocation>();
    const byPrice = relocations
      .slice(needed)
      .sort(
        (a, b) =>
          cluster.priceOfLeaving(b.instance) - cluster.priceOfLeaving(a.instance) || b.instance - a.instance,
      );
    for (const one of byPrice) {
      const mark = cluster.mark();
      sendBack(cluster.state, one);
      cluster.refresh(nodesOf(one));
      if (cluster.healthOf(this.group).state === 'healthy') unneeded.add(one);
      else cluster.rollback(mark);
    }
    if (unneeded.size === 0) return relocations;
    cluster.rollback(start);
    const replayed = replay(
      cluster,
      relocations.filter((one) => !unneeded.has(one)),
    );
    if (replayed && cluster.healthOf(this.group).state === 'healthy') return replayed;
    // A source that keeps more may not carry what passes through it: then all goes as it went before.
    cluster.rollback(start);
    return replay(cluster, relocations) ?? relocations;
  }
}

/** Heals a group as far as that goes; the state is left with the relocations done. */
export const healGroup = (context: HealingContext, group: number): Healing =>
  new Healer(context, group).heal();
