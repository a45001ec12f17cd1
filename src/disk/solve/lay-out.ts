/** The best layout of a node, or why there is none. */
import { type LayoutProblem, layoutProgram, type ProgramOptions, variableOf } from './layout-program.ts';
import { costOf, type LinearProgram, type Solution, type Solver } from './linear-program.ts';
import { type Requirement, requirementsOf, type SharingClass, sharingClasses } from './requirement.ts';
import { type Rounding, type Sizes, settled, wholeSizes } from './whole-sizes.ts';

/** Why there is no layout: requirements that cannot all be met, from which none can be left out. */
export interface Clash {
  readonly requirements: readonly Requirement[];
  /** Classes of spaces that were to share, where that is part of it. */
  readonly shared: readonly SharingClass[];
}

/** Leaves out requirements, the smallest first, while the rest clashes. @param shared had to share exactly */
function minimalClash(
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

export interface LayoutSettings {
  readonly rounding: Rounding;
  /** Sharing by weight is a requirement like any other. */
  readonly hasStrictWeights: boolean;
}

export interface Layout {
  readonly kind: 'layout';
  /** Whole numbers. */
  readonly sizes: Sizes;
  /** The same before rounding. */
  readonly exact: Sizes;
  /** Worth of the exact sizes. */
  readonly objective: number;
  readonly sharing: Sharing;
  /** False when time ran out before nothing better was known to exist. */
  readonly isProven: boolean;
  readonly program: LinearProgram;
}

/** Which classes share exactly, and which cannot. */
interface Sharing {
  readonly kept: readonly SharingClass[];
  /** Of given sizes that contradict their weights. */
  readonly dropped: readonly SharingClass[];
  /** As near to their weights as possible. */
  readonly relaxed: readonly SharingClass[];
}

export type LayoutResult =
  | Layout
  | { readonly kind: 'infeasible'; readonly clash: Clash }
  /** Time ran out with nothing found. */
  | { readonly kind: 'unfinished' };

/** Room for what the sum of deviations is off. */
const DEVIATION_SLACK = 1e-7;

export function layOut(problem: LayoutProblem, settings: LayoutSettings, solver: Solver): LayoutResult {
  const requirements = requirementsOf(problem.spaces);
  if (problem.disks.length === 0) return withoutDisks(problem, requirements);
  const classes = sharingClasses(problem.spaces);
  const attempt: Attempting = (options) => {
    const program = layoutProgram(problem, requirements, options);
    return { program, options, solution: solver.solve(program) };
  };
  const chosen =
    strictly(classes, attempt) ?? (settings.hasStrictWeights ? undefined : softly(classes, attempt));
  if (!chosen) {
    const shared = settings.hasStrictWeights ? classes : [];
    return { kind: 'infeasible', clash: minimalClash(problem, requirements, shared, solver) };
  }
  const { found, sharing } = chosen;
  if (found.solution.kind === 'infeasible' || !found.solution.values) return { kind: 'unfinished' };
  const values = polished(problem, found, found.solution.values, attempt);
  const width = problem.spaces.length + 1;
  const exact = problem.disks.map((_, disk) => values.slice(disk * width, (disk + 1) * width).map(settled));
  return {
    kind: 'layout',
    exact,
    sizes: wholeSizes(problem, exact, settings.rounding, solver),
    objective: costOf(found.program, values.slice(0, problem.disks.length * width)),
    sharing,
    isProven: found.solution.kind === 'optimal',
    program: found.program,
  };
}

interface Attempt {
  readonly program: LinearProgram;
  readonly options: ProgramOptions;
  readonly solution: Solution;
}
type Attempting = (options: ProgramOptions) => Attempt;

interface Choice {
  readonly found: Attempt;
  readonly sharing: Sharing;
}

/** All share. */
function strictly(kept: readonly SharingClass[], attempt: Attempting): Choice | undefined {
  const found = attempt({ shared: kept });
  const sharing = { kept, dropped: [], relaxed: [] };
  return found.solution.kind === 'infeasible' ? undefined : { found, sharing };
}

/** All but those of given sizes share; or the others as nearly as they can. */
function softly(classes: readonly SharingClass[], attempt: Attempting): Choice | undefined {
  const free = classes.filter((one) => !one.isFixed);
  const dropped = classes.filter((one) => one.isFixed);
  const withoutFixed = dropped.length > 0 ? strictly(free, attempt) : undefined;
  if (withoutFixed) return { ...withoutFixed, sharing: { ...withoutFixed.sharing, dropped } };
  if (free.length === 0) return undefined;
  const nearest = attempt({ shared: [], relaxed: free, deviation: 'minimise' });
  if (nearest.solution.kind === 'infeasible') return undefined;
  const sharing = { kept: [], dropped, relaxed: free };
  if (!nearest.solution.values) return { found: nearest, sharing };
  const least = Math.max(0, -costOf(nearest.program, nearest.solution.values));
  return { found: attempt({ shared: [], relaxed: free, deviation: least + DEVIATION_SLACK }), sharing };
}

/** Yes-or-no variables are 0 or 1 up to a tolerance, and sizes depend on them: decided, sizes are exact. */
function polished(
  { disks, spaces }: LayoutProblem,
  { program, options }: Attempt,
  values: readonly number[],
  attempt: Attempting,
): readonly number[] {
  if (!program.columns.some(({ isInteger }) => isInteger)) return values;
  const decided = new Map<number, number>();
  for (const [column, { name, isInteger }] of program.columns.entries())
    if (isInteger) decided.set(Number(name.slice(1)), Math.round(values[column]!));
  const { solution } = attempt({ ...options, decided });
  return (solution.kind === 'optimal' ? solution.values : values).slice(
    0,
    variableOf(spaces.length, disks.length, 0),
  );
}

function withoutDisks(problem: LayoutProblem, requirements: readonly Requirement[]): LayoutResult {
  const asking = requirements.filter(
    ({ kind, amount }) => amount > 0 && kind !== 'max_size' && kind !== 'max_disks',
  );
  const first = asking[0];
  if (first) return { kind: 'infeasible', clash: { requirements: [first], shared: [] } };
  const program = layoutProgram(problem, [], { shared: [] });
  const sharing = { kept: [], dropped: [], relaxed: [] };
  return { kind: 'layout', sizes: [], exact: [], objective: 0, sharing, isProven: true, program };
}
