/** Balancing as the command line asks for it: the same options in hbal and hcheck. */
import type { SomeOptions, TheseOptions } from '../../../options/command-options.ts';
import type { PlanLimits } from '../../../plan/plan.ts';
import type { BalanceOptions } from '../../../planners/balance/options.ts';
import { ratesOf } from './price-rates.ts';

/** The options of a balancing run; hcheck does not take all of them. */
type BalanceWords = TheseOptions<
  | 'noDiskMoves'
  | 'noInstanceMoves'
  | 'ignoreSoftErrors'
  | 'evacMode'
  | 'minGain'
  | 'minGainLimit'
  | 'minScore'
  | 'maxLength'
> &
  SomeOptions<'restrictedMigration' | 'n1Guard' | 'exec' | 'bandwidth' | 'price' | 'parallel'>;

export const balanceOptionsOf = (options: BalanceWords): BalanceOptions => ({
  diskMoves: !options.noDiskMoves,
  instanceMoves: !options.noInstanceMoves,
  restrictedMigration: options.restrictedMigration ?? false,
  ignoreSoftErrors: options.ignoreSoftErrors,
  evacuationOnly: options.evacMode,
  isForExecution: options.exec,
  n1Guard: options.n1Guard === undefined ? undefined : options.n1Guard === 'yes',
  minGain: options.minGain,
  minGainLimit: options.minGainLimit,
  minScore: options.minScore,
  maxSteps: options.maxLength,
  rates: ratesOf(options),
});

export const planLimitsOf = (options: BalanceOptions): PlanLimits => ({
  ...options,
  betweenGroups: false,
  reachesPrimaries: options.isForExecution,
});
