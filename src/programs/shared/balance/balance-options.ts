/** Balancing as the command line asks for it: the same options in hbal and hcheck. */

import type { CommandOptions } from '../../../cli/options/command-options.ts';
import type { PlanLimits } from '../../../plan/plan.ts';
import type { BalanceOptions } from '../../../planners/balance/options.ts';

export const balanceOptionsOf = (options: CommandOptions): BalanceOptions => ({
  diskMoves: !options.noDiskMoves,
  instanceMoves: !options.noInstanceMoves,
  restrictedMigration: options.restrictedMigration,
  ignoreSoftErrors: options.ignoreSoftErrors,
  evacuationOnly: options.evacMode,
  minGain: options.minGain,
  minGainLimit: options.minGainLimit,
  minScore: options.minScore,
  maxSteps: options.maxLength,
});

/** What the checker holds such a plan against. */
export const planLimitsOf = (options: BalanceOptions): PlanLimits => ({
  ignoreSoftErrors: options.ignoreSoftErrors,
  diskMoves: options.diskMoves,
  instanceMoves: options.instanceMoves,
  restrictedMigration: options.restrictedMigration,
  evacuationOnly: options.evacuationOnly,
  betweenGroups: false,
});
