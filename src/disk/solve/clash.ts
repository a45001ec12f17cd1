/** Why there is no layout: a set of requirements that cannot all be met, from which none can be left out. */
import { type LayoutProblem, layoutProgram } from './layout-program.ts';
import type { Solver } from './linear-program.ts';
import type { Requirement, SharingClass } from './requirement.ts';

export interface Clash {
  readonly requirements: readonly Requirement[];
  /** Classes of spaces that were to share, where that is part of it. */
  readonly shared: readonly SharingClass[];
}

/** Whether a layout meets all requirements not dropped. What is not settled in time counts as possible. */
const isPossible = (
  problem: LayoutProblem,
  requirements: readonly Requirement[],
  shared: readonly SharingClass[],
  dropped: ReadonlySet<Requirement>,
  solver: Solver,
): boolean =>
  solver.solve(layoutProgram(problem, requirements, { shared, dropped, isAnyGood: true })).kind !==
  'infeasible';

/**
 * Leaves out one requirement after the other, the smallest first, as long as what is left still clashes.
 * @param shared the classes that had to share exactly
 */
export function minimalClash(
  problem: LayoutProblem,
  requirements: readonly Requirement[],
  shared: readonly SharingClass[],
  solver: Solver,
): Clash {
  let classes = [...shared];
  for (const one of shared) {
    const others = classes.filter((other) => other !== one);
    if (!isPossible(problem, requirements, others, new Set(), solver)) classes = others;
  }
  const dropped = new Set<Requirement>();
  for (const requirement of [...requirements].sort((a, b) => a.amount - b.amount)) {
    dropped.add(requirement);
    if (isPossible(problem, requirements, classes, dropped, solver)) dropped.delete(requirement);
  }
  return { requirements: requirements.filter((one) => !dropped.has(one)), shared: classes };
}
