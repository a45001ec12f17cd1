/** What the layout needs of a solver; highs.ts is one. */
import type { LinearProgram } from './linear-program.ts';

export type Solution =
  | { readonly kind: 'optimal'; readonly values: readonly number[] }
  | { readonly kind: 'infeasible' }
  /** Time ran out; `values` is the best that was found, if any. */
  | { readonly kind: 'unfinished'; readonly values: readonly number[] | undefined };

export interface Solver {
  solve(program: LinearProgram): Solution;
}
