/**
 * Healing one group by moves within it and out of it. Source: docs/why/groups.md, "hredist".
 *
 * All instances of offline nodes go, the largest first. Where nodes fail N+1, secondaries there go one by
 * one, then primaries, whatever helps most for its price first; what turns out to be needless is put back.
 */
import { instancesOn } from '../../../model/state/scope.ts';
import { findHome } from '../homes/homes.ts';
import { fixedRule, type GroupRules, stayRule } from '../homes/leaving.ts';
import type { Strategy } from '../homes/placements.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { type Stranded, strandedBy } from '../refusals/refusals.ts';
import { moveInTurns, nodesOf, type Relocation, sendBack } from '../relocate/relocation.ts';
import { bestWithin, isBetterChoice, isLarge, type WithinChoice } from './within.ts';

/** Candidates for a relieving move within the group that are looked at, the most promising first. */
const MOST_RELIEVING = { small: 24, large: 6 };

/** One way of going about it. */
export interface Way {
  /** Whether instances may stay in the group: never; if no more nodes fail N+1 by it; wherever taken. */
  readonly within: 'never' | 'gently' | 'freely';
  readonly strategy: Strategy;
  /** In which order instances leave nodes that fail N+1. */
  readonly order: 'by-class' | 'cheapest' | 'as-listed';
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

export class Healer {
  private readonly cluster: SuperCluster;
  private readonly stranded: Stranded[] = [];
  /** Instances that were found to have no home. */
  private readonly homeless = new Set<number>();
  /** Nothing moves twice. */
  private readonly moved = new Set<number>();

  constructor(
    private readonly context: HealingContext,
    private readonly group: number,
  ) {
    this.cluster = context.cluster;
  }

  /** Heals the group as far as that goes; the state is left with the relocations done. */
  heal(): Healing {
    const { cluster, group } = this;
    const { keepsPartial } = this.context;
    const start = cluster.mark();
    const escaped = this.leaveDeadNodes();
    const mark = cluster.mark();
    const relieved = this.stranded.length === 0 ? this.relieve() : [];
    if (cluster.isHealthy(group)) {
      const relocations = this.putBack(start, escaped, relieved);
      return { group, isHealed: true, relocations, stranded: [] };
    }
    cluster.rollback(keepsPartial ? mark : start);
    return { group, isHealed: false, relocations: keepsPartial ? escaped : [], stranded: this.stranded };
  }

  private isTarget = (other: number): boolean => other !== this.group && this.context.isTarget(other);

  private get failingCount(): number {
    return this.cluster.healthOf(this.group).failing.length;
  }

  /** Moves an instance to another group. */
  private across(i: number): Relocation | undefined {
    const { cluster, context } = this;
    if (stayRule(cluster, i) !== undefined) return undefined;
    const groups = context.rules.openTo(i).filter(this.isTarget);
    if (groups.length === 0) return undefined;
    return findHome(cluster, i, groups, { strategy: context.strategy }).relocation;
  }

  /** Moves an instance within its group, unless more than `most` nodes would fail N+1 then. */
  private within(i: number, most?: number): Relocation | undefined {
    const choice = bestWithin(this.cluster, i, most);
    return choice && this.cluster.move(i, choice.home);
  }

  /** Moves an instance off an offline node. */
  private escape(i: number): Relocation | undefined {
    if (fixedRule(this.cluster, i) !== undefined) return undefined;
    switch (this.context.within) {
      case 'never':
        return this.across(i);
      case 'freely':
        return this.within(i) ?? this.across(i);
      case 'gently':
        return this.within(i, this.failingCount) ?? this.across(i) ?? this.within(i);
    }
  }

  /** Moves everything off the offline nodes; what finds no home is tried again once the others are gone. */
  private leaveDeadNodes(): readonly Relocation[] {
    const { cluster } = this;
    const all = instancesOn(cluster.state, cluster.healthOf(this.group).deadNodes);
    const inOrder =
      this.context.order === 'as-listed' ? all.sort((a, b) => a - b) : cluster.largestFirst(all);
    const { relocations, waiting } = moveInTurns(inOrder, (i) => this.escape(i));
    for (const { instance } of relocations) this.moved.add(instance);
    this.strand(waiting, relocations.length > 0);
    return relocations;
  }

  private strand(instances: Iterable<number>, isAfterOthers: boolean): void {
    const { cluster, context } = this;
    for (const i of instances)
      this.stranded.push(strandedBy(cluster, context.rules, i, this.isTarget, isAfterOthers));
  }

  /** Takes instances off the nodes that fail N+1 until none does, or nothing more can go. */
  private relieve(): readonly Relocation[] {
    const { cluster, group } = this;
    const relocations: Relocation[] = [];
    while (!cluster.isHealthy(group)) {
      const moved = this.relieveOnce();
      if (!moved) {
        this.strand(this.homeless, relocations.length > 0);
        break;
      }
      this.moved.add(moved.instance);
      relocations.push(moved);
    }
    return relocations;
  }

  private relieveOnce(): Relocation | undefined {
    const classes = this.candidateClasses();
    const within = this.context.within === 'never' ? undefined : this.relieveWithin(classes);
    if (within) return within;
    for (const candidates of classes) {
      for (const i of candidates) {
        if (this.homeless.has(i)) continue;
        const moved = this.across(i);
        if (moved) return moved;
        this.homeless.add(i);
      }
    }
    return undefined;
  }

  /** The move within the group after which fewest nodes fail N+1, if fewer than now. */
  private relieveWithin(classes: readonly (readonly number[])[]): Relocation | undefined {
    const { cluster, group } = this;
    let most = this.failingCount - 1;
    let best: WithinChoice | undefined;
    const count = isLarge(cluster, group) ? MOST_RELIEVING.large : MOST_RELIEVING.small;
    for (const instance of [...new Set(classes.flat())].slice(0, count)) {
      const choice = bestWithin(cluster, instance, most);
      if (!choice || !isBetterChoice(choice, best)) continue;
      best = choice;
      most = choice.failing;
    }
    return best && cluster.move(best.instance, best.home);
  }

  /** Instances worth taking off, class by class, the best of each class first. */
  private candidateClasses(): readonly (readonly number[])[] {
    const { cluster, group } = this;
    const { order } = this.context;
    const { primaries, secondaries } = cluster.state;
    const failing = cluster.healthOf(group).failing;
    const mayGo = (i: number): boolean =>
      cluster.isBalanced(i) && !this.moved.has(i) && fixedRule(cluster, i) === undefined;
    const rated = (some: readonly number[]) => this.byWorth([...new Set(some)].filter(mayGo));
    const running = failing.flatMap((n) => primaries[n]!);
    const copied = failing.flatMap((n) => secondaries[n]!);
    if (order === 'as-listed')
      return [[...new Set([...copied, ...running])].filter(mayGo).sort((a, b) => a - b)];
    const binding = failing.flatMap((n) => this.binding(n));
    const first = order === 'by-class' ? [binding, running] : [[...binding, ...running]];
    // Where a failed node's instances find no room, others that leave make some: those there, then any.
    return [...first, copied, cluster.online[group]!.flatMap((n) => primaries[n]!)].map(rated);
  }

  /** Secondaries on a node whose peer reserves more there than the node has: only these help. */
  private binding(node: number): number[] {
    const { cluster } = this;
    const { secondaries, peers, primary } = cluster.state;
    if (cluster.shortfallOf(node) <= 0) return [];
    return secondaries[node]!.filter((i) => peers.get(node, primary[i]!) >= cluster.freeMem(node));
  }

  /** Most memory freed for its price first. */
  private byWorth(instances: readonly number[]): number[] {
    const { cluster } = this;
    const worth = new Map(instances.map((i) => [i, cluster.state.mem[i]! / cluster.priceOfLeaving(i)]));
    return [...instances].sort((a, b) => worth.get(b)! - worth.get(a)! || a - b);
  }

  /** Sends back, the dearest first, what the group's health does not need of those that relieve it. */
  private putBack(
    start: TrialMark,
    escaped: readonly Relocation[],
    relieved: readonly Relocation[],
  ): readonly Relocation[] {
    const { cluster, group } = this;
    const relocations = [...escaped, ...relieved];
    const unneeded = new Set<Relocation>();
    const priceOf = ({ instance }: Relocation): number => cluster.priceOfLeaving(instance);
    const byPrice = relieved.toSorted((a, b) => priceOf(b) - priceOf(a) || b.instance - a.instance);
    for (const one of byPrice) {
      const mark = cluster.mark();
      sendBack(cluster.state, one);
      cluster.refresh(nodesOf(one));
      if (cluster.isHealthy(group)) unneeded.add(one);
      else cluster.rollback(mark);
    }
    if (unneeded.size === 0) return relocations;
    cluster.rollback(start);
    const replayed = cluster.replay(relocations.filter((one) => !unneeded.has(one)));
    if (replayed && cluster.isHealthy(group)) return replayed;
    // A source that keeps more may not carry what passes through it: then all goes as it went before.
    cluster.rollback(start);
    cluster.replay(relocations);
    return relocations;
  }
}
