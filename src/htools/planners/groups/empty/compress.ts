/** Compression: which groups can be emptied and given back. Source: docs/why/groups.md, "hcompress". */
import {
  type Amounts,
  type Capacity,
  capacityOf,
  freeShare,
  RESOURCES,
  shareOf,
} from '../homes/group-room.ts';
import type { Health } from '../homes/health.ts';
import { GroupRules } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { forbidsInterGroup, neighbours } from '../homes/targets.ts';
import { priceOfAll } from '../relocate/job-schedule.ts';
import { type Emptied, type EmptyingContext, emptyOf, type NotEmptied, residentsOf } from './emptying.ts';

/** Shares that differ by no more than this are the same: they are sums of fractions. */
export const SAME_SHARE = 1e-9;

/** A group can be emptied. */
interface Emptiable extends Emptied {
  /** Groups without instances that would get some: as many groups would be in use as before. */
  readonly fills: readonly number[];
}

/** What the trial of one group found. */
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

/** A verdict on a group that can be emptied. */
type Reclaimable = GroupVerdict & { readonly outcome: Emptiable };

export const isReclaimable = (verdict: GroupVerdict): verdict is Reclaimable =>
  typeof verdict.outcome === 'object' && verdict.outcome.isPossible;

/** Whether emptying the group leaves more of the cluster unused than before. */
export const isWorthwhile = (verdict: GroupVerdict): boolean =>
  isReclaimable(verdict) && verdict.gain > SAME_SHARE;

/** Told of each group that is tried. */
export type Watch = (group: number, done: number, of: number) => void;

/** Tries one group with the others as they are: first without those `empty`. The state is as before. */
function outcomeOf(
  cluster: SuperCluster,
  context: EmptyingContext,
  group: number,
  empty: readonly number[],
): Emptiable | NotEmptied {
  const instances = residentsOf(cluster, group);
  const mark = cluster.mark();
  const without = (avoided: readonly number[]): Emptiable | NotEmptied => {
    const isTarget = (other: number): boolean =>
      other !== group && !avoided.includes(other) && context.isTarget(other);
    const outcome = emptyOf({ ...context, isTarget }, instances);
    cluster.rollback(mark);
    if (!outcome.isPossible) return outcome;
    const used = new Set(outcome.relocations.map(({ to }) => to.group));
    return { ...outcome, fills: empty.filter((other) => used.has(other)) };
  };
  const first = without(empty);
  return first.isPossible || empty.length === 0 ? first : without([]);
}

const sumOf = (capacities: readonly Capacity[]): Amounts =>
  Object.fromEntries(
    RESOURCES.map((resource) => [resource, capacities.reduce((sum, { total }) => sum + total[resource], 0)]),
  ) as Record<(typeof RESOURCES)[number], number>;

const moreFirst = (a: number, b: number): number => (Math.abs(a - b) <= SAME_SHARE ? 0 : b - a);

/** What emptying a group counts. */
const priceOf = ({ snapshot, rates }: SuperCluster, verdict: GroupVerdict): number =>
  isReclaimable(verdict) ? priceOfAll(snapshot, verdict.outcome.relocations, rates) : 0;

/** Verdicts in the order of the report: those that give back most first, of equals the cheapest. */
export const ranked = (cluster: SuperCluster, verdicts: readonly GroupVerdict[]): GroupVerdict[] =>
  [...verdicts].sort(
    (a, b) =>
      moreFirst(a.gain, b.gain) ||
      moreFirst(a.share, b.share) ||
      priceOf(cluster, a) - priceOf(cluster, b) ||
      a.group - b.group,
  );

/** Groups that can take instances: healthy ones. */
export const healthyGroups = (cluster: SuperCluster): Set<number> =>
  new Set(cluster.groups.filter((group) => cluster.healthOf(group).state === 'healthy'));

/** Tries groups, those that give back most first; the state stays. @param groups the others take instances */
export function judgeGroups(
  cluster: SuperCluster,
  watch: Watch = () => {},
  groups: readonly number[] = cluster.groups,
): GroupVerdict[] {
  const healthy = healthyGroups(cluster);
  const context = { cluster, rules: new GroupRules(cluster), isTarget: (g: number) => healthy.has(g) };
  const near = neighbours(cluster);
  const isForbidden = forbidsInterGroup(cluster);
  const capacities = cluster.members.map((nodes) => capacityOf(cluster.state, nodes));
  const whole = sumOf(cluster.groups.map((group) => capacities[group]!));
  const share = (group: number): number => shareOf(capacities[group]!, whole);
  const empty = cluster.groups.filter((group) => residentsOf(cluster, group).length === 0);
  const verdicts = groups.map((group, k): GroupVerdict => {
    watch(group, k, groups.length);
    const instances = residentsOf(cluster, group).length;
    const found = {
      group,
      health: cluster.healthOf(group),
      capacity: capacities[group]!,
      freeShare: freeShare(capacities[group]!),
      share: share(group),
      instances,
      gain: 0,
    };
    if (instances === 0) return { ...found, outcome: 'empty' };
    if (isForbidden) return { ...found, outcome: 'forbidden' };
    if (near[group]!.size === 0) return { ...found, outcome: 'alone' };
    const outcome = outcomeOf(cluster, context, group, empty);
    const filled = outcome.isPossible ? outcome.fills.reduce((sum, other) => sum + share(other), 0) : 0;
    return { ...found, outcome, gain: outcome.isPossible ? found.share - filled : 0 };
  });
  return ranked(cluster, verdicts);
}
