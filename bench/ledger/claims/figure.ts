/** A line of what the benchmarks of the ledger print. */
export interface Figure {
  readonly name: string;
  readonly [field: string]: string | number;
}
