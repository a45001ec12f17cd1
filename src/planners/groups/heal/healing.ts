/**
 * Healing one group by moving instances out of it. One piece, since each stage goes on from where the last one left the state.
 * Source: docs/design/groups.md, "hredist".
 *
 * All instances of offline nodes have to go, secondaries with their primaries: largest first. Where nodes fail N+1, instances go
 * one by one: secondaries on such nodes, then primaries there, the one that helps most for the least data first; what
 * turns out not to be needed is put back.
 */
import * as F from '../../../model/state/node-fields.ts';
import { IS_AUTO_BALANCED, IS_MOVABLE } from '../../../model/state/state.ts';
import { failingNodes } from '../homes/health.ts';
import { findHome, type Strategy } from '../homes/homes.ts';
import { type GroupRules, type Stranded, stayRule, strandedBy } from '../homes/leaving.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { isRefused, nodesOf, type Relocation, relocate, sendBack } from '../relocate/relocation.ts';

/** Instances without a home that are explained; more of them would say the same. */
const MOST_EXPLAINED = 20;

/** In which order instances leave nodes that fail N+1. */
export type Order = 'by-class' | 'cheapest' | 'as-listed';

export interface HealingContext {
  readonly cluster: SuperCluster;
  readonly rules: GroupRules;
  readonly isTarget: (group: number) => boolean;
  readonly strategy: Strategy;
  readonly order: Order;
  /** Whether what can be saved of a group is moved even if that does not heal it. */
  readonly keepsPartial: boolean;
}

/** MiB to copy when an instance leaves: both copies of DRBD, nothing for external disks. */
export const dataOf = ({ snapshot }: SuperCluster, i: number): number =>
  snapshot.instances[i]!.diskTemplate === 'drbd' ? 2 * snapshot.instances[i]!.diskMib : 0;

/** What could be done for one group. */
export interface Healing {
  readonly group: number;
  readonly isHealed: boolean;
  /** In order; what brings nothing unless all of it is done is left out where the group cannot be healed. */
  readonly relocations: readonly Relocation[];
  /** Instances that would have to go and find no home. */
  readonly stranded: readonly Stranded[];
}

class Healer {
  private readonly context: HealingContext;
  private readonly cluster: SuperCluster;
  private readonly group: number;
  private readonly stranded: Stranded[] = [];
  /** Instances that were found to have no home since the last move. */
  private readonly homeless = new Set<number>();

  constructor(context: HealingContext, group: number) {
    this.context = context;
    this.cluster = context.cluster;
    this.group = group;
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

  private move(i: number): Relocation | undefined {
    const { cluster, context, group } = this;
    const groups = context.rules.of(i).open.filter((other) => other !== group && context.isTarget(other));
    return findHome(cluster, i, groups, { strategy: context.strategy, refreshesOld: true });
  }

  /** Moves everything off the offline nodes; what finds no home is tried again once the others are gone. */
  private leaveDeadNodes(): Relocation[] {
    const { cluster } = this;
    const { state, snapshot } = cluster;
    const { deadNodes } = cluster.healthOf(this.group);
    const all = new Set(deadNodes.flatMap((n) => [...state.primaries[n]!, ...state.secondaries[n]!]));
    const { instances } = snapshot;
    const bySize = (a: number, b: number): number =>
      instances[b]!.memMib - instances[a]!.memMib || instances[b]!.diskMib - instances[a]!.diskMib || a - b;
    let waiting = [...all].sort(this.context.order === 'as-listed' ? (a, b) => a - b : bySize);
    const relocations: Relocation[] = [];
    for (let moved = -1; moved !== 0 && waiting.length > 0; ) {
      const failed: number[] = [];
      for (const i of waiting) {
        const relocation = stayRule(cluster, i) ? undefined : this.move(i);
        if (relocation) relocations.push(relocation);
        else failed.push(i);
      }
      moved = waiting.length - failed.length;
      waiting = failed;
    }
    this.strand(waiting);
    return relocations;
  }

  private strand(instances: readonly number[]): void {
    const { cluster, context } = this;
    for (const i of instances) {
      this.stranded.push(
        strandedBy(cluster, context.rules, i, (other) => other !== this.group && context.isTarget(other)),
      );
    }
  }

  /** Takes instances off the nodes that fail N+1 until none does, or nothing more can go. */
  private relieve(): Relocation[] {
    const { cluster } = this;
    const relocations: Relocation[] = [];
    this.homeless.clear();
    while (cluster.healthOf(this.group).state !== 'healthy') {
      const moved = this.relieveOnce();
      if (!moved) break;
      relocations.push(moved);
    }
    if (cluster.healthOf(this.group).state !== 'healthy')
      this.strand([...this.homeless].slice(0, MOST_EXPLAINED));
    return relocations;
  }

  private relieveOnce(): Relocation | undefined {
    for (const candidates of this.candidateClasses()) {
      for (const i of candidates) {
        if (this.homeless.has(i)) continue;
        const moved = this.move(i);
        if (moved) return moved;
        this.homeless.add(i);
      }
    }
    return undefined;
  }

  /** Instances worth taking off, class by class, the best of each class first. */
  private candidateClasses(): number[][] {
    const { cluster, group } = this;
    const { state } = cluster;
    const failing = failingNodes(cluster.healthOf(group));
    const mayGo = (i: number): boolean => {
      const wanted = IS_MOVABLE | IS_AUTO_BALANCED;
      return (state.flags[i]! & wanted) === wanted && stayRule(cluster, i) === undefined;
    };
    const overcommitted = failing.filter((n) => this.shortfallOf(n) > 0);
    const binding = overcommitted.flatMap((n) => this.binding(n)).filter(mayGo);
    const primaries = failing.flatMap((n) => state.primaries[n]!).filter(mayGo);
    const secondaries = failing.flatMap((n) => state.secondaries[n]!).filter(mayGo);
    if (this.context.order === 'as-listed') {
      return [[...new Set([...secondaries, ...primaries])].sort((a, b) => a - b)];
    }
    const rated = (list: readonly number[]): number[] => this.byWorth([...new Set(list)]);
    // Where a failed node's instances find no room, others that leave make some: those with a copy there, then any.
    const anywhere = cluster.online[group]!.flatMap((n) => state.primaries[n]!).filter(mayGo);
    const others = [rated(secondaries), rated(anywhere)];
    return this.context.order === 'by-class'
      ? [rated(binding), rated(primaries), ...others]
      : [rated([...binding, ...primaries]), ...others];
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
    return state.secondaries[node]!.filter(
      (i) => state.peers[node * state.nodeCount + state.primary[i]!]! >= free,
    );
  }

  /** Most memory freed for the least data first; what copies nothing comes first of all. */
  private byWorth(instances: readonly number[]): number[] {
    const { state } = this.cluster;
    const worth = (i: number): number => state.mem[i]! / (dataOf(this.cluster, i) + 1);
    return [...instances].sort((a, b) => worth(b) - worth(a) || a - b);
  }

  /**
   * Sends back, the most data first, what the group's health does not need.
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
    const byData = relocations
      .slice(needed)
      .sort((a, b) => dataOf(cluster, b.instance) - dataOf(cluster, a.instance) || b.instance - a.instance);
    for (const one of byData) {
      const mark = cluster.mark();
      sendBack(cluster.state, one);
      cluster.refresh(nodesOf(one));
      if (cluster.healthOf(this.group).state === 'healthy') unneeded.add(one);
      else cluster.rollback(mark);
    }
    if (unneeded.size === 0) return relocations;
    cluster.rollback(start);
    const replayed = this.replay(relocations.filter((one) => !unneeded.has(one)));
    if (replayed && cluster.healthOf(this.group).state === 'healthy') return replayed;
    // A source that keeps more may not carry what passes through it: then all goes as it went before.
    cluster.rollback(start);
    return this.replay(relocations) ?? relocations;
  }

  /** Does relocations again; undefined when one is refused. */
  private replay(relocations: readonly Relocation[]): readonly Relocation[] | undefined {
    const { cluster } = this;
    const done: Relocation[] = [];
    for (const { instance, to } of relocations) {
      const moved = relocate(cluster.state, instance, to);
      if (isRefused(moved)) return undefined;
      cluster.refresh(nodesOf(moved));
      done.push(moved);
    }
    return done;
  }
}

/** Heals a group as far as that goes; the state is left with the relocations done. */
export const healGroup = (context: HealingContext, group: number): Healing =>
  new Healer(context, group).heal();
