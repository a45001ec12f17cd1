/** The best layout of a node, or why there is none. */
import type { Space } from '../model/spaces.ts';
import { coefficients, type LayoutProblem, layoutProgram, type ProgramOptions } from './layout-program.ts';
import { costOf, type LinearProgram, type Solution, type Solver, slackOf } from './linear-program.ts';
import { type Requirement, requirementsOf, type SharingClass, sharingClasses } from './requirement.ts';
import { type Rounding, type Sizes, settled, sumOfSizes, totalOf, wholeSizes } from './whole-sizes.ts';

/** Why there is no layout: requirements that cannot all be met, from which none can be left out. */
export interface Clash {
  readonly requirements: readonly Requirement[];
  /** Classes of spaces that were to share, where that is part of it. */
  readonly shared: readonly SharingClass[];
}

/**
 * Leaves items out in an order while the rest clashes: as long as that goes well twice as many at once, and
 * half as many where it does not, so that what stays is the same as one by one.
 */
function whatClashes<Item>(
  items: readonly Item[],
  order: readonly Item[],
  clashes: (items: readonly Item[]) => boolean,
): readonly Item[] {
  let left = items;
  let count = 1;
  for (let at = 0; at < order.length; ) {
    const going = new Set(order.slice(at, at + count));
    const others = left.filter((one) => !going.has(one));
    const isClash = clashes(others);
    if (isClash) left = others;
    if (isClash || count === 1) at += count;
    count = isClash ? count * 2 : Math.ceil(count / 2);
  }
  return left;
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
  const classes = whatClashes(shared, shared, (some) => clashes(requirements, some));
  const smallestFirst = requirements.toSorted((a, b) => a.amount - b.amount);
  const asked = whatClashes(requirements, smallestFirst, (some) => clashes(some, classes));
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
  readonly sharing: readonly Sharing[];
  /** False when time ran out before nothing better was known to exist. */
  readonly isProven: boolean;
  readonly program: LinearProgram;
}

/**
 * What became of a class. kept: it shares exactly; dropped: its sizes are given and contradict the weights;
 * relaxed: it comes as near to the weights as possible.
 */
interface Sharing extends SharingClass {
  readonly outcome: 'kept' | 'dropped' | 'relaxed';
}

export type LayoutResult =
  | Layout
  | { readonly kind: 'infeasible'; readonly clash: Clash }
  /** Time ran out with nothing found. */
  | { readonly kind: 'unfinished' };

/** Room for what the sum of deviations is off. */
const DEVIATION_SLACK = 1e-7;

export function layOut(problem: LayoutProblem, settings: LayoutSettings, solver: Solver): LayoutResult {
  const { disks, spaces } = problem;
  const { rounding, hasStrictWeights } = settings;
  const requirements = requirementsOf(spaces);
  if (disks.length === 0) return withoutDisks(problem, requirements);
  const classes = sharingClasses(spaces);
  const attempt: Attempting = (options) => {
    const program = layoutProgram(problem, requirements, options);
    return { program, options, solution: solver.solve(program) };
  };
  const strict = attempt({ shared: classes });
  const found =
    strict.solution.kind === 'infeasible' && !hasStrictWeights ? softly(classes, strict, attempt) : strict;
  const { program, solution } = found;
  if (solution.kind === 'infeasible')
    return {
      kind: 'infeasible',
      clash: minimalClash(problem, requirements, hasStrictWeights ? classes : [], solver),
    };
  if (!solution.values) return { kind: 'unfinished' };
  const values = polished(found, solution.values, attempt);
  const width = spaces.length + 1;
  const exact = disks.map((_, disk) => values.slice(disk * width, (disk + 1) * width).map(settled));
  const worths = coefficients(disks.length, spaces);
  return {
    kind: 'layout',
    exact,
    sizes: wholeSizes(problem, exact, rounding, solver),
    objective: worths.reduce((sum, worth, at) => sum + worth * values[at]!, 0),
    sharing: sharingIn(exact, spaces, classes),
    isProven: solution.kind === 'optimal',
    program,
  };
}

interface Attempt {
  readonly program: LinearProgram;
  readonly options: ProgramOptions;
  readonly solution: Solution;
}
type Attempting = (options: ProgramOptions) => Attempt;

/**
 * All but those of given sizes share; or the others as nearly as they can. @param strict where all were to
 * share
 */
function softly(classes: readonly SharingClass[], strict: Attempt, attempt: Attempting): Attempt {
  const free = classes.filter(({ isFixed }) => !isFixed);
  const withoutFixed = free.length < classes.length ? attempt({ shared: free }) : strict;
  if (withoutFixed.solution.kind !== 'infeasible' || free.length === 0) return withoutFixed;
  const nearest = attempt({ shared: [], relaxed: free, deviation: 'minimise' });
  if (nearest.solution.kind === 'infeasible' || !nearest.solution.values) return nearest;
  const least = Math.max(0, -costOf(nearest.program, nearest.solution.values));
  const best = attempt({ shared: [], relaxed: free, deviation: least + slackOf(DEVIATION_SLACK, least) });
  // With very different weights the sum is not exact enough to be asked for again.
  if (best.solution.kind === 'infeasible' || !best.solution.values) return nearest;
  const { values } = best.solution;
  return nearest.solution.kind === 'optimal' ? best : { ...best, solution: { kind: 'unfinished', values } };
}

/** Room for what solving leaves of equality, and what doubles do of large sizes. */
const SHARING_SLACK = 1e-5;

/** Whether classes share is seen from the layout: one that may deviate need not. */
function sharingIn(
  exact: Sizes,
  spaces: readonly Space[],
  classes: readonly SharingClass[],
): readonly Sharing[] {
  const shares = ({ members }: SharingClass): boolean => {
    const totals = members.map((at) => totalOf(exact, at));
    const weights = members.map((at) => spaces[at]!.weight);
    const [total, weight] = [sumOfSizes(totals), sumOfSizes(weights)];
    const slack = slackOf(SHARING_SLACK, total);
    return totals.every((own, k) => Math.abs(own - (total * weights[k]!) / weight) <= slack);
  };
  return classes.map((one) => ({
    ...one,
    outcome: shares(one) ? 'kept' : one.isFixed ? 'dropped' : 'relaxed',
  }));
}

/** Yes-or-no variables are 0 or 1 up to a tolerance, and sizes depend on them: decided, sizes are exact. */
function polished(
  { program, options }: Attempt,
  values: readonly number[],
  attempt: Attempting,
): readonly number[] {
  const decided = new Map<string, number>();
  for (const [column, { name, isInteger }] of program.columns.entries())
    if (isInteger) decided.set(name, Math.round(values[column]!));
  if (decided.size === 0) return values;
  const { solution } = attempt({ ...options, decided });
  return solution.kind === 'optimal' ? solution.values : values;
}

function withoutDisks(problem: LayoutProblem, requirements: readonly Requirement[]): LayoutResult {
  const asking = requirements.filter(
    ({ kind, amount }) => amount > 0 && kind !== 'max_size' && kind !== 'max_disks',
  );
  const first = asking[0];
  if (first) return { kind: 'infeasible', clash: { requirements: [first], shared: [] } };
  const program = layoutProgram(problem, [], { shared: [] });
  return { kind: 'layout', sizes: [], exact: [], objective: 0, sharing: [], isProven: true, program };
}
