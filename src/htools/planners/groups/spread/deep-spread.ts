/**
 * Spreading load at the lowest price, with no more disk copied: the deep search over what the best single
 * moves have found. Source: docs/why/groups.md.
 *
 * Walks over groups alone say who is to go where; then the homes are sought. What finds none is not asked of
 * that group again, and the next walk begins with what did.
 */
import { RandomStream } from '../../anneal/random.ts';
import { type GroupSearch, isBetterMerit, lastResorts } from '../cheaper/aim.ts';
import { findHome } from '../homes/homes.ts';
import type { GroupRules } from '../homes/leaving.ts';
import { replay } from '../homes/replay.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { LAST_RESORT, PREFERRED, tierOf } from '../homes/targets.ts';
import { inTurns } from '../relocate/in-turns.ts';
import { copiedMibOfAll, priceOfAll } from '../relocate/job-schedule.ts';
import type { Relocation } from '../relocate/relocation.ts';
import type { GroupLoads } from './group-load.ts';
import { EQUAL_SHARE, GroupWalk, type Traveller } from './group-walk.ts';

export interface SpreadStep {
  readonly relocation: Relocation;
  /** Spread after the step. */
  readonly score: number;
}

/** Of plans of the same price, so much of the spread at the start counts as much as one move. */
const SHARE_A_MOVE = 0.01;
/** Temperatures to begin with, in moves of middling size, and whether from the best plan so far. */
const WALKS = [
  { isFromBest: false, hottest: 3, isStrict: false },
  { isFromBest: true, hottest: 0.05, isStrict: true },
  { isFromBest: true, hottest: 0.3, isStrict: false },
  { isFromBest: true, hottest: 0.05, isStrict: true },
  { isFromBest: false, hottest: 1, isStrict: false },
  { isFromBest: true, hottest: 0.1, isStrict: true },
];

export interface DeepSpread extends GroupSearch {
  readonly cluster: SuperCluster;
  readonly loads: GroupLoads;
  readonly rules: GroupRules;
  /** Instances that may move, and groups that may take them. */
  readonly movable: readonly number[];
  readonly healthy: ReadonlySet<number>;
  /** Moves in all; infinite for no limit. */
  readonly mostMoves: number;
}

/** @param used groups that the plan known already goes to: of those of last resort only these are open */
function travellersOf(
  { cluster, rules, movable, healthy }: DeepSpread,
  used: ReadonlySet<number>,
): Traveller[] {
  const { state } = cluster;
  return movable.flatMap((instance): Traveller[] => {
    const primary = state.primary[instance]!;
    const from = state.groupOf[primary]!;
    const open = rules
      .of(instance)
      .open.filter(
        (group) =>
          group !== from && healthy.has(group) && (tierOf(cluster, group) === PREFERRED || used.has(group)),
      );
    if (state.isOffline[primary] || open.length === 0) return [];
    return [{ instance, from, open, price: cluster.priceOfLeaving(instance) }];
  });
}

class DeepSpreader {
  private readonly options: DeepSpread;
  private readonly goal: number;
  private readonly before: number;
  private readonly mostDiskMib: number;
  private readonly mostLastResorts: number;
  private readonly travellers: readonly Traveller[];
  /** By traveller: groups that had no home for it. */
  private readonly refused: readonly Set<number>[];
  private best: readonly Relocation[];
  private bestMerit: readonly number[] | undefined;

  constructor(options: DeepSpread, begin: readonly Relocation[], goal: number) {
    const { cluster, loads } = options;
    this.options = options;
    this.goal = goal;
    this.before = loads.score;
    this.mostDiskMib = copiedMibOfAll(cluster.snapshot, begin);
    this.mostLastResorts = lastResorts(cluster, begin);
    this.travellers = travellersOf(options, new Set(begin.map(({ to }) => to.group)));
    this.refused = this.travellers.map(() => new Set<number>());
    this.best = begin;
  }

  run(): readonly Relocation[] {
    const { cluster, loads, seed, budget, mostMoves } = this.options;
    const { travellers, refused } = this;
    if (travellers.length === 0 || !(this.before > 0)) return this.best;
    const start = cluster.mark();
    replay(cluster, this.best);
    this.bestMerit = this.merit(this.best);
    cluster.rollback(start);
    loads.refresh(loads.groups);
    const goal = {
      spread: this.goal,
      mostMoves,
      lastResort: new Set(cluster.groups.filter((group) => tierOf(cluster, group) === LAST_RESORT)),
      mostLastResorts: this.mostLastResorts,
    };
    const walk = new GroupWalk(loads, travellers, goal, new RandomStream(seed, 0));
    const from = budget.share;
    WALKS.forEach(({ isFromBest, ...heat }, k) => {
      const until = from + ((1 - from) * (k + 1)) / WALKS.length;
      const begin = travellers.map((one) => one.from);
      if (isFromBest) {
        const known = new Map(this.best.map(({ instance, to }) => [instance, to.group]));
        travellers.forEach(({ instance }, t) => {
          begin[t] = known.get(instance) ?? begin[t]!;
        });
      }
      const isOpen = (t: number, group: number): boolean => !refused[t]!.has(group);
      const ends = walk.run(begin, isOpen, budget, until, heat);
      if (ends) this.settle(ends);
      cluster.rollback(start);
      loads.refresh(loads.groups);
      budget.look();
    });
    return this.best;
  }

  /** Seeks homes in the groups; those who can leave only once others have wait for them. */
  private settle(ends: readonly number[]): void {
    const { cluster } = this.options;
    const options = { strategy: 'standard', refreshesOld: true } as const;
    const relocations: Relocation[] = [];
    const leaving = this.travellers.flatMap(({ from }, t) => (ends[t] === from ? [] : [t]));
    const waiting = inTurns(leaving, (t) => {
      const home = findHome(cluster, this.travellers[t]!.instance, [ends[t]!], options);
      if (home.kind === 'found') relocations.push(home.relocation);
      return home.kind === 'found';
    });
    for (const t of waiting) this.refused[t]!.add(ends[t]!);
    const merit = this.merit(relocations);
    if (merit && (this.bestMerit === undefined || isBetterMerit(merit, this.bestMerit))) {
      this.best = relocations;
      this.bestMerit = merit;
    }
  }

  /** How good relocations are whose end the state shows; undefined where they do not do what is wanted. */
  private merit(relocations: readonly Relocation[]): readonly number[] | undefined {
    const { cluster, loads, healthy, mostMoves, rates } = this.options;
    loads.refresh(loads.groups);
    if (loads.score > this.goal * (1 + EQUAL_SHARE) || relocations.length > mostMoves) return undefined;
    if (lastResorts(cluster, relocations) > this.mostLastResorts) return undefined;
    if ([...healthy].some((group) => cluster.healthOf(group).state !== 'healthy')) return undefined;
    if (copiedMibOfAll(cluster.snapshot, relocations) > this.mostDiskMib) return undefined;
    return [
      priceOfAll(cluster.snapshot, relocations, rates),
      loads.score / this.before + SHARE_A_MOVE * relocations.length,
    ];
  }
}

/**
 * Moves that spread the load as evenly as those given, or more so, at the lowest price found and with no
 * more disk copied. The state is left with them made.
 * @param steps what was found already; the state is as before them
 */
export function spreadCheaper(options: DeepSpread, steps: readonly SpreadStep[]): readonly SpreadStep[] {
  const { cluster, loads } = options;
  loads.refresh(loads.groups);
  const goal = steps.at(-1)?.score ?? loads.score;
  const begin = steps.map(({ relocation }) => relocation);
  const found = new DeepSpreader(options, begin, goal).run();
  return found.map((one): SpreadStep => {
    replay(cluster, [one]);
    loads.refresh([one.from.group, one.to.group]);
    return { relocation: one, score: loads.score };
  });
}
