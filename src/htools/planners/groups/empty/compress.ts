/** Compression: which groups can be emptied and given back. Source: docs/why/groups.md, "hcompress". */
import { type Capacity, capacityOf, meanShare, sumOfCapacities } from '../homes/group-room.ts';
import { forbidsInterGroup, GroupRules, isAlone } from '../homes/leaving.ts';
import type { Health, SuperCluster } from '../homes/super-cluster.ts';
import { type Emptied, emptyGroups, emptyOf, filledBy, type NotEmptied, residentsOf } from './emptying.ts';

/** Shares that differ by no more than this are the same: they are sums of fractions. */
export const SAME_SHARE = 1e-9;

interface Emptiable extends Emptied {
  /** Groups without instances that would get some: as many groups would be in use as before. */
  readonly fills: readonly number[];
}

export interface GroupVerdict {
  readonly group: number;
  readonly health: Health;
  readonly capacity: Capacity;
  /** Mean of the free shares of memory, disk and cpu. */
  readonly freeShare: number;
  /** How much of the cluster it is: mean of its shares of memory, disk and cpu. The order of the report. */
  readonly share: number;
  readonly instances: number;
  readonly outcome: Emptiable | NotEmptied | 'empty' | 'alone' | 'forbidden';
  /** What emptying gives back, a share of the cluster, less empty groups filled; 0 or less: no gain. */
  readonly gain: number;
}

type Reclaimable = GroupVerdict & { readonly outcome: Emptiable };

export const isReclaimable = (verdict: GroupVerdict): verdict is Reclaimable =>
  typeof verdict.outcome === 'object' && verdict.outcome.isPossible;

/** Whether emptying the group leaves more of the cluster unused than before. */
export const isWorthwhile = (verdict: GroupVerdict): boolean =>
  isReclaimable(verdict) && verdict.gain > SAME_SHARE;

/** Whether it is known that the group can be emptied, or that it cannot. */
export const isDecided = ({ outcome }: GroupVerdict): boolean =>
  typeof outcome === 'string' || outcome.isPossible || outcome.isProven;

export type Watch = (group: number, done: number, of: number) => void;

/** Compares shares, the larger first. */
export const moreFirst = (a: number, b: number): number => (Math.abs(a - b) <= SAME_SHARE ? 0 : b - a);

/** Verdicts in the order of the report: those that give back most first, of equals the cheapest. */
export function ranked(cluster: SuperCluster, verdicts: readonly GroupVerdict[]): GroupVerdict[] {
  const priceOf = (verdict: GroupVerdict): number =>
    isReclaimable(verdict) ? cluster.priceOf(verdict.outcome.relocations) : 0;
  return [...verdicts].sort(
    (a, b) =>
      moreFirst(a.gain, b.gain) ||
      moreFirst(a.share, b.share) ||
      priceOf(a) - priceOf(b) ||
      a.group - b.group,
  );
}

/** Tries groups, those that give back most first; the state stays. @param groups the others take instances */
export function judgeGroups(
  cluster: SuperCluster,
  watch: Watch = () => {},
  groups: readonly number[] = cluster.groups,
): GroupVerdict[] {
  const healthy = cluster.healthyGroups();
  const rules = new GroupRules(cluster);
  const isForbidden = forbidsInterGroup(cluster);
  const capacities = cluster.members.map((nodes) => capacityOf(cluster.state, nodes));
  const whole = sumOfCapacities(cluster.groups.map((group) => capacities[group]!)).total;
  const share = (group: number): number => meanShare(capacities[group]!.total, whole);
  const empty = emptyGroups(cluster);
  /** One group with the others as they are. */
  const emptied = (group: number, avoided: readonly number[]): Emptiable | NotEmptied => {
    const isTarget = (other: number): boolean => healthy.has(other) && !avoided.includes(other);
    const outcome = emptyOf(cluster, [group], isTarget, rules);
    return outcome.isPossible ? { ...outcome, fills: filledBy(empty, outcome.relocations) } : outcome;
  };
  const outcomeOf = (group: number, instances: number): GroupVerdict['outcome'] => {
    if (instances === 0) return 'empty';
    if (isForbidden) return 'forbidden';
    if (isAlone(cluster, group)) return 'alone';
    const first = emptied(group, empty);
    return first.isPossible || empty.length === 0 ? first : emptied(group, []);
  };
  const verdicts = groups.map((group, k): GroupVerdict => {
    watch(group, k, groups.length);
    const instances = residentsOf(cluster, group).length;
    const outcome = outcomeOf(group, instances);
    const verdict = {
      group,
      health: cluster.healthOf(group),
      capacity: capacities[group]!,
      freeShare: meanShare(capacities[group]!.free, capacities[group]!.total),
      share: share(group),
      instances,
      outcome,
      gain: 0,
    };
    if (!isReclaimable(verdict)) return verdict;
    const filled = verdict.outcome.fills.reduce((sum, other) => sum + share(other), 0);
    return { ...verdict, gain: verdict.share - filled };
  });
  return ranked(cluster, verdicts);
}
