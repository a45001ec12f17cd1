/** Why there is no layout: a set of requirements that cannot all be met, from which none can be left out. */
import { type LayoutProblem, layoutProgram } from './layout-program.ts';
import type { Solver } from './linear-program.ts';
import type { Requirement, SharingClass } from './requirement.ts';

export interface Clash {
  readonly requirements: readonly Requirement[];
  /** Classes of spaces that were to share, where that is part of it. */
  readonly shared: readonly SharingClass[];
}

/** Leaves out requirements, the smallest first, while the rest clashes. @param shared had to share exactly */
export function minimalClash(
  problem: LayoutProblem,
  requirements: readonly Requirement[],
  shared: readonly SharingClass[],
  solver: Solver,
): Clash {
  // What is not settled in time counts as possible.
  const clashes = (asked: readonly Requirement[], classes: readonly SharingClass[]): boolean =>
    solver.solve(layoutProgram(problem, asked, { shared: classes, isAnyGood: true })).kind === 'infeasible';
  let classes = shared;
  for (const one of shared) {
    const others = classes.filter((other) => other !== one);
    if (clashes(requirements, others)) classes = others;
  }
  let asked = requirements;
  for (const one of requirements.toSorted((a, b) => a.amount - b.amount)) {
    const others = asked.filter((other) => other !== one);
    if (clashes(others, classes)) asked = others;
  }
  return { requirements: asked, shared: classes };
}
