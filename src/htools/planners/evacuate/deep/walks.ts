/**
 * Walks over the places of instances that leave their nodes: where they go is little of what there is to
 * decide, so several short walks see more than a long one.
 */
import type { Budget } from '../../anneal/budget.ts';
import { RandomStream } from '../../anneal/random.ts';
import { Kernel } from '../../search/kernel/kernel.ts';
import type { SearchLayout } from '../../search/kernel/layout.ts';
import { hottestOf, runLane } from '../../search/walk/lane.ts';
import { type Placement, Prices } from '../../search/walk/prices.ts';

/** How long a search goes on, and the seed of its random numbers. */
export interface DeepLimits {
  readonly seed: number;
  readonly candidates: number;
  /** The share of the time that is over, 1 and more at its end. */
  readonly clock: () => number;
  /** Told where time ended the search. @param workShare of the candidates that were looked at */
  readonly onCutShort?: (workShare: number) => void;
}

/** Candidates of a walk for each choice of an instance and a node, and their bounds. */
const FOR_CHOICE = 400;
const FEWEST = 20_000;
const MOST = 400_000;
/** After so many walks in vain little is left to find; somebody without a place is worth more. */
const IN_VAIN = 6;
const IN_VAIN_FOR_PLACE = 9;
/** Temperature at which walks start while somebody has no place: room has to be made where there was none. */
const HOTTEST_FOR_PLACE = 6;
/** Score that a place for one more instance is worth: above any. */
const WORTH_OF_PLACE = 1e6;
const ROUNDING = 1e-7;

type Reached = ReturnType<typeof judge>;

const isBetter = (a: Reached, b: Reached): boolean =>
  a.left < b.left || (a.left === b.left && a.score < b.score - ROUNDING);

const mostInVain = ({ left }: Reached): number => (left > 0 ? IN_VAIN_FOR_PLACE : IN_VAIN);

/** Where a walk came to: how many instances it leaves, and the score within rounding. */
function judge(kernel: Kernel, placement: Placement) {
  kernel.load(placement.primary, placement.secondary);
  return { placement, left: new Prices(kernel.layout).of(placement), score: kernel.score };
}

/** Placements, each better than all before. @param until share of the budget at which it ends */
export function* betterPlacements(
  layout: SearchLayout,
  seed: number,
  budget: Budget,
  until: number,
): Iterable<Placement> {
  const { movable, targets } = layout;
  // One alone goes to the best place already.
  if (movable.length < 2) return;
  const candidates = Math.min(MOST, Math.max(FEWEST, FOR_CHOICE * movable.length * targets.length));
  const task = { cap: 0, rate: WORTH_OF_PLACE, candidates };
  const kernel = new Kernel(layout);
  let best = judge(kernel, layout);
  for (let lane = 0, inVain = 0; inVain < mostInVain(best) && budget.share < until; lane++, inVain++) {
    const random = new RandomStream(seed, lane);
    const hottest = best.left > 0 ? HOTTEST_FOR_PLACE : hottestOf(layout, lane);
    const end = runLane(layout, task, random, hottest, { from: best.placement });
    budget.spend(candidates);
    const reached = judge(kernel, end);
    if (!isBetter(reached, best)) continue;
    best = reached;
    inVain = -1;
    yield best.placement;
  }
}
