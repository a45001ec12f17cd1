/**
 * A cheaper plan for the same end: walks over placements, each turned into an order of legal relocations. The
 * plan that is there is where they begin and what they have to beat. Source: docs/why/groups.md.
 */
import type { Budget } from '../../anneal/budget.ts';
import type { RandomStream } from '../../anneal/random.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { type Aim, Best, type Merit } from './aim.ts';
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
const LATER_SHARE = 0.5;
const LATER_HOTTEST = 0.1;

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
  const walk = new PlacementWalk(cluster, aim, random, start);
  const best = new Best<readonly Relocation[] | undefined>(undefined);
  /** Orders a placement and keeps the plan if it is the best; hands out the part that can be reached. */
  const consider = (wanted: readonly Wanted[]): readonly Wanted[] => {
    const { relocations } = inLegalOrder(cluster, start, wanted, !aim.staysWithin);
    best.offer(relocations, merit(relocations));
    cluster.rollback(start);
    return relocations;
  };
  consider(begin);
  const from = budget.share;
  for (const [k, lane] of LANES.entries()) {
    if (isFirstEnough && best.found) break;
    const end = from + ((until - from) * (k + 1)) / LANES.length;
    let wanted: readonly Wanted[] = lane.isFromBest ? (best.found ?? begin) : [];
    for (let walks = 0; walks < MOST_WALKS && budget.share < end; walks++) {
      const { share, hottest } =
        walks === 0
          ? { share: FIRST_SHARE, hottest: lane.hottest }
          : { share: LATER_SHARE, hottest: LATER_HOTTEST };
      walk.begin(wanted);
      const reached = walk.run(budget, budget.share + (end - budget.share) * share, hottest);
      wanted = reached ? consider(reached) : walk.now();
      if (reached) budget.look();
    }
  }
  cluster.rollback(start);
  return best.found;
}
