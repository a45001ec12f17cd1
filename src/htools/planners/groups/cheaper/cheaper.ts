/**
 * A cheaper plan for the same end: walks over placements, each turned into an order of legal relocations.
 * Source: docs/why/groups.md, "The deep search".
 *
 * The plan that is there already is where the walks begin and what they have to beat.
 */
import type { PriceRates } from '../../../plan/price.ts';
import type { Budget } from '../../anneal/budget.ts';
import type { RandomStream } from '../../anneal/random.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { type Aim, isBetterMerit } from './aim.ts';
import { inLegalOrder, type Wanted } from './legal-order.ts';
import { PlacementWalk } from './placement-walk.ts';

/** Where walks start and how hot, in disks of middling size: from the best plan so far, or from the start. */
const LANES = [
  { isFromBest: true, hottest: 0.3 },
  { isFromBest: false, hottest: 2 },
  { isFromBest: true, hottest: 1 },
  { isFromBest: true, hottest: 0.1 },
];
/** Walks of one lane: where some of the outcome cannot be reached, it walks on from the part that can. */
const MOST_WALKS = 4;
const FIRST_SHARE = 0.7;
const LATER_HOTTEST = 0.1;

interface CheaperSearch {
  readonly cluster: SuperCluster;
  readonly aim: Aim;
  readonly random: RandomStream;
  readonly rates: PriceRates;
  readonly budget: Budget;
  /** The share of the budget at which it ends. */
  readonly until: number;
  /** How good relocations are whose end the state shows, number by number, lower better; undefined: not. */
  readonly merit: (relocations: readonly Relocation[]) => readonly number[] | undefined;
  /** Whether the first plan that is good enough ends the search. */
  readonly isFirstEnough?: boolean;
}

const wantedOf = (relocations: readonly Relocation[]): Wanted[] =>
  relocations.map(({ instance, to }) => ({ instance, home: to }));

class Search {
  private readonly start: TrialMark;
  private readonly walk: PlacementWalk;
  private best: readonly Relocation[] | undefined;
  private bestMerit: readonly number[] | undefined;

  constructor(private readonly options: CheaperSearch) {
    this.start = options.cluster.mark();
    this.walk = new PlacementWalk(options.cluster, options.aim, options.random, this.start, options.rates);
  }

  run(begin: readonly Relocation[]): readonly Relocation[] | undefined {
    const { cluster, budget, until, isFirstEnough } = this.options;
    this.consider(wantedOf(begin));
    const from = budget.share;
    for (const [k, lane] of LANES.entries()) {
      if (isFirstEnough && this.best) break;
      const known = this.best ?? begin;
      this.runLane(
        lane.isFromBest ? wantedOf(known) : [],
        lane.hottest,
        from + ((until - from) * (k + 1)) / LANES.length,
      );
    }
    cluster.rollback(this.start);
    return this.best;
  }

  private runLane(begin: readonly Wanted[], hottest: number, until: number): void {
    const { budget } = this.options;
    let wanted = begin;
    for (let walks = 0; walks < MOST_WALKS && budget.share < until; walks++) {
      this.walk.begin(wanted);
      const isFirst = walks === 0;
      const goal = isFirst
        ? budget.share + (until - budget.share) * FIRST_SHARE
        : budget.share + (until - budget.share) / 2;
      const reached = this.walk.run(budget, goal, isFirst ? hottest : LATER_HOTTEST);
      if (reached === undefined) {
        wanted = this.walk.now();
        continue;
      }
      wanted = this.consider(reached.wanted);
      budget.look();
    }
  }

  /** Orders a placement and keeps the plan if it is the best; hands out the part that can be reached. */
  private consider(wanted: readonly Wanted[]): readonly Wanted[] {
    const { cluster, merit } = this.options;
    const { relocations } = inLegalOrder(cluster, this.start, wanted);
    const found = merit(relocations);
    if (found !== undefined && (this.bestMerit === undefined || isBetterMerit(found, this.bestMerit))) {
      this.best = relocations;
      this.bestMerit = found;
    }
    cluster.rollback(this.start);
    return wantedOf(relocations);
  }
}

/**
 * The best plan found, the one that there is included if it is good enough; undefined where none is. The
 * state is as before.
 * @param begin a plan from the state as it is
 */
export const findCheaper = (
  options: CheaperSearch,
  begin: readonly Relocation[],
): readonly Relocation[] | undefined => new Search(options).run(begin);
