/**
 * Which lanes a search consists of.
 *
 * The lanes depend on the task alone, never on threads or time, so that a search with a limit on work gives the same answer
 * anywhere.
 */
import type { SearchLayout } from './kernel/layout.ts';

import { type LaneTask, wholeGib } from './walk/lane.ts';

/** What the operator allows a search. */
export interface SearchLimits {
  readonly seed: number;
  /** Candidates in all lanes together; undefined where time is the limit. */
  readonly candidates: number | undefined;
  /** Most GiB that a plan copies; Infinity for no cap. */
  readonly mostGib: number;
  /** Most steps of a plan; Infinity for no cap. */
  readonly mostSteps: number;
}

/** Where the lanes begin as shares of one copy of all disks, for a whole curve: it bends where copying is cheap. */
const CURVE_SHARES = [0, 1 / 64, 1 / 32, 1 / 16, 3 / 32, 1 / 8, 3 / 16, 1 / 4, 3 / 8, 1 / 2, 3 / 4, Infinity];
/** From where it begins a lane goes down by these factors. Going down keeps what only many copies together gain. */
const GOING_DOWN = [1, 0.8, 0.64, 0.51, 0.41];
/** Prices of the lanes below a cap, as shares of it: most come from above it. */
const CAPPED_SHARES = [
  [1],
  [1.5, 1.2, 1],
  [2.2, 1.5, 1],
  [1.2, 1],
  [1],
  [0.8, 0.6],
  [0.45, 0.3, 0.2],
  [0.1, 0],
];
/** Lanes where nothing is copied whatever they do. */
const FREE_LANES = 8;

const lanesOf = (whole: number, mostGib: number): readonly (readonly number[])[] => {
  if (whole === 0 || mostGib === 0) return Array.from({ length: FREE_LANES }, () => [0]);
  if (mostGib < Number.POSITIVE_INFINITY)
    return CAPPED_SHARES.map((shares) => shares.map((share) => share * mostGib));
  return CURVE_SHARES.map((share) => {
    if (share === 0) return [0];
    return GOING_DOWN.map((factor) => (factor === 1 ? share : Math.min(share, 1) * factor) * whole);
  });
};

/** The tasks of a search, in order. */
export function laneTasks(layout: SearchLayout, limits: SearchLimits): readonly LaneTask[] {
  const lanes = lanesOf(layout.diskMoves ? wholeGib(layout) : 0, limits.mostGib);
  return lanes.map((capsGib, lane) => ({
    lane,
    seed: limits.seed,
    isFree: limits.mostGib === 0,
    capsGib,
    mostSteps: limits.mostSteps,
    candidates: Math.ceil((limits.candidates ?? 0) / lanes.length),
  }));
}
