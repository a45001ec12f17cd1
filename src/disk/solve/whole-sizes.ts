/**
 * From exact sizes to whole ones: whole units stay, and those that fractions make up on a disk go to the
 * largest fractions. Where that breaks a minimum, a maximum or the equality of copies, an integer program
 * decides; with copies rounded down it is a flow with whole bounds, which has an answer.
 */
import { InternalError } from '../../kit/faults.ts';
import type { Space } from '../model/spaces.ts';
import { type LayoutProblem, variableOf } from './layout-program.ts';
import { NO_LIMIT, ProgramBuilder, type Solver, sumOf, type Term } from './linear-program.ts';

export type Rounding = 'largest' | 'down';

/** Of each space on each disk, by disk; behind the spaces what is left. */
export type Sizes = readonly (readonly number[])[];

const TOLERANCE = 1e-6;

/** Numbers within the tolerance of a whole one are that one. */
export const settled = (value: number): number => {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= TOLERANCE ? whole : value;
};

export function wholeSizes(problem: LayoutProblem, exact: Sizes, rounding: Rounding, solver: Solver): Sizes {
  const floors = exact.map((row) => row.map((value) => Math.floor(value + TOLERANCE)));
  if (rounding === 'down') return floors;
  const fractions = exact.map((row, disk) => row.map((value, at) => Math.max(0, value - floors[disk]![at]!)));
  if (!fractions.flat().some((fraction) => fraction > TOLERANCE)) return withRest(problem, floors);
  const greedy = byLargestFraction(problem, floors, fractions);
  return isSound(problem, greedy) ? greedy : byProgram(problem, floors, fractions, solver);
}

export const sumOfSizes = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

/** Units that are on no space are left over. */
const withRest = ({ disks, spaces }: LayoutProblem, sizes: Sizes): Sizes =>
  sizes.map((row, disk) => {
    const own = row.slice(0, spaces.length);
    return [...own, disks[disk]! - sumOfSizes(own)];
  });

export const totalOf = (sizes: Sizes, space: number): number => sumOfSizes(sizes.map((row) => row[space]!));

function byLargestFraction(problem: LayoutProblem, floors: Sizes, fractions: Sizes): Sizes {
  const { disks, spaces } = problem;
  const sizes = floors.map((row) => [...row]);
  for (const [disk, row] of sizes.entries()) {
    let spare = disks[disk]! - sumOfSizes(row);
    const isShort = (at: number): boolean => at < spaces.length && totalOf(sizes, at) < spaces[at]!.minSize;
    const order = [...row.keys()]
      .filter((at) => fractions[disk]![at]! > TOLERANCE)
      .sort(
        (a, b) =>
          Number(isShort(b)) - Number(isShort(a)) ||
          settled(fractions[disk]![b]! - fractions[disk]![a]!) ||
          a - b,
      );
    for (const at of order) {
      if (spare === 0) break;
      if (at < spaces.length && totalOf(sizes, at) >= (spaces[at]!.maxSize ?? NO_LIMIT)) continue;
      row[at]!++;
      spare--;
    }
  }
  return withRest(problem, sizes);
}

/** Whether whole sizes keep what spaces ask for. */
const isSound = ({ spaces }: LayoutProblem, sizes: Sizes): boolean =>
  spaces.every((space, at) => {
    const parts = sizes.map((row) => row[at]!).filter((size) => size > 0);
    if (space.copies !== undefined) return parts.every((size) => size === parts[0]);
    const total = sumOfSizes(parts);
    return total >= space.minSize && total <= (space.maxSize ?? NO_LIMIT);
  });

function byProgram({ disks, spaces }: LayoutProblem, floors: Sizes, fractions: Sizes, solver: Solver): Sizes {
  const program = new ProgramBuilder();
  const count = spaces.length;
  for (const [disk, row] of floors.entries()) {
    const spare = disks[disk]! - sumOfSizes(row);
    const columns = [...row.keys()].map((at) => {
      const fraction = fractions[disk]![at]!;
      const variable = variableOf(count, disk, at);
      // An earlier part wins a tie.
      const cost = fraction + 1e-6 / (variable + 1);
      const upper = at === count ? NO_LIMIT : fraction > TOLERANCE ? 1 : 0;
      return program.column(`t${variable}`, { cost, upper, isInteger: true });
    });
    program.row(`disk${disk}`, spare, spare, ...sumOf(columns));
  }
  for (const [at, space] of spaces.entries()) addSpace(program, at, space, floors, count);
  const solution = solver.solve(program);
  if (solution.kind === 'infeasible' || !solution.values)
    throw new InternalError('exact sizes have no whole ones beside them');
  const { values } = solution;
  return floors.map((row, disk) =>
    row.map((size, at) => size + Math.round(values[variableOf(count, disk, at)]!)),
  );
}

function addSpace(
  program: ProgramBuilder,
  at: number,
  { minSize, maxSize, copies }: Space,
  floors: Sizes,
  count: number,
): void {
  const extra = floors.map((_, disk): Term => [variableOf(count, disk, at), 1]);
  if (copies === undefined) {
    const total = totalOf(floors, at);
    program.row(`size${at}`, minSize - total, (maxSize ?? NO_LIMIT) - total, ...extra);
    return;
  }
  // Floors of equal sizes differ by what the solver's figures are off.
  const [first, ...others] = [...floors.keys()].filter((disk) => floors[disk]![at]! > 0);
  for (const other of others) {
    const difference = floors[other]![at]! - floors[first!]![at]!;
    const [plus, [minus]] = [extra[first!]!, extra[other]!];
    program.row(`equal${at}_${minus}`, difference, difference, plus, [minus, -1]);
  }
}
