/**
 * Groups with dead nodes, or with nodes that fail N+1, are healed. Several ways are played through, a plain
 * first-come relocation among them; the one that heals most groups counts, then the cheapest, then the one
 * that moves least. Source: docs/why/groups.md, "hredist".
 */
import { groupedBy } from '../../../../kit/grouped.ts';
import type { DeepOptions } from '../../anneal/budget.ts';
import { Best } from '../cheaper/aim.ts';
import { GroupRules } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { inTurns, isWithin, type Relocation } from '../relocate/relocation.ts';
import { healCheaper, healMore } from './deep-healing.ts';
import { type Healing, heal, type Way } from './healing.ts';
import { healByFewMoves } from './small-search.ts';
import { type Survey, takersWith } from './survey.ts';

/** Ways of going about it; the first of equals counts. */
const WAYS: readonly Way[] = [
  { within: 'gently', strategy: 'standard', order: 'by-class' },
  { within: 'freely', strategy: 'standard', order: 'cheapest' },
  { within: 'never', strategy: 'standard', order: 'by-class' },
  { within: 'never', strategy: 'standard', order: 'cheapest' },
  { within: 'never', strategy: 'tight', order: 'cheapest' },
  { within: 'never', strategy: 'first', order: 'as-listed' },
];

/** The way in which what is left over is saved, where no group can be healed by it. */
const SAVING: Way = WAYS[0]!;

/** States that the search by trying may look at, for all groups together. */
const MOST_STATES = 30_000;

export interface GroupHealing extends Healing {
  /** What it would have cost without moves within the group; undefined where no such way was found. */
  readonly acrossOnly: { readonly instances: number; readonly copiedMib: number } | undefined;
}

export interface Redistribution {
  readonly healings: readonly GroupHealing[];
  /** In an order in which they can be made. */
  readonly relocations: readonly Relocation[];
  /** What is found without the deep search; only after one. */
  readonly greedy?: Omit<Redistribution, 'greedy'> | undefined;
}

/** Healings of the groups in the order in which they were worked on. */
type Played = readonly Healing[];

const groupsOf = (played: Played): readonly number[] => played.map(({ group }) => group);
const relocationsOf = (played: Played): readonly Relocation[] =>
  played.flatMap(({ relocations }) => relocations);

const healedBy = (group: number, relocations: readonly Relocation[]): Healing => ({
  group,
  isHealed: true,
  relocations,
  stranded: [],
});

/** The best redistribution. State as before. @param watch told of each group @param deep if asked for */
export function redistribute(
  cluster: SuperCluster,
  survey: Survey,
  watch: (group: number) => void = () => {},
  deep?: DeepOptions,
): Redistribution {
  const rules = new GroupRules(cluster);
  const start = cluster.mark();
  const sick = survey.sick.map(({ group }) => group);
  const unhealed = (healed: readonly number[]): readonly number[] =>
    sick.filter((group) => !healed.includes(group));

  const healOne = (way: Way, healed: readonly number[], group: number, keepsPartial: boolean): Healing => {
    const takers = takersWith(survey, healed);
    const isTarget = (other: number): boolean => takers.has(other);
    return heal({ cluster, rules, isTarget, ...way, keepsPartial }, group);
  };
  /**
   * Heals the groups that can be healed, again and again as long as one more can: a healed one may take
   * instances of the others. The state is left with them healed. @param before groups that are healed already
   */
  const healAll = (way: Way, before: Played, groups: readonly number[]): Played => {
    const healed: Healing[] = [...before];
    inTurns(groups, (group) => {
      watch(group);
      const healing = healOne(way, groupsOf(healed), group, false);
      if (healing.isHealed) healed.push(healing);
      return healing.isHealed;
    });
    return healed;
  };

  /** Heals the same groups again and tries everything for the others' small ones, on the state. */
  const healByTrying = (best: Played): Played => {
    cluster.replay(relocationsOf(best));
    let healed = best;
    const budget = { states: MOST_STATES };
    for (let count = -1; count !== healed.length; ) {
      count = healed.length;
      for (const group of unhealed(groupsOf(healed))) {
        watch(group);
        const takers = takersWith(survey, groupsOf(healed));
        const relocations = healByFewMoves(cluster, group, rules, (other) => takers.has(other), budget);
        if (relocations) healed = [...healed, healedBy(group, relocations)];
      }
      if (healed.length > count) healed = healAll(SAVING, healed, unhealed(groupsOf(healed)));
    }
    return healed;
  };
  const save = (healed: readonly number[]): Played =>
    unhealed(healed).map((group) => healOne(SAVING, healed, group, true));

  /** The deep search: first over groups that are not healed, then for a lower price. State as before. */
  const deepen = (options: DeepOptions, healed: Played, saved: Played) => {
    const healing = { ...options, cluster, rules, survey, watch };
    const before = { groups: groupsOf(healed), relocations: relocationsOf(healed) };
    const more = healMore(healing, before, unhealed(before.groups));
    const others =
      more.groups.length === healed.length
        ? saved
        : cluster.tentatively(() => {
            cluster.replay(more.relocations);
            return save(more.groups);
          });
    const rescued = relocationsOf(others);
    // What is rescued of one group may heal another, whose instances had second copies there.
    const groups = [...more.groups, ...groupsOf(others.filter(({ isHealed }) => isHealed))];
    const relocations = healCheaper(healing, {
      groups,
      relocations: [...more.relocations, ...rescued],
      saved: rescued.map(({ instance }) => instance),
    });
    const rescuedOf = new Map(
      others.flatMap((one) => one.relocations.map(({ instance }) => [instance, one.group])),
    );
    /** The group that it is for: where the instance was, or where its secondary was. */
    const groupOf = ({ instance, from }: Relocation): number =>
      rescuedOf.get(instance) ??
      (groups.includes(from.group) ? from.group : cluster.state.groupOf[from.secondary]!);
    const byGroup = groupedBy(relocations, groupOf);
    const healings = [
      ...more.groups.map((group) => healedBy(group, byGroup.get(group) ?? [])),
      ...others.map((one): Healing => ({ ...one, relocations: byGroup.get(one.group) ?? [] })),
    ];
    return { healings, relocations };
  };

  const best = new Best<Played>([]);
  /** Healed groups of the best way that moves nothing within a group. */
  const across = new Best<Played>([]);
  const canLeave = !survey.isForbidden && survey.healthy.length > 0;
  for (const way of WAYS.filter(({ within }) => canLeave || within !== 'never')) {
    const played = healAll(way, [], way.order === 'as-listed' ? sick.toSorted((a, b) => a - b) : sick);
    cluster.rollback(start);
    const all = relocationsOf(played);
    const leaving = all.filter((one) => !isWithin(one)).length;
    const merit = [-played.length, cluster.priceOf(all), leaving, all.length];
    best.offer(played, merit);
    if (way.within === 'never') across.offer(played, merit);
  }
  const healed = healByTrying(best.found);
  const ordinary = [...healed, ...save(groupsOf(healed))];
  cluster.rollback(start);
  const withPrices = (played: Played): GroupHealing[] =>
    sick.map((group): GroupHealing => {
      const other = across.found.find((one) => one.group === group)?.relocations;
      return {
        ...played.find((one) => one.group === group)!,
        acrossOnly: other && { instances: other.length, copiedMib: cluster.copiedMib(other) },
      };
    });
  const greedy = { healings: withPrices(ordinary), relocations: relocationsOf(ordinary) };
  if (deep === undefined || sick.length === 0) return greedy;
  const done = deepen(deep, healed, ordinary.slice(healed.length));
  return { healings: withPrices(done.healings), relocations: done.relocations, greedy };
}
