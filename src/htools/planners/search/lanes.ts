/**
 * Which lanes a search consists of.
 *
 * With a limit on work the lanes depend on the task alone, never on threads or time, so that the answer is
 * the same anywhere. Where all the work is little for so many instances there are few lanes: a walk that ends
 * early is worse at its own price than the beginning of a plan from a longer walk to a higher one.
 */

import { Scorer } from '../../model/score/scorer.ts';
import { ClusterState } from '../../model/state/state.ts';
import { makeLayout, type SearchLayout } from './kernel/layout.ts';
import type { Task } from './plans.ts';
import { type LaneTask, wholeGib } from './walk/lane.ts';

/** What the operator allows a search. */
export interface SearchLimits {
  readonly seed: number;
  /** Candidates in all lanes together; undefined where time is the limit. */
  readonly candidates: number | undefined;
  /** About how many there will be where time is the limit. */
  readonly expectedCandidates?: number | undefined;
  /** Most GiB that a plan copies; Infinity for no cap. */
  readonly mostGib: number;
  /** Most steps of a plan; Infinity for no cap. */
  readonly mostSteps: number;
}

/** What a lane is to find, and how much of the work it gets. */
interface LaneShape {
  /** Prices, the highest first, as shares of one copy of all disks, of the cap, or of what greedy copies. */
  readonly shares: readonly number[];
  readonly ofGreedy?: boolean;
  readonly weight: number;
}

/**
 * From where it begins a lane goes down by these factors. Going down keeps what only many copies together
 * gain.
 */
const GOING_DOWN = [1, 0.8, 0.64, 0.51, 0.41];
const downFrom = (share: number): LaneShape => ({
  shares:
    share === 0 ? [0] : GOING_DOWN.map((factor) => (factor === 1 ? share : Math.min(share, 1) * factor)),
  weight: 1,
});
/**
 * What greedy copies is a price that operators know: a lane looks for the lowest score there. Detours must
 * not end above it.
 */
const GREEDY_SHARE = 0.985;
const USUAL_SHARE_OF_GREEDY = 3 / 8;

/** Lanes for a whole curve: it bends where copying is cheap. */
const CURVE: readonly LaneShape[] = [
  ...[0, 1 / 64, 1 / 32, 1 / 16, 3 / 32, 1 / 8, 3 / 16, 1 / 4, 3 / 8].map(downFrom),
  { shares: [GREEDY_SHARE], ofGreedy: true, weight: 1 },
  ...[1 / 2, 3 / 4, Number.POSITIVE_INFINITY].map(downFrom),
];
const SHORT_CURVE: readonly LaneShape[] = [
  { shares: [0], weight: 0.5 },
  { shares: [1 / 32, 1 / 64], weight: 1 },
  { shares: [1 / 12, 1 / 15, 1 / 20], weight: 1 },
  { shares: [1 / 5, 1 / 8], weight: 1 },
  { shares: [GREEDY_SHARE], ofGreedy: true, weight: 2.5 },
  { shares: [Number.POSITIVE_INFINITY, 1 / 2], weight: 1 },
];
/** Lanes below a cap: most come from above it. */
const CAPPED: readonly LaneShape[] = [
  [1],
  [1.5, 1.2, 1],
  [2.2, 1.5, 1],
  [1.2, 1],
  [1],
  [0.8, 0.6],
  [0.45, 0.3, 0.2],
  [0.1, 0],
].map((shares) => ({ shares, weight: 1 }));
const SHORT_CAPPED: readonly LaneShape[] = [
  { shares: [1], weight: 2 },
  { shares: [1.4, 1], weight: 1.5 },
  { shares: [0.45, 0.25], weight: 1 },
  { shares: [0.1, 0], weight: 0.5 },
];
/** Lanes where nothing is copied whatever they do. */
const FREE_LANES = 8;
const SHORT_FREE_LANES = 4;

/** Candidates for each pair of instances below which there are few lanes. */
const ENOUGH_FOR_PAIR = 120;

function shapesOf(whole: number, mostGib: number, isShort: boolean): readonly LaneShape[] {
  if (whole === 0 || mostGib === 0)
    return Array.from({ length: isShort ? SHORT_FREE_LANES : FREE_LANES }, () => ({
      shares: [0],
      weight: 1,
    }));
  if (mostGib < Number.POSITIVE_INFINITY) return isShort ? SHORT_CAPPED : CAPPED;
  return isShort ? SHORT_CURVE : CURVE;
}

/** The tasks of a search, in order. */
export function laneTasks(layout: SearchLayout, limits: SearchLimits): readonly LaneTask[] {
  const whole = layout.diskMoves ? wholeGib(layout) : 0;
  const unit = limits.mostGib < Number.POSITIVE_INFINITY ? limits.mostGib : whole;
  const candidates = limits.candidates ?? limits.expectedCandidates ?? Number.POSITIVE_INFINITY;
  const shapes = shapesOf(whole, limits.mostGib, candidates < ENOUGH_FOR_PAIR * layout.movable.length ** 2);
  const weights = shapes.reduce((sum, { weight }) => sum + weight, 0);
  return shapes.map(({ shares, ofGreedy = false, weight }, lane) => ({
    lane,
    seed: limits.seed,
    isFree: limits.mostGib === 0,
    capsGib: shares.map((share) => (share === 0 ? 0 : share * unit)),
    sharesOfGreedy: ofGreedy ? shares : undefined,
    mostSteps: limits.mostSteps,
    weight,
    candidates: Math.ceil(((limits.candidates ?? 0) * weight) / weights),
  }));
}

/**
 * The same task once it is known what greedy copies. Where greedy copies nothing it is about what it mostly
 * does.
 */
export function withGreedyPrice(task: LaneTask, layout: SearchLayout, greedyGib: number): LaneTask {
  const { sharesOfGreedy } = task;
  if (!sharesOfGreedy) return task;
  const gib = greedyGib > 0 ? greedyGib : USUAL_SHARE_OF_GREEDY * wholeGib(layout);
  return { ...task, capsGib: sharesOfGreedy.map((share) => share * gib) };
}

/** A group made ready for a deep search. */
export interface SearchProblem {
  readonly task: Task;
  readonly layout: SearchLayout;
  readonly initialScore: number;
  readonly lanes: readonly LaneTask[];
}

export function searchProblem(task: Task, limits: SearchLimits): SearchProblem {
  const state = new ClusterState(task.snapshot);
  const { score } = new Scorer(state, task.nodes);
  const layout = makeLayout(state, task.nodes, task.options);
  return {
    task,
    layout,
    initialScore: score,
    lanes: layout.movable.length > 0 ? laneTasks(layout, limits) : [],
  };
}
