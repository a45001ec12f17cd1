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
import { Healer, type Healing, type Way } from './healing.ts';
import { type SearchBudget, SmallSearch } from './small-search.ts';
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

/** What was found for one group. */
export interface GroupHealing extends Healing {
  /** What it would have cost without moves within the group; undefined where no such way was found. */
  readonly acrossOnly: { readonly instances: number; readonly copiedMib: number } | undefined;
}

/** What was found. */
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

class Redistributor {
  private readonly rules: GroupRules;

  constructor(
    private readonly cluster: SuperCluster,
    private readonly survey: Survey,
    private readonly watch: (group: number) => void,
    private readonly deep: DeepOptions | undefined,
  ) {
    this.rules = new GroupRules(cluster);
  }

  run(): Redistribution {
    const { cluster, survey, deep } = this;
    const start = cluster.mark();
    const best = new Best<Played>([]);
    /** Healed groups of the best way that moves nothing within a group. */
    const across = new Best<Played>([]);
    const canLeave = !survey.isForbidden && survey.healthy.length > 0;
    for (const way of WAYS.filter(({ within }) => canLeave || within !== 'never')) {
      const played = this.heal(way, [], this.sickInTurn(way));
      cluster.rollback(start);
      const merit = this.merit(played);
      best.offer(played, merit);
      if (way.within === 'never') across.offer(played, merit);
    }
    const healed = this.healByTrying(best.found);
    const ordinary = [...healed, ...this.save(groupsOf(healed))];
    cluster.rollback(start);
    const withPrices = (played: Played): GroupHealing[] =>
      survey.sick.map(({ group }): GroupHealing => {
        const other = across.found.find((one) => one.group === group)?.relocations;
        return {
          ...played.find((one) => one.group === group)!,
          acrossOnly: other && { instances: other.length, copiedMib: cluster.copiedMib(other) },
        };
      });
    const greedy = { healings: withPrices(ordinary), relocations: relocationsOf(ordinary) };
    if (deep === undefined || survey.sick.length === 0) return greedy;
    const done = this.deepen(deep, healed, ordinary.slice(healed.length));
    return { healings: withPrices(done.healings), relocations: done.relocations, greedy };
  }

  /** The deep search: first over groups that are not healed, then for a lower price. State as before. */
  private deepen(deep: DeepOptions, healed: Played, saved: Played) {
    const { cluster, rules, survey, watch } = this;
    const options = { ...deep, cluster, rules, survey, watch };
    const before = { groups: groupsOf(healed), relocations: relocationsOf(healed) };
    const more = healMore(options, before, this.unhealed(before.groups));
    const others =
      more.groups.length === healed.length
        ? saved
        : cluster.tentatively(() => {
            cluster.replay(more.relocations);
            return this.save(more.groups);
          });
    const rescued = relocationsOf(others);
    // What is rescued of one group may heal another, whose instances had second copies there.
    const groups = [...more.groups, ...groupsOf(others.filter(({ isHealed }) => isHealed))];
    const relocations = healCheaper(options, {
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
  }

  private sickInTurn({ order }: Way): readonly number[] {
    const groups = this.survey.sick.map(({ group }) => group);
    return order === 'as-listed' ? groups.sort((a, b) => a - b) : groups;
  }

  private unhealed(healed: readonly number[]): readonly number[] {
    return this.survey.sick.map(({ group }) => group).filter((group) => !healed.includes(group));
  }

  /** Whether a group may take instances once some others are healed. */
  private targets(healed: readonly number[]): (group: number) => boolean {
    const takers = takersWith(this.survey, healed);
    return (group) => takers.has(group);
  }

  private healOne(way: Way, healed: readonly number[], group: number, keepsPartial: boolean): Healing {
    const { cluster, rules } = this;
    const context = { cluster, rules, isTarget: this.targets(healed), ...way, keepsPartial };
    return new Healer(context, group).heal();
  }

  /**
   * Heals the groups that can be healed, again and again as long as one more can: a healed one may take
   * instances of the others. The state is left with them healed. @param before groups that are healed already
   */
  private heal(way: Way, before: Played, groups: readonly number[]): Played {
    const healed: Healing[] = [...before];
    inTurns(groups, (group) => {
      this.watch(group);
      const healing = this.healOne(way, groupsOf(healed), group, false);
      if (healing.isHealed) healed.push(healing);
      return healing.isHealed;
    });
    return healed;
  }

  /** Heals the same groups again and tries everything for the others' small ones, on the state. */
  private healByTrying(best: Played): Played {
    const { cluster, rules } = this;
    cluster.replay(relocationsOf(best));
    let healed = best;
    const budget: SearchBudget = { states: MOST_STATES };
    for (let count = -1; count !== healed.length; ) {
      count = healed.length;
      for (const group of this.unhealed(groupsOf(healed))) {
        this.watch(group);
        const isTarget = this.targets(groupsOf(healed));
        const relocations = new SmallSearch(cluster, group, rules, isTarget, budget).find();
        if (relocations) healed = [...healed, healedBy(group, relocations)];
      }
      if (healed.length > count) healed = this.heal(SAVING, healed, this.unhealed(groupsOf(healed)));
    }
    return healed;
  }

  private save(healed: readonly number[]): Played {
    return this.unhealed(healed).map((group) => this.healOne(SAVING, healed, group, true));
  }

  /** How good an outcome is: compared number by number, the lower the better. */
  private merit(healed: Played): number[] {
    const all = relocationsOf(healed);
    const leaving = all.filter((one) => !isWithin(one)).length;
    return [-healed.length, this.cluster.priceOf(all), leaving, all.length];
  }
}

/** The best redistribution. State as before. @param watch told of each group @param deep if asked for */
export const redistribute = (
  cluster: SuperCluster,
  found: Survey,
  watch: (group: number) => void = () => {},
  deep?: DeepOptions,
): Redistribution => new Redistributor(cluster, found, watch, deep).run();
