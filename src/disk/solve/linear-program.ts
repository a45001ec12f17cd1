/** A linear program as data: maximise the cost of the columns within the bounds of columns and rows. */

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

/** Takes columns and rows one by one. */
export class ProgramBuilder implements LinearProgram {
  readonly columns: Column[] = [];
  readonly rows: Row[] = [];

  /** @returns the column's index. */
  column(name: string, column: Partial<Omit<Column, 'name'>> = {}): number {
    return this.columns.push({ name, cost: 0, lower: 0, upper: NO_LIMIT, isInteger: false, ...column }) - 1;
  }

  /** @param terms pairs of column and factor. */
  row(name: string, lower: number, upper: number, terms: readonly (readonly [number, number])[]): void {
    const columns = terms.map(([column]) => column);
    this.rows.push({ name, lower, upper, columns, values: terms.map(([, value]) => value) });
  }
}

/** What the first columns cost together, as many as there are values. */
export const costOf = ({ columns }: LinearProgram, values: readonly number[]): number =>
  values.reduce((sum, value, at) => sum + columns[at]!.cost * value, 0);
