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

export interface Healing {
  readonly group: number;
  readonly isHealed: boolean;
  /** In order; what brings nothing unless all of it is done is left out where the group cannot be healed. */
  readonly relocations: readonly Relocation[];
  /** Instances that would have to go and find no home. */
  readonly stranded: readonly Stranded[];
}

/** Heals a group as far as that goes; the state is left with the relocations done. */
export function heal(context: HealingContext, group: number): Healing {
  const { cluster, rules, within, strategy, order, keepsPartial } = context;
  const { state } = cluster;
  const stranded: Stranded[] = [];
  const homeless = new Set<number>();
  /** Nothing moves twice. */
  const moved = new Set<number>();

  const isTarget = (other: number): boolean => other !== group && context.isTarget(other);
  const failing = (): readonly number[] => cluster.healthOf(group).failing;

  const moveAcross = (i: number): Relocation | undefined => {
    if (stayRule(cluster, i) !== undefined) return undefined;
    const groups = rules.openTo(i).filter(isTarget);
    return groups.length === 0 ? undefined : findHome(cluster, i, groups, { strategy }).relocation;
  };
  /** Moves an instance within its group, unless more than `most` nodes would fail N+1 then. */
  const moveWithin = (i: number, most?: number): Relocation | undefined => {
    const choice = bestWithin(cluster, i, most);
    return choice && cluster.move(i, choice.home);
  };
  /** Moves an instance off an offline node. */
  const moveOff = (i: number): Relocation | undefined => {
    if (fixedRule(cluster, i) !== undefined) return undefined;
    if (within === 'never') return moveAcross(i);
    if (within === 'freely') return moveWithin(i) ?? moveAcross(i);
    return moveWithin(i, failing().length) ?? moveAcross(i) ?? moveWithin(i);
  };
  const strand = (instances: Iterable<number>, isAfterOthers: boolean): void => {
    for (const i of instances) stranded.push(strandedBy(cluster, rules, i, isTarget, isAfterOthers));
  };

  /** Moves everything off the offline nodes; what finds no home is tried again once the others are gone. */
  const leaveDeadNodes = (): readonly Relocation[] => {
    const all = instancesOn(state, cluster.healthOf(group).deadNodes);
    const inOrder = order === 'as-listed' ? all.sort((a, b) => a - b) : cluster.largestFirst(all);
    const { relocations, waiting } = moveInTurns(inOrder, moveOff);
    for (const { instance } of relocations) moved.add(instance);
    strand(waiting, relocations.length > 0);
    return relocations;
  };

  /** Secondaries on a node whose peer reserves more there than the node has: only these help. */
  const bindingOn = (node: number): number[] =>
    cluster.shortfallOf(node) <= 0
      ? []
      : state.secondaries[node]!.filter(
          (i) => state.peers.get(node, state.primary[i]!) >= cluster.freeMem(node),
        );
  const mayGo = (i: number): boolean =>
    cluster.isBalanced(i) && !moved.has(i) && fixedRule(cluster, i) === undefined;
  /** Those that may go, each once, most memory freed for its price first. */
  const byWorth = (some: readonly number[]): number[] => {
    const may = [...new Set(some)].filter(mayGo);
    const worth = new Map(may.map((i) => [i, state.mem[i]! / cluster.priceOfLeaving(i)]));
    return may.sort((a, b) => worth.get(b)! - worth.get(a)! || a - b);
  };
  /** Instances worth taking off, class by class, the best of each class first. */
  const candidateClasses = (): readonly (readonly number[])[] => {
    const bad = failing();
    const running = bad.flatMap((n) => state.primaries[n]!);
    const copied = bad.flatMap((n) => state.secondaries[n]!);
    if (order === 'as-listed')
      return [[...new Set([...copied, ...running])].filter(mayGo).sort((a, b) => a - b)];
    const binding = bad.flatMap(bindingOn);
    const first = order === 'by-class' ? [binding, running] : [[...binding, ...running]];
    // Where a failed node's instances find no room, others that leave make some: those there, then any.
    return [...first, copied, cluster.online[group]!.flatMap((n) => state.primaries[n]!)].map(byWorth);
  };

  /** The move within the group after which fewest nodes fail N+1, if fewer than now. */
  const relieveWithin = (classes: readonly (readonly number[])[]): Relocation | undefined => {
    let most = failing().length - 1;
    let best: WithinChoice | undefined;
    const count = isLarge(cluster, group) ? MOST_RELIEVING.large : MOST_RELIEVING.small;
    for (const instance of [...new Set(classes.flat())].slice(0, count)) {
      const choice = bestWithin(cluster, instance, most);
      if (!choice || !isBetterChoice(choice, best)) continue;
      best = choice;
      most = choice.failing;
    }
    return best && cluster.move(best.instance, best.home);
  };
  const relieveOnce = (): Relocation | undefined => {
    const classes = candidateClasses();
    const relieving = within === 'never' ? undefined : relieveWithin(classes);
    if (relieving) return relieving;
    for (const i of classes.flat()) {
      if (homeless.has(i)) continue;
      const gone = moveAcross(i);
      if (gone) return gone;
      homeless.add(i);
    }
    return undefined;
  };
  /** Takes instances off the nodes that fail N+1 until none does, or nothing more can go. */
  const relieve = (): readonly Relocation[] => {
    const relocations: Relocation[] = [];
    while (!cluster.isHealthy(group)) {
      const one = relieveOnce();
      if (!one) {
        strand(homeless, relocations.length > 0);
        break;
      }
      moved.add(one.instance);
      relocations.push(one);
    }
    return relocations;
  };

  /** Sends back, the dearest first, what the group's health does not need of those that relieve it. */
  const putBack = (
    start: TrialMark,
    escaped: readonly Relocation[],
    relieved: readonly Relocation[],
  ): readonly Relocation[] => {
    const relocations = [...escaped, ...relieved];
    const unneeded = new Set<Relocation>();
    const priceOf = ({ instance }: Relocation): number => cluster.priceOfLeaving(instance);
    const byPrice = relieved.toSorted((a, b) => priceOf(b) - priceOf(a) || b.instance - a.instance);
    for (const one of byPrice) {
      const mark = cluster.mark();
      sendBack(state, one);
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
  };

  const start = cluster.mark();
  const escaped = leaveDeadNodes();
  const mark = cluster.mark();
  const relieved = stranded.length === 0 ? relieve() : [];
  if (cluster.isHealthy(group))
    return { group, isHealed: true, relocations: putBack(start, escaped, relieved), stranded: [] };
  cluster.rollback(keepsPartial ? mark : start);
  return { group, isHealed: false, relocations: keepsPartial ? escaped : [], stranded };
}
