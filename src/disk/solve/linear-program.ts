/** A linear program as data: maximise the cost of the columns within bounds of columns and rows; a solver. */

export interface Column {
  readonly name: string;
  readonly cost: number;
  readonly lower: number;
  readonly upper: number;
  readonly isInteger: boolean;
}

/** lower <= sum of values[i] * column[columns[i]] <= upper */
export interface Row {
  readonly name: string;
  readonly lower: number;
  readonly upper: number;
  readonly columns: readonly number[];
  readonly values: readonly number[];
}

export interface LinearProgram {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export const NO_LIMIT = Number.POSITIVE_INFINITY;

export type Term = readonly [column: number, factor: number];

export const sumOf = (columns: readonly number[]): readonly Term[] =>
  columns.map((column): Term => [column, 1]);

export class ProgramBuilder implements LinearProgram {
  readonly columns: Column[] = [];
  readonly rows: Row[] = [];

  /** @returns the column's index. */
  column(name: string, column: Partial<Omit<Column, 'name'>> = {}): number {
    return this.columns.push({ name, cost: 0, lower: 0, upper: NO_LIMIT, isInteger: false, ...column }) - 1;
  }

  row(name: string, lower: number, upper: number, ...terms: readonly Term[]): void {
    const columns = terms.map(([column]) => column);
    this.rows.push({ name, lower, upper, columns, values: terms.map(([, value]) => value) });
  }
}

const LARGE = 2 ** 16;

/** A tolerance for sizes that grows with them: doubles lose more of the sums of large ones. */
export const slackOf = (tolerance: number, size: number): number => tolerance * Math.max(1, size / LARGE);

/** What the first columns cost together, as many as there are values. */
export const costOf = ({ columns }: LinearProgram, values: readonly number[]): number =>
  values.reduce((sum, value, at) => sum + columns[at]!.cost * value, 0);

export type Solution =
  | { readonly kind: 'optimal'; readonly values: readonly number[] }
  | { readonly kind: 'infeasible' }
  /** Time ran out; `values` is the best that was found, if any. */
  | { readonly kind: 'unfinished'; readonly values: readonly number[] | undefined };

export interface Solver {
  solve(program: LinearProgram): Solution;
}
