/**
 * Which lanes a search consists of.
 *
 * They depend on the task alone, never on threads or time, so that the answer is the same anywhere; nor on
 * what may be spent, so that what the curve shows is what who asks for it gets: limits add lanes. Where all
 * the work is little for so many instances there are few lanes: a walk that ends early is worse at its own
 * price than the beginning of a plan from a longer walk to a higher one.
 */
import { Scorer } from '../../model/score/scorer.ts';
import { ClusterState } from '../../model/state/state.ts';
import { CAP_NAMES, NO_CAPS, type PlanAmounts } from '../../plan/plan.ts';
import { makeLayout, type SearchLayout } from './kernel/layout.ts';
import { type CheapestWays, cheapestWays } from './order/cheapest-ways.ts';
import type { Task } from './plans.ts';
import type { LaneTask } from './walk/lane.ts';
import { Prices } from './walk/prices.ts';

/** What the operator allows a search. */
export interface SearchLimits {
  readonly seed: number;
  /** Candidates in all lanes together, but for those that limits add. */
  readonly candidates: number;
  readonly caps: PlanAmounts;
}

/** What a lane is to find, and how much of the work it gets. */
interface LaneShape {
  /** Prices, the highest first, as shares of moving everything once. */
  readonly shares: readonly number[];
  /** What it takes over once greedy is done; its price is about `shares`. */
  readonly ofGreedy?: LaneTask['ofGreedy'];
  readonly weight: number;
}

/** By these factors a lane goes down from its start. That keeps what only many moves together gain. */
const GOING_DOWN = [1, 0.8, 0.64, 0.51, 0.41];
const downFrom = (share: number): LaneShape => ({
  shares: GOING_DOWN.map((factor) => (factor === 1 ? share : Math.min(share, 1) * factor)),
  weight: 1,
});
/**
 * What greedy copies and migrates is a price that operators know: a lane looks for the lowest score there.
 * Where greedy does nothing it ends at what that mostly costs.
 */
const USUAL_GREEDY = 3 / 8;
/** Share of greedy's score that a lane copies least for: orders must not end above that. */
const TARGET_SHARE = 0.998;

const LIKE_GREEDY: LaneShape = { shares: [USUAL_GREEDY], ofGreedy: 'price', weight: 1 };
/** On few nodes walks are short, and the best of some is better than one as long as all. */
const AS_GOOD: LaneShape = { shares: [USUAL_GREEDY / 4], ofGreedy: 'score', weight: 0.75 };

/**
 * It bends where moves are cheap. There are two walks for greedy's price: on few nodes one of five ends where
 * a node stays uneven or its steps wait for each other, and a longer one does no less often.
 */
const LANES: readonly LaneShape[] = [
  ...[1 / 256, 1 / 100, 1 / 40, 1 / 20, 3 / 32, 1 / 8, 3 / 16, 1 / 4, 3 / 8].map(downFrom),
  LIKE_GREEDY,
  LIKE_GREEDY,
  AS_GOOD,
  AS_GOOD,
  AS_GOOD,
  ...[1 / 2, 3 / 4, Number.POSITIVE_INFINITY].map(downFrom),
];
const SHORT_LANES: readonly LaneShape[] = [
  { shares: [1 / 128, 1 / 256], weight: 0.5 },
  { shares: [1 / 32, 1 / 64], weight: 1 },
  { shares: [1 / 12, 1 / 15, 1 / 20], weight: 1 },
  { shares: [1 / 5, 1 / 8], weight: 1 },
  { ...LIKE_GREEDY, weight: 2.5 },
  { ...AS_GOOD, weight: 1.5 },
  { ...AS_GOOD, weight: 1.5 },
  { shares: [Number.POSITIVE_INFINITY, 1 / 2], weight: 1 },
];

/** Beside the others, where something is limited: what is cheap may need many moves. */
const LIMITED: readonly LaneShape[] = [1 / 10, 3 / 8, Number.POSITIVE_INFINITY].map(downFrom);

/** Candidates for each pair of instances below which there are few lanes. */
const ENOUGH_FOR_PAIR = 120;

/** The tasks of a search, in order. */
export function laneTasks(
  layout: SearchLayout,
  { seed, candidates, caps }: SearchLimits,
): readonly LaneTask[] {
  const { whole } = new Prices(layout);
  const usual = candidates < ENOUGH_FOR_PAIR * layout.movable.length ** 2 ? SHORT_LANES : LANES;
  const isLimited = CAP_NAMES.some((what) => caps[what] < Number.POSITIVE_INFINITY);
  const shapes = isLimited ? [...usual, ...LIMITED] : usual;
  const weights = usual.reduce((sum, { weight }) => sum + weight, 0);
  return shapes.map(({ shares, ofGreedy, weight }, lane) => ({
    lane,
    seed,
    // Where nothing costs anything there is no price to end at.
    prices: shares.map((share) => (whole > 0 ? share * whole : Number.POSITIVE_INFINITY)),
    ofGreedy,
    caps: lane < usual.length ? NO_CAPS : caps,
    weight,
    candidates: Math.ceil((candidates * weight) / weights),
  }));
}

/** What greedy's steps come to, net. */
export interface GreedyEnd extends Pick<PlanAmounts, 'copiedGib' | 'memoryGib'> {
  readonly score: number;
}

/** The same task once greedy's copies and migrations are known; if none, about its usual price. */
export function withGreedyPrice(task: LaneTask, { copiedGib, memoryGib, score }: GreedyEnd): LaneTask {
  const { ofGreedy } = task;
  if (!ofGreedy || (copiedGib === 0 && memoryGib === 0)) return task;
  return {
    ...task,
    ...(ofGreedy === 'score' && { target: TARGET_SHARE * score }),
    prices: [Number.POSITIVE_INFINITY],
    caps: { ...NO_CAPS, copiedGib, memoryGib },
  };
}

/** A group made ready for a deep search. */
export interface SearchProblem {
  readonly task: Task;
  readonly layout: SearchLayout;
  readonly initialScore: number;
  /** What needs no walk. */
  readonly known: CheapestWays['ways'];
  readonly lanes: readonly LaneTask[];
}

/** @param limits undefined where nothing is to be searched */
export function searchProblem(task: Task, limits?: SearchLimits): SearchProblem {
  const state = new ClusterState(task.snapshot);
  const { score } = new Scorer(state, task.nodes);
  const layout = makeLayout(state, task.nodes, task.options);
  const problem = { task, layout, initialScore: score, known: [], lanes: [] };
  if (limits === undefined || layout.movable.length === 0) return problem;
  const { ways, upTo } = cheapestWays(layout);
  const isOpen = ({ prices, ofGreedy, caps }: LaneTask): boolean =>
    ofGreedy !== undefined || caps !== NO_CAPS || (prices[0]! >= upTo && upTo < Number.POSITIVE_INFINITY);
  return { ...problem, known: ways, lanes: laneTasks(layout, limits).filter(isOpen) };
}
