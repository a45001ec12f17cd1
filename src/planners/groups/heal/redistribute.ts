/**
 * Redistribution: groups with dead nodes, or with nodes that fail N+1, are healed by the healthy ones.
 * Source: docs/design/groups.md, "hredist".
 *
 * Several ways of choosing instances and homes are played through, a plain first-come relocation among them; the one that
 * heals most groups counts, then the one that copies least for them, then the one that saves most instances.
 */

import { byNeed, type Health } from '../homes/health.ts';
import type { Strategy } from '../homes/homes.ts';
import { GroupRules } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { forbidsInterGroup, neighbours } from '../homes/targets.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { dataOf, type Healing, healGroup, type Order } from './healing.ts';

/** Ways of going about it; the first of equals counts. */
const WAYS: readonly { readonly strategy: Strategy; readonly order: Order }[] = [
  { strategy: 'standard', order: 'by-class' },
  { strategy: 'standard', order: 'cheapest' },
  { strategy: 'tight', order: 'cheapest' },
  { strategy: 'first', order: 'as-listed' },
];

/** How healthy the groups are before anything is done. */
export interface Survey {
  /** Cluster tag forbids moves between groups. */
  readonly isForbidden: boolean;
  /** Groups that share no pool with any other: they take no part. */
  readonly alone: readonly number[];
  /** The other groups: to be healed, worst first, and healthy. */
  readonly sick: readonly Health[];
  readonly healthy: readonly number[];
  readonly all: readonly Health[];
}

/** What was found. */
export interface Redistribution {
  readonly healings: readonly Healing[];
  /** In an order in which they can be made. */
  readonly relocations: readonly Relocation[];
}

/** Unhealthy groups come before weak ones. */
export function survey(cluster: SuperCluster): Survey {
  const all = cluster.groups.map((group) => cluster.healthOf(group));
  const near = neighbours(cluster);
  const alone = cluster.groups.filter((group) => near[group]!.size === 0);
  const rest = all.filter(({ group }) => !alone.includes(group));
  const need = byNeed(cluster.state);
  const inState = (state: Health['state']): Health[] =>
    rest.filter((health) => health.state === state).sort(need);
  return {
    isForbidden: forbidsInterGroup(cluster),
    alone,
    sick: [...inState('unhealthy'), ...inState('weak')],
    healthy: inState('healthy').map(({ group }) => group),
    all,
  };
}

/**
 * Heals the sick groups one way: those that can be healed, the worst first, then saves what can be saved of the others with the room
 * that is left. A healed group may take instances of the next ones.
 */
function playThrough(
  cluster: SuperCluster,
  { sick, healthy }: Survey,
  way: (typeof WAYS)[number],
  watch: (group: number) => void,
): Redistribution {
  const targets = new Set(healthy);
  const rules = new GroupRules(cluster);
  const found = new Map<number, Healing>();
  const relocations: Relocation[] = [];
  const inTurn = way.order === 'as-listed' ? [...sick].sort((a, b) => a.group - b.group) : sick;
  for (const keepsPartial of [false, true]) {
    for (const { group } of inTurn) {
      if (found.get(group)?.isHealed) continue;
      watch(group);
      const isTarget = (other: number): boolean => targets.has(other);
      const healing = healGroup({ cluster, rules, isTarget, ...way, keepsPartial }, group);
      found.set(group, healing);
      relocations.push(...healing.relocations);
      if (healing.isHealed) targets.add(group);
    }
  }
  return { healings: sick.map(({ group }) => found.get(group)!), relocations };
}

/** How good an outcome is: compared number by number, the lower the better. */
function merit(cluster: SuperCluster, healings: readonly Healing[]): number[] {
  const healed = healings.filter(({ isHealed }) => isHealed);
  const data = (list: readonly Healing[]): number =>
    list.reduce(
      (sum, { relocations }) =>
        sum + relocations.reduce((all, { instance }) => all + dataOf(cluster, instance), 0),
      0,
    );
  const moved = healings.reduce((sum, { relocations }) => sum + relocations.length, 0);
  return [-healed.length, data(healed), -moved, data(healings)];
}

const isBetter = (a: readonly number[], b: readonly number[]): boolean => {
  const at = a.findIndex((value, k) => value !== b[k]);
  return at >= 0 && a[at]! < b[at]!;
};

/**
 * The best redistribution found. The state is left as before.
 * @param watch told of each group that is worked on
 */
export function redistribute(
  cluster: SuperCluster,
  found: Survey,
  watch: (group: number) => void = () => {},
): Redistribution {
  let best: Redistribution = { healings: [], relocations: [] };
  let bestMerit: number[] | undefined;
  for (const way of found.isForbidden || found.healthy.length === 0 ? [] : WAYS) {
    const mark = cluster.mark();
    const result = playThrough(cluster, found, way, watch);
    cluster.rollback(mark);
    const itsMerit = merit(cluster, result.healings);
    if (bestMerit !== undefined && !isBetter(itsMerit, bestMerit)) continue;
    best = result;
    bestMerit = itsMerit;
  }
  return best;
}
