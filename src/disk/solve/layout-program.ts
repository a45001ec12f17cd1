/**
 * The linear program of a node: `x<i>`, the size of space s on disk d with i = d * (spaces + 1) + s, where
 * the last space is what is left; `y<i>`, whether it is there at all; `z<s>`, the size of each copy; `v<c>`,
 * the common level of a sharing class; `p<s>` and `n<s>`, how far a space is off it.
 */
import type { Space } from '../model/spaces.ts';
import { type LinearProgram, NO_LIMIT, ProgramBuilder, sumOf, type Term } from './linear-program.ts';
import type { Requirement, SharingClass } from './requirement.ts';

export interface LayoutProblem {
  readonly disks: readonly number[];
  readonly spaces: readonly Space[];
}

export interface ProgramOptions {
  /** Classes whose members must share exactly. */
  readonly shared: readonly SharingClass[];
  /** Classes that may deviate; then `deviation` says what is done about it. */
  readonly relaxed?: readonly SharingClass[];
  /** minimise: the sum of deviations is all that counts. A number: the most that it may be. */
  readonly deviation?: 'minimise' | number;
  /** Anything that fits will do. */
  readonly isAnyGood?: boolean;
  /** Where each space that counts its disks lies, decided already: by name of the variable, 0 or 1. */
  readonly decided?: ReadonlyMap<string, number>;
}

/** Variable of a space on a disk; the one behind the last space is what is left. */
export const variableOf = (spaceCount: number, disk: number, space: number): number =>
  disk * (spaceCount + 1) + space;

export function layoutProgram(
  { disks, spaces }: LayoutProblem,
  requirements: readonly Requirement[],
  options: ProgramOptions,
): LinearProgram {
  const program = new ProgramBuilder();
  /** Amounts by kind and space. */
  const asked = new Map(requirements.map(({ kind, space, amount }) => [`${kind}${space}`, amount]));
  const isFree = options.isAnyGood || options.deviation === 'minimise';
  for (const [at, cost] of coefficients(disks.length, spaces).entries())
    program.column(`x${at}`, { cost: isFree ? 0 : cost });
  for (const [disk, size] of disks.entries()) {
    const variables = [...spaces.keys(), spaces.length].map((space) => partOf(disk, space));
    program.row(`disk${disk}`, -NO_LIMIT, size, ...sumOf(variables));
  }
  for (const at of spaces.keys()) ask(at);
  for (const [at, one] of options.shared.entries()) share(at, one);
  allowDeviations();
  return program;

  function partOf(disk: number, space: number): number {
    return variableOf(spaces.length, disk, space);
  }

  function parts(space: number, factor = 1): readonly Term[] {
    return disks.map((_, disk) => [partOf(disk, space), factor]);
  }

  function amountOf(kind: Requirement['kind'], space: number): number | undefined {
    return asked.get(`${kind}${space}`);
  }

  function ask(space: number): void {
    const size = amountOf('size', space);
    const min = size ?? amountOf('min_size', space);
    const max = size ?? amountOf('max_size', space);
    const copies = amountOf('copies', space);
    if (copies !== undefined) copy(space, copies, min ?? 0, max ?? NO_LIMIT);
    else {
      if (min !== undefined || max !== undefined)
        program.row(`size${space}`, min ?? -NO_LIMIT, max ?? NO_LIMIT, ...parts(space));
      countDisks(space);
    }
  }

  /** Whether the space is on a disk: a variable for each disk, and what holds of it on each. */
  function presence(space: number, holds: (part: number, there: number) => void): readonly number[] {
    const present = disks.map((_, disk) => {
      const name = `y${partOf(disk, space)}`;
      const known = options.decided?.get(name);
      return program.column(name, { lower: known ?? 0, upper: known ?? 1, isInteger: known === undefined });
    });
    for (const [disk, size] of disks.entries()) {
      const part = partOf(disk, space);
      const there = present[disk]!;
      program.row(`there${part}`, -NO_LIMIT, 0, [part, 1], [there, -size]);
      holds(part, there);
    }
    return present;
  }

  function copy(space: number, copies: number, min: number, max: number): void {
    const each = program.column(`z${space}`, { lower: min, upper: max });
    const present = presence(space, (part, there) => {
      program.row(`most${part}`, -NO_LIMIT, 0, [part, 1], [each, -1]);
      // A copy that is there is as large as each; no copy is larger than the largest disk.
      const largest = Math.min(max, Math.max(...disks));
      program.row(`equal${part}`, -largest, NO_LIMIT, [part, 1], [each, -1], [there, -largest]);
    });
    program.row(`copies${space}`, copies, copies, ...sumOf(present));
  }

  function countDisks(space: number): void {
    const min = amountOf('min_disks', space);
    const max = amountOf('max_disks', space);
    if (min === undefined && max === undefined) return;
    const present = presence(space, (part, there) => {
      if (min !== undefined) program.row(`some${part}`, 0, NO_LIMIT, [part, 1], [there, -1]);
    });
    program.row(`disks${space}`, min ?? 0, max ?? NO_LIMIT, ...sumOf(present));
  }

  /** (sum of first) / weight(first) = (sum of other) / weight(other), for every other member. */
  function share(at: number, { members }: SharingClass): void {
    const [first, ...others] = members;
    for (const other of others) {
      const [own, its] = [spaces[first!]!.weight, spaces[other]!.weight];
      // No factor below 1: solvers drop what is small.
      const scale = Math.min(own, its);
      const terms = [...parts(first!, its / scale), ...parts(other, -own / scale)];
      program.row(`share${at}_${other}`, 0, 0, ...terms);
    }
  }

  function allowDeviations(): void {
    const { relaxed = [], deviation } = options;
    const all: number[] = [];
    const cost = deviation === 'minimise' ? -1 : 0;
    for (const [at, { members }] of relaxed.entries()) {
      const level = program.column(`v${at}`);
      for (const space of members) {
        const above = program.column(`p${space}`, { cost });
        const below = program.column(`n${space}`, { cost });
        all.push(above, below);
        const { weight } = spaces[space]!;
        program.row(`level${space}`, 0, 0, ...parts(space), [level, -weight], [above, -1], [below, 1]);
      }
    }
    if (typeof deviation === 'number') program.row('deviation', -NO_LIMIT, deviation, ...sumOf(all));
  }
}

/** What is left unallocated is worth this on any disk. */
const UNALLOCATED_VALUE = 1;
/** A space on a disk that suits it is worth this more: more than nothing, which the order alone is not. */
const SUITABLE_VALUE = 2;

/** The n-th of 1, 2, 4, 6, 9, 12, ... from 1. Sums of its reciprocals taken crosswise always differ. */
export const crossSum = (n: number): number => Math.floor((n + 1) / 2) * Math.floor((n + 2) / 2);

/**
 * What a unit of a space is worth on a disk: more on earlier ones for earlier spaces, by steps that shrink,
 * so that spaces are not mixed. Source: Bareon's allocator, "Ordering" and "Best with disks".
 * @returns by disk, its spaces and the rest
 */
export function coefficients(diskCount: number, spaces: readonly Space[]): readonly number[] {
  const claimed = new Set(spaces.flatMap(({ bestDisks }) => bestDisks ?? []));
  const values: number[] = [];
  for (let disk = 0; disk < diskCount; disk++) {
    for (const { bestDisks = [] } of spaces) {
      const isSuitable = bestDisks.length > 0 ? bestDisks.includes(disk) : !claimed.has(disk);
      // The first variable takes the second of the series: 1 is for what is unallocated.
      values.push(1 / crossSum(values.length + 2) + (isSuitable ? SUITABLE_VALUE : 0));
    }
    values.push(UNALLOCATED_VALUE);
  }
  return values;
}
