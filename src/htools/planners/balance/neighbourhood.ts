/**
 * What a search for better placements walks over: the placement as it is now, and the moves that lead away
 * from it. Greedy balancing (steps/step-search.ts) and the deep search are two ways to walk; what stands here
 * they have in common.
 */
import type { Move } from '../../model/moves/kinds.ts';

/** A neighbour of the present placement, by the move that leads there. */
export interface Neighbour extends Move {
  /** Exact cluster score there. */
  readonly score: number;
  /** What a search makes small: the score, and the cost of getting there, in units of the score. */
  readonly objective: number;
}

/** @typeParam Step what is tried and applied: one move, or several that belong together */
export interface Neighbourhood<Step = Move, Found extends Step = Step & Neighbour> {
  /** Score plus price of the placement now; greedy balancing counts no cost, so its price is 0. */
  readonly objective: number;
  /** The best of all neighbours; undefined when none is better than the placement now. Nothing is changed. */
  best(): Found | undefined;
  /** Objective after a step, or NaN where the rules refuse it. Nothing is changed. */
  trial(step: Step): number;
  /** Takes a step. @throws InternalError when the rules refuse it */
  apply(step: Step): void;
  /** Takes back the latest step applied and not taken back. @throws InternalError when there is none */
  undo(): void;
}
