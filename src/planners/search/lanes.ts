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

/** Ends of the lanes as shares of one copy of all disks, for a whole curve: it bends where copying is cheap. */
const CURVE_SHARES = [0, 1 / 64, 1 / 32, 1 / 16, 3 / 32, 1 / 8, 3 / 16, 1 / 4, 3 / 8, 1 / 2, 3 / 4, Infinity];
/** The same below a cap: several lanes go for the cap itself. */
const CAPPED_SHARES = [1, 1, 1, 0.7, 0.45, 0.25, 0.1, 0];
/** Lanes where nothing is copied whatever they do. */
const FREE_LANES = 8;

/** The tasks of a search, in order. */
export function laneTasks(layout: SearchLayout, limits: SearchLimits): readonly LaneTask[] {
  const whole = layout.diskMoves ? wholeGib(layout) : 0;
  const { mostGib } = limits;
  let caps: readonly number[];
  if (whole === 0 || mostGib === 0) caps = Array.from({ length: FREE_LANES }, () => 0);
  else if (mostGib < Number.POSITIVE_INFINITY) caps = CAPPED_SHARES.map((share) => share * mostGib);
  else caps = CURVE_SHARES.map((share) => share * whole);
  return caps.map((capGib, lane) => ({
    lane,
    seed: limits.seed,
    isFree: mostGib === 0,
    capGib,
    mostSteps: limits.mostSteps,
    candidates: Math.ceil((limits.candidates ?? 0) / caps.length),
  }));
}
