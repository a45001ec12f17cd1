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
  /** Where each space that counts its disks lies, decided already: by variable, 0 or 1. */
  readonly decided?: ReadonlyMap<number, number>;
}

/** Variable of a space on a disk; the one behind the last space is what is left. */
export const variableOf = (spaceCount: number, disk: number, space: number): number =>
  disk * (spaceCount + 1) + space;

export const layoutProgram = (
  problem: LayoutProblem,
  requirements: readonly Requirement[],
  options: ProgramOptions,
): LinearProgram => new LayoutProgram(problem, requirements, options).program;

class LayoutProgram {
  readonly program = new ProgramBuilder();
  private readonly disks: readonly number[];
  private readonly spaces: readonly Space[];
  /** Amounts by kind and space. */
  private readonly asked: ReadonlyMap<string, number>;

  constructor(
    { disks, spaces }: LayoutProblem,
    requirements: readonly Requirement[],
    private readonly options: ProgramOptions,
  ) {
    this.disks = disks;
    this.spaces = spaces;
    this.asked = new Map(requirements.map(({ kind, space, amount }) => [`${kind}${space}`, amount]));
    this.sizes();
    this.diskRows();
    for (const at of spaces.keys()) this.space(at);
    for (const [at, one] of options.shared.entries()) this.shared(at, one);
    this.deviations();
  }

  private sizes(): void {
    const costs = coefficients(this.disks.length, this.spaces);
    const isFree = this.options.isAnyGood || this.options.deviation === 'minimise';
    for (const [at, cost] of costs.entries()) this.program.column(`x${at}`, { cost: isFree ? 0 : cost });
  }

  private diskRows(): void {
    for (const [disk, size] of this.disks.entries()) {
      const variables = [...this.spaces.keys(), this.spaces.length].map((space) =>
        this.variable(disk, space),
      );
      this.program.row(`disk${disk}`, -NO_LIMIT, size, ...sumOf(variables));
    }
  }

  private variable(disk: number, space: number): number {
    return variableOf(this.spaces.length, disk, space);
  }

  private parts(space: number, factor = 1): readonly Term[] {
    return this.disks.map((_, disk) => [this.variable(disk, space), factor]);
  }

  private amount(kind: Requirement['kind'], space: number): number | undefined {
    return this.asked.get(`${kind}${space}`);
  }

  private space(space: number): void {
    const size = this.amount('size', space);
    const min = size ?? this.amount('min_size', space);
    const max = size ?? this.amount('max_size', space);
    const copies = this.amount('copies', space);
    if (copies !== undefined) this.copies(space, copies, min ?? 0, max ?? NO_LIMIT);
    else {
      if (min !== undefined || max !== undefined)
        this.program.row(`size${space}`, min ?? -NO_LIMIT, max ?? NO_LIMIT, ...this.parts(space));
      this.countedDisks(space);
    }
  }

  /** Whether the space is on a disk: a variable for each disk, and what holds of it on each. */
  private presence(space: number, holds: (part: number, there: number) => void): readonly number[] {
    const present = this.disks.map((_, disk) => {
      const variable = this.variable(disk, space);
      const known = this.options.decided?.get(variable);
      const bounds = { lower: known ?? 0, upper: known ?? 1 };
      return this.program.column(`y${variable}`, { ...bounds, isInteger: known === undefined });
    });
    for (const [disk, size] of this.disks.entries()) {
      const part = this.variable(disk, space);
      const there = present[disk]!;
      this.program.row(`there${part}`, -NO_LIMIT, 0, [part, 1], [there, -size]);
      holds(part, there);
    }
    return present;
  }

  private copies(space: number, copies: number, min: number, max: number): void {
    const each = this.program.column(`z${space}`, { lower: min, upper: max });
    const present = this.presence(space, (part, there) => {
      this.program.row(`most${part}`, -NO_LIMIT, 0, [part, 1], [each, -1]);
      // A copy that is there is as large as each; no copy is larger than the largest disk.
      const largest = Math.min(max, Math.max(...this.disks));
      this.program.row(`equal${part}`, -largest, NO_LIMIT, [part, 1], [each, -1], [there, -largest]);
    });
    this.program.row(`copies${space}`, copies, copies, ...sumOf(present));
  }

  private countedDisks(space: number): void {
    const min = this.amount('min_disks', space);
    const max = this.amount('max_disks', space);
    if (min === undefined && max === undefined) return;
    const present = this.presence(space, (part, there) => {
      if (min !== undefined) this.program.row(`some${part}`, 0, NO_LIMIT, [part, 1], [there, -1]);
    });
    this.program.row(`disks${space}`, min ?? 0, max ?? NO_LIMIT, ...sumOf(present));
  }

  /** (sum of first) / weight(first) = (sum of other) / weight(other), for every other member. */
  private shared(at: number, { members }: SharingClass): void {
    const [first, ...others] = members;
    for (const other of others) {
      const [own, its] = [this.spaces[first!]!.weight, this.spaces[other]!.weight];
      // No factor below 1: solvers drop what is small.
      const scale = Math.min(own, its);
      const terms = [...this.parts(first!, its / scale), ...this.parts(other, -own / scale)];
      this.program.row(`share${at}_${other}`, 0, 0, ...terms);
    }
  }

  private deviations(): void {
    const { relaxed = [], deviation } = this.options;
    const all: number[] = [];
    const cost = deviation === 'minimise' ? -1 : 0;
    for (const [at, { members }] of relaxed.entries()) {
      const level = this.program.column(`v${at}`);
      for (const space of members) {
        const above = this.program.column(`p${space}`, { cost });
        const below = this.program.column(`n${space}`, { cost });
        all.push(above, below);
        const { weight } = this.spaces[space]!;
        this.program.row(
          `level${space}`,
          0,
          0,
          ...this.parts(space),
          [level, -weight],
          [above, -1],
          [below, 1],
        );
      }
    }
    if (typeof deviation === 'number') this.program.row('deviation', -NO_LIMIT, deviation, ...sumOf(all));
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
 * so that spaces are not mixed. Source: Bareon's allocator, "Ordering" and "Best with disks". @returns by
 * disk, its spaces and the rest
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
