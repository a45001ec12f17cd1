/**
 * Redistribution: groups with dead nodes, or with nodes that fail N+1, are healed: within themselves where
 * that can be, by the healthy groups otherwise. Source: docs/why/groups.md, "hredist".
 *
 * Several ways of choosing instances and homes are played through, a plain first-come relocation among them;
 * the one that heals most groups counts, then the cheapest for them, then the one that saves
 * most instances.
 */
import { type GroupSearch, isBetterMerit } from '../cheaper/aim.ts';
import { GroupRules } from '../homes/leaving.ts';
import { replay } from '../homes/replay.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { inTurns } from '../relocate/in-turns.ts';
import { copiedMibOfAll, priceOfAll } from '../relocate/job-schedule.ts';
import { isWithin, type Relocation } from '../relocate/relocation.ts';
import { healCheaper, healMore } from './deep-healing.ts';
import { type Healing, healGroup, type Way } from './healing.ts';
import { healByTrying, type SearchBudget } from './small-search.ts';
import type { Survey } from './survey.ts';

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
  /** What it would have cost without moves within the group; undefined where that would not heal it. */
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

class Redistributor {
  private readonly rules: GroupRules;

  constructor(
    private readonly cluster: SuperCluster,
    private readonly survey: Survey,
    private readonly watch: (group: number) => void,
    private readonly deep: GroupSearch | undefined,
  ) {
    this.rules = new GroupRules(cluster);
  }

  run(): Redistribution {
    const { cluster, survey } = this;
    const start = cluster.mark();
    let best: Played = [];
    let bestMerit: number[] | undefined;
    /** Healed groups of the best way that moves nothing within a group. */
    let across: Played = [];
    let acrossMerit: number[] | undefined;
    const canLeave = !survey.isForbidden && survey.healthy.length > 0;
    for (const way of WAYS.filter(({ within }) => canLeave || within !== 'never')) {
      const played = this.heal(way, [], this.sickInTurn(way));
      cluster.rollback(start);
      const merit = this.merit(played);
      if (bestMerit === undefined || isBetterMerit(merit, bestMerit)) [best, bestMerit] = [played, merit];
      if (way.within !== 'never') continue;
      if (acrossMerit === undefined || isBetterMerit(merit, acrossMerit))
        [across, acrossMerit] = [played, merit];
    }
    const healed = this.healByTrying(best);
    const ordinary = this.save(healed);
    cluster.rollback(start);
    const relocationsOf = (played: Played): readonly Relocation[] => played.flatMap((one) => one.relocations);
    const greedy = { healings: this.withPrices(ordinary, across), relocations: relocationsOf(ordinary) };
    if (this.deep === undefined || survey.sick.length === 0) return greedy;
    const done = this.deepen(this.deep, healed, ordinary);
    return { healings: this.withPrices(done.healings, across), relocations: done.relocations, greedy };
  }

  /** One outcome for each sick group, with the price of moves to other groups only. */
  private withPrices(played: Played, across: Played): GroupHealing[] {
    const byGroup = new Map(played.map((one) => [one.group, one]));
    return this.survey.sick.map(({ group }): GroupHealing => {
      const other = across.find((one) => one.group === group);
      return { ...byGroup.get(group)!, acrossOnly: other && this.priceOf(other) };
    });
  }

  /**
   * The deep search: first over groups that are not healed, then for a lower price. The state is as before.
   * @param ordinary what is healed, and what is saved of the others
   */
  private deepen(
    deep: GroupSearch,
    healed: Played,
    ordinary: Played,
  ): { readonly healings: Played; readonly relocations: readonly Relocation[] } {
    const { cluster, rules, survey, watch } = this;
    const options = { ...deep, cluster, rules, survey, watch };
    const start = cluster.mark();
    const before = {
      groups: healed.map(({ group }) => group),
      relocations: healed.flatMap(({ relocations }) => relocations),
    };
    const more = healMore(options, before, this.unhealed(healed));
    const relocationsFrom = (all: readonly Relocation[], group: number): Relocation[] =>
      all.filter((one) => this.groupOf(one, more.groups) === group);
    let saved: Played = ordinary.slice(healed.length);
    if (more.groups.length > healed.length) {
      replay(cluster, more.relocations);
      const all = more.groups.map(
        (group): Healing => ({ group, isHealed: true, relocations: [], stranded: [] }),
      );
      saved = this.save(all).slice(all.length);
      cluster.rollback(start);
    }
    const rescued = saved.flatMap(({ relocations }) => relocations);
    const relocations = healCheaper(options, {
      groups: more.groups,
      relocations: [...more.relocations, ...rescued],
      saved: rescued.map(({ instance }) => instance),
    });
    const isRescued = new Set(rescued.map(({ instance }) => instance));
    const forHealed = relocations.filter(({ instance }) => !isRescued.has(instance));
    const healings = [
      ...more.groups.map(
        (group): Healing => ({
          group,
          isHealed: true,
          relocations: relocationsFrom(forHealed, group),
          stranded: [],
        }),
      ),
      ...saved.map((one): Healing => {
        const own = new Set(one.relocations.map(({ instance }) => instance));
        return { ...one, relocations: relocations.filter(({ instance }) => own.has(instance)) };
      }),
    ];
    return { healings, relocations };
  }

  /** The healed group that a relocation is for: where the instance was, or where its secondary was. */
  private groupOf({ from }: Relocation, healed: readonly number[]): number {
    return healed.includes(from.group) ? from.group : this.cluster.state.groupOf[from.secondary]!;
  }

  private priceOf({ relocations }: Healing): GroupHealing['acrossOnly'] {
    return {
      instances: relocations.length,
      copiedMib: copiedMibOfAll(this.cluster.snapshot, relocations),
    };
  }

  private sickInTurn({ order }: Way): readonly number[] {
    const groups = this.survey.sick.map(({ group }) => group);
    return order === 'as-listed' ? groups.sort((a, b) => a - b) : groups;
  }

  /** Groups that may take instances once some others are healed. */
  private targets(healed: readonly Healing[]): (group: number) => boolean {
    const { healthy, alone, isForbidden } = this.survey;
    if (isForbidden) return () => false;
    const targets = new Set([
      ...healthy,
      ...healed.map(({ group }) => group).filter((g) => !alone.includes(g)),
    ]);
    return (group) => targets.has(group);
  }

  /**
   * Heals the groups that can be healed, the worst first, again and again as long as one more can: a healed
   * group may take instances of the others. The state is left with them healed.
   * @param before groups that are healed already
   */
  private heal(way: Way, before: readonly Healing[], groups: readonly number[]): Played {
    const { cluster, rules } = this;
    const healed: Healing[] = [...before];
    inTurns(groups, (group) => {
      this.watch(group);
      const isTarget = this.targets(healed);
      const healing = healGroup({ cluster, rules, isTarget, ...way, keepsPartial: false }, group);
      if (healing.isHealed) healed.push(healing);
      return healing.isHealed;
    });
    return healed;
  }

  private unhealed(healed: readonly Healing[]): readonly number[] {
    return this.survey.sick.map(({ group }) => group).filter((g) => !healed.some(({ group }) => group === g));
  }

  /** Heals the same groups again and tries everything for the others' small ones, on the state. */
  private healByTrying(best: Played): Played {
    const { cluster, rules } = this;
    let healed: Healing[] = best.map((one) => ({
      ...one,
      relocations: replay(cluster, one.relocations) ?? one.relocations,
    }));
    const budget: SearchBudget = { states: MOST_STATES };
    for (let count = -1; count !== healed.length; ) {
      count = healed.length;
      for (const group of this.unhealed(healed)) {
        this.watch(group);
        const relocations = healByTrying(cluster, group, rules, this.targets(healed), budget);
        if (relocations) healed.push({ group, isHealed: true, relocations, stranded: [] });
      }
      if (healed.length > count) healed = [...this.heal(SAVING, healed, this.unhealed(healed))];
    }
    return healed;
  }

  /** Saves what can be saved of the groups that are not healed with the room that is left. */
  private save(healed: Played): Played {
    const { cluster, rules } = this;
    const saved = this.unhealed(healed).map((group) => {
      const isTarget = this.targets(healed);
      return healGroup({ cluster, rules, isTarget, ...SAVING, keepsPartial: true }, group);
    });
    return [...healed, ...saved];
  }

  /** How good an outcome is: compared number by number, the lower the better. */
  private merit(healed: Played): number[] {
    const all = healed.flatMap(({ relocations }) => relocations);
    const price = priceOfAll(this.cluster.snapshot, all, this.cluster.rates);
    const leaving = all.filter((one) => !isWithin(one)).length;
    return [-healed.length, price, leaving, all.length];
  }
}

/** The best redistribution. State as before. @param watch told of each group @param deep if asked for */
export const redistribute = (
  cluster: SuperCluster,
  found: Survey,
  watch: (group: number) => void = () => {},
  deep?: GroupSearch,
): Redistribution => new Redistributor(cluster, found, watch, deep).run();
