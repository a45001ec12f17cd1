/** A move that spreads load over groups. */
import type { Relocation } from '../relocate/relocation.ts';

export interface SpreadStep {
  readonly relocation: Relocation;
  /** Spread after the step. */
  readonly score: number;
}
