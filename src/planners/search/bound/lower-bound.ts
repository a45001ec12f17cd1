/**
 * A proven lower bound of the score of any legal placement: the relaxation of programme.ts, with cuts added where its
 * solution shows the deviations too low, until they are right or enough have been added. Stopping early leaves the bound
 * lower, never wrong.
 */
import type { SearchLayout } from '../kernel/layout.ts';
import { boundedBy, type Cut, type Flow, programmeText } from './programme.ts';

/** A solved programme: its least value and the values of its variables by name. */
export interface Solved {
  readonly objective: number;
  readonly valueOf: (name: string) => number;
}

/** Solves a programme in LP format; undefined when it has no optimum. */
export type SolveProgramme = (text: string) => Solved | undefined;

const MOST_ROUNDS = 20;
/** A round that raises the bound by less than this share of it is the last. */
const WORTH_A_ROUND = 1e-3;
/** Deviations that are short by less than this are right. */
const PRECISION = 1e-7;
/** What the solver may be off by, with a good margin. */
const SOLVER_ERROR = 1e-6;

/** The slope of a deviation at some values: the cut that touches it there; undefined where it is 0. */
function slopeAt(values: readonly number[]): readonly number[] | undefined {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const norm = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0));
  if (norm < PRECISION) return undefined;
  return values.map((value) => (value - mean) / norm / Math.sqrt(n));
}

const deviationOf = (values: readonly number[]): number => {
  const slope = slopeAt(values);
  return slope ? values.reduce((sum, value, k) => sum + slope[k]! * value, 0) : 0;
};

/** The bound; undefined where instances may move that the search's arithmetic does not cover, or nothing is to be scored. */
export function lowerBound(layout: SearchLayout, solve: SolveProgramme): number | undefined {
  if (layout.uncovered > 0 || layout.targets.length < 2) return undefined;
  const bounded = boundedBy(layout);
  const flows: readonly Flow[] = bounded.reserved ? [...bounded.flows, bounded.reserved] : bounded.flows;
  const cuts: Cut[] = [];
  let bound: number | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const solved = solve(programmeText(bounded, cuts));
    if (solved === undefined) break;
    const gain = solved.objective - (bound ?? Number.NEGATIVE_INFINITY);
    bound = solved.objective;
    if (gain < WORTH_A_ROUND * bound) break;
    const before = cuts.length;
    flows.forEach((flow, f) => {
      const values = flow.nodes.map((_, k) => solved.valueOf(`v${f}_${k}`));
      const direction = slopeAt(values);
      if (direction && deviationOf(values) > solved.valueOf(`d${f}`) + PRECISION)
        cuts.push({ flow: f, direction });
    });
    if (cuts.length === before) break;
  }
  return bound === undefined ? undefined : Math.max(0, bound - SOLVER_ERROR);
}
