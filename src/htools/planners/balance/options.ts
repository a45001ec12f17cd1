import { type PriceRates, USUAL_RATES } from '../../plan/price.ts';

/** What a balancing run may do. Source: the options of hbal(1) of the same names. */
export interface BalanceOptions {
  /** `--no-disk-moves` clears it: only failovers and migrations. */
  readonly diskMoves: boolean;
  /** `--no-instance-moves` clears it: only new secondaries. */
  readonly instanceMoves: boolean;
  readonly restrictedMigration: boolean;
  readonly ignoreSoftErrors: boolean;
  /** Only move instances off offline nodes. */
  readonly evacuationOnly: boolean;
  /**
   * Only steps that can be carried out on a live cluster: no disk is replaced from a primary that nobody can
   * ask. The stock programs plan such steps, and so do we where the plan is only shown.
   */
  readonly isForExecution?: boolean | undefined;
  /** Whether steps must leave nodes restartable elsewhere; undefined = where storage pools are stated. */
  readonly n1Guard?: boolean | undefined;
  /** Smallest gain of a step once the score is at or below `minGainLimit`. */
  readonly minGain: number;
  readonly minGainLimit: number;
  /** Stop when the score is within this of its lower bound. */
  readonly minScore: number;
  /** Steps at most; negative = no cap. */
  readonly maxSteps: number;
  /** What plans are weighed by. */
  readonly rates: PriceRates;
}

export const DEFAULT_BALANCE_OPTIONS: BalanceOptions = {
  diskMoves: true,
  instanceMoves: true,
  restrictedMigration: false,
  ignoreSoftErrors: false,
  evacuationOnly: false,
  minGain: 1e-2,
  minGainLimit: 1e-1,
  minScore: 1e-9,
  maxSteps: -1,
  rates: USUAL_RATES,
};
