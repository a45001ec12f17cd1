/**
 * A cheaper plan for the same end: walks over placements, each turned into an order of legal relocations. The
 * plan that is there is where they begin and what they have to beat. Source: docs/why/groups.md.
 */
import type { Budget } from '../../anneal/budget.ts';
import type { RandomStream } from '../../anneal/random.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { type Aim, Best, isLeft, type Merit } from './aim.ts';
import { inLegalOrder, type Wanted } from './legal-order.ts';
import { placementWalk } from './placement-walk.ts';

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
const LATER_SHARE = 0.5;
const LATER_HOTTEST = 0.1;
/** With more left after a lane than this, the next ones do not find places for all. */
const MOST_LEFT = 100;
/** Candidates of a lane for each instance that has to leave, without which none gets there from the start. */
const CANDIDATES_A_LEAVER = 4;

interface CheaperSearch {
  readonly cluster: SuperCluster;
  readonly aim: Aim;
  readonly random: RandomStream;
  readonly budget: Budget;
  /** The share of the budget at which it ends. */
  readonly until: number;
  /** How good relocations are whose end the state shows. */
  readonly merit: (relocations: readonly Relocation[]) => Merit;
  /** Whether the first plan that is good enough ends the search. */
  readonly isFirstEnough?: boolean;
}

/** The best plan found, that to begin with included; undefined where none is good enough. State as before. */
export function findCheaper(
  { cluster, aim, random, budget, until, merit, isFirstEnough }: CheaperSearch,
  begin: readonly Relocation[],
): readonly Relocation[] | undefined {
  const start = cluster.mark();
  const walk = placementWalk(cluster, aim, random, start);
  const best = new Best<readonly Relocation[] | undefined>(undefined);
  /**
   * Orders a placement and keeps the plan if it is the best; hands out the part that can be reached. Most of
   * what moves in the best plan as well needs no other order than there.
   */
  const consider = (wanted: readonly Wanted[]): readonly Wanted[] => {
    const places = new Map((best.found ?? begin).map(({ instance }, place) => [instance, place]));
    const placeOf = ({ instance }: Wanted): number => places.get(instance) ?? places.size;
    const asBefore = wanted.toSorted((a, b) => placeOf(a) - placeOf(b));
    const { relocations } = inLegalOrder(cluster, start, asBefore, !aim.staysWithin);
    best.offer(relocations, merit(relocations));
    cluster.rollback(start);
    return relocations;
  };
  const isEnough = (): boolean => isFirstEnough === true && best.found !== undefined;
  /** Each walk begins with what of the one before can be reached. */
  const walkLane = ({ isFromBest, hottest }: (typeof LANES)[number], end: number): void => {
    let wanted: readonly Wanted[] | undefined = isFromBest ? (best.found ?? begin) : [];
    let share = FIRST_SHARE;
    for (let walks = 0; walks < MOST_WALKS && budget.share < end && !isEnough(); walks++) {
      // Where not all that is wanted was reached, it goes on from where it is.
      if (wanted) walk.begin(wanted);
      const walkEnd = budget.share + (end - budget.share) * share;
      const reached = walk.run(budget, walkEnd, walks === 0 ? hottest : LATER_HOTTEST);
      wanted = reached && consider(reached);
      if (reached) budget.look();
      // What is left of the lane is for one more walk where all of it is legal.
      share = reached && wanted!.length === reached.length ? 1 : LATER_SHARE;
    }
  };
  const leaving = aim.movable.filter((i) => isLeft(aim.leaves, cluster.state, i));
  const placed = new Set(begin.map(({ instance }) => instance));
  // Ordering what leaves some where none may be is for nothing.
  if (leaving.every((i) => placed.has(i))) consider(begin);
  const { done } = budget;
  const from = budget.share;
  for (const [k, lane] of LANES.entries()) {
    if (isEnough() || (isFirstEnough && walk.left() > MOST_LEFT)) break;
    const perLane = (budget.done - done) / k;
    if (!lane.isFromBest && perLane < CANDIDATES_A_LEAVER * leaving.length) continue;
    walkLane(lane, from + ((until - from) * (k + 1)) / LANES.length);
  }
  cluster.rollback(start);
  return best.found;
}
