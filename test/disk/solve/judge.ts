/** Judges layouts by their definition, with none of the code that makes them. */
import { type Constraint, solve as solveWithYalps } from 'yalps';
import type { Space } from '../../../src/disk/model/spaces.ts';
import type { LayoutProblem } from '../../../src/disk/solve/layout-program.ts';

const TOLERANCE = 1e-5;
type Sizes = readonly (readonly number[])[];

/** Worth of a unit of a space (the one behind the last: of nothing) on a disk, from the design page. */
export function worth({ disks, spaces }: LayoutProblem, disk: number, space: number): number {
  if (space === spaces.length) return 1;
  const n = disk * (spaces.length + 1) + space + 2;
  const order = 1 / (Math.floor((n + 1) / 2) * Math.floor((n + 2) / 2));
  const { bestDisks = [] } = spaces[space]!;
  const isAnyones = disks.length > 0 && spaces.some((one) => one.bestDisks?.includes(disk));
  const isSuitable = bestDisks.length > 0 ? bestDisks.includes(disk) : !isAnyones;
  return order + (isSuitable ? 2 : 0);
}

const keyOf = ({ minSize, maxSize, bestDisks, copies, minDisks, maxDisks }: Space): string =>
  [minSize, maxSize, bestDisks ? `on ${bestDisks}` : 'anywhere', copies, minDisks, maxDisks].join('|');

/** Pairs of spaces that are to share: the first of a class and another. */
export function sharingPairs(spaces: readonly Space[]): readonly (readonly [number, number])[] {
  return spaces.flatMap((space, at) => {
    if (space.weight === 0) return [];
    const first = spaces.findIndex((other) => other.weight > 0 && keyOf(other) === keyOf(space));
    return first < at ? [[first, at] as const] : [];
  });
}

/** What sizes break: an empty list when nothing. Sharing is asked for where `sharing` says so. */
export function broken({ disks, spaces }: LayoutProblem, sizes: Sizes, sharing: boolean): readonly string[] {
  const faults: string[] = [];
  const check = (holds: boolean, what: string): void => {
    if (!holds) faults.push(what);
  };
  for (const [disk, size] of disks.entries()) {
    const row = sizes[disk]!;
    check(
      row.every((part) => part >= 0),
      `negative on disk ${disk}`,
    );
    check(Math.abs(row.reduce((sum, part) => sum + part, 0) - size) < TOLERANCE, `sum of disk ${disk}`);
  }
  const total = (at: number): number => sizes.reduce((sum, row) => sum + row[at]!, 0);
  for (const [at, { minSize, maxSize, copies, minDisks, maxDisks }] of spaces.entries()) {
    const parts = sizes.map((row) => row[at]!).filter((part) => part > TOLERANCE);
    const size = copies === undefined ? total(at) : (parts[0] ?? 0);
    check(size >= minSize - TOLERANCE, `min of ${at}`);
    check(size <= (maxSize ?? Number.POSITIVE_INFINITY) + TOLERANCE, `max of ${at}`);
    if (copies !== undefined) {
      check(parts.length === 0 || parts.length === copies, `number of copies of ${at}`);
      check(
        parts.every((part) => Math.abs(part - parts[0]!) < TOLERANCE),
        `equality of copies of ${at}`,
      );
    }
    check(parts.length >= (minDisks ?? 0), `min_disks of ${at}`);
    check(parts.length <= (maxDisks ?? Number.POSITIVE_INFINITY), `max_disks of ${at}`);
  }
  if (sharing)
    for (const [first, other] of sharingPairs(spaces)) {
      const difference = total(first) / spaces[first]!.weight - total(other) / spaces[other]!.weight;
      check(Math.abs(difference) < TOLERANCE * (1 + total(first)), `sharing of ${first} and ${other}`);
    }
  return faults;
}

/** Best objective by yalps, or undefined where it finds nothing possible. */
export function objectiveByYalps(problem: LayoutProblem, sharing: boolean): number | undefined {
  const { disks, spaces } = problem;
  const constraints = new Map<string, Constraint>(disks.map((size, disk) => [`disk${disk}`, { max: size }]));
  const variables = new Map<string, Map<string, number>>();
  const pairs = sharing ? sharingPairs(spaces) : [];
  for (const [first, other] of pairs) constraints.set(`share${first}_${other}`, { equal: 0 });
  const binaries = new Set<string>();
  for (const [at, space] of spaces.entries()) addLimits(problem, at, space, constraints, variables, binaries);
  for (const disk of disks.keys())
    for (let at = 0; at <= spaces.length; at++) {
      const own = new Map<string, number>([
        ['worth', worth(problem, disk, at)],
        [`disk${disk}`, 1],
      ]);
      const space = spaces[at];
      if (space) {
        if (space.copies === undefined) own.set(`size${at}`, 1);
        for (const name of [
          `there${disk}_${at}`,
          `most${disk}_${at}`,
          `equal${disk}_${at}`,
          `some${disk}_${at}`,
        ])
          if (constraints.has(name)) own.set(name, 1);
        for (const [first, other] of pairs) {
          if (at === first) own.set(`share${first}_${other}`, spaces[other]!.weight);
          if (at === other) own.set(`share${first}_${other}`, -spaces[first]!.weight);
        }
      }
      variables.set(`x${disk}_${at}`, own);
    }
  const model = { direction: 'maximize' as const, objective: 'worth', constraints, variables, binaries };
  const solution = solveWithYalps(model, {
    precision: 1e-9,
    maxPivots: 100_000,
    tolerance: 0,
    maxIterations: 200_000,
  });
  if (solution.status === 'infeasible') return undefined;
  if (solution.status !== 'optimal') throw new Error(`yalps: ${solution.status}`);
  return solution.result;
}

function addLimits(
  { disks }: LayoutProblem,
  at: number,
  { minSize, maxSize, copies, minDisks, maxDisks }: Space,
  constraints: Map<string, Constraint>,
  variables: Map<string, Map<string, number>>,
  binaries: Set<string>,
): void {
  const limits = maxSize === undefined ? { min: minSize } : { min: minSize, max: maxSize };
  constraints.set(`size${at}`, limits);
  if ((copies ?? minDisks ?? maxDisks) === undefined) return;
  const largest = Math.max(...disks);
  if (copies === undefined)
    constraints.set(`count${at}`, { min: minDisks ?? 0, max: maxDisks ?? disks.length });
  else constraints.set(`count${at}`, { equal: copies });
  const each = new Map<string, number>([[`size${at}`, 1]]);
  if (copies !== undefined) variables.set(`z${at}`, each);
  for (const [disk, size] of disks.entries()) {
    const name = `${disk}_${at}`;
    const there = new Map<string, number>([
      [`count${at}`, 1],
      [`there${name}`, -size],
    ]);
    constraints.set(`there${name}`, { max: 0 });
    if (copies !== undefined) {
      constraints.set(`most${name}`, { max: 0 });
      constraints.set(`equal${name}`, { min: -largest });
      each.set(`most${name}`, -1).set(`equal${name}`, -1);
      there.set(`equal${name}`, -largest);
    } else if (minDisks !== undefined) {
      constraints.set(`some${name}`, { min: 0 });
      there.set(`some${name}`, -1);
    }
    variables.set(`y${name}`, there);
    binaries.add(`y${name}`);
  }
}

/** Worths as whole numbers of this: rounding them is nothing beside the differences of reciprocals. */
const UNIT = 2n ** 160n;
/** What rounding makes of a chain. */
const NOTHING = 1000n;

function exactWorth(problem: LayoutProblem, disk: number, space: number): bigint {
  const whole = worth(problem, disk, space);
  if (whole === 1) return UNIT;
  const n = BigInt(disk * (problem.spaces.length + 1) + space + 2);
  const order = UNIT / (((n + 1n) / 2n) * ((n + 2n) / 2n));
  return whole >= 2 ? 2n * UNIT + order : order;
}

/**
 * Whether units can change places between disks, one space for another around a circle, so that the layout is
 * worth more with each space as large as before. Differences that solvers take for nothing (1e-9 and less)
 * count here. Source: negative circles in the residual graph of a transport problem.
 */
export function hasBetterExchange(problem: LayoutProblem, sizes: Sizes): boolean {
  const { disks, spaces } = problem;
  const steps: { readonly from: number; readonly to: number; readonly gain: bigint }[] = [];
  for (const [from, row] of sizes.entries())
    for (const to of disks.keys()) {
      const gains = [...row.keys()]
        .filter((space) => row[space]! > TOLERANCE && from !== to && !countsDisks(spaces[space]))
        .map((space) => exactWorth(problem, to, space) - exactWorth(problem, from, space));
      if (gains.length > 0) steps.push({ from, to, gain: gains.reduce((a, b) => (a > b ? a : b)) });
    }
  return [...disks.keys()].some((start) => {
    const best: (bigint | undefined)[] = [];
    best[start] = 0n;
    for (const _ of disks)
      for (const { from, to, gain } of steps) {
        const value = best[from];
        if (value !== undefined && (best[to] === undefined || value + gain > best[to]))
          best[to] = value + gain;
        if (best[start] > NOTHING) return true;
      }
    return false;
  });
}

const countsDisks = (space: Space | undefined): boolean =>
  (space?.copies ?? space?.minDisks ?? space?.maxDisks) !== undefined;
