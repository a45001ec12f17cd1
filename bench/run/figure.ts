/** What the benchmarks print and the plot reads. */

/**
 * One line of output. Seconds are cpu seconds; figures of stock are missing where it is not installed or not
 * tried.
 */
export interface Figure {
  readonly name: string;
  readonly program: string;
  readonly size: number;
  readonly instances: number;
  readonly seconds: number | null;
  readonly peakMib: number | null;
  readonly moves: number | null;
  readonly score: number | null;
  readonly seed: number;
  readonly commit: string;
  readonly stockSeconds: number | null;
  readonly stockPeakMib: number | null;
  readonly ratio: number | null;
  /** Whether both printed the same bytes. */
  readonly isSame: boolean | null;
}
