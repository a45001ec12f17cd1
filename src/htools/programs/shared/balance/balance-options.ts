/** Balancing as the command line asks for it: the same options in hbal and hcheck. */
import { allSaid, refuse } from '../../../../kit/cli/all-said.ts';
import type { SomeOptions, TheseOptions } from '../../../options/command-options.ts';
import type { PlanLimits } from '../../../plan/plan.ts';
import type { BalanceOptions } from '../../../planners/balance/options.ts';
import { budgetOf } from './budget.ts';
import { ratesOf } from './price-rates.ts';
import { assertSearchLimits } from './search-limits.ts';

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

/** @throws UsageError with all words about a plan that contradict each other or cannot be read */
export function assertBalanceWords(options: SomeOptions): void {
  const { onlyRules = false, budget = [], maxLength = -1, evacMode, allGroups, group } = options;
  allSaid(
    () => assertSearchLimits(options),
    refuse(
      onlyRules && (budget.length > 0 || maxLength >= 0),
      '--only-rules takes the fewest moves that mend everything, and no options about what a plan may cost',
      'mend first, save the outcome with --save, and balance that',
    ),
    refuse(
      onlyRules && evacMode === true,
      '--only-rules mends every broken rule, and --evac-mode only empties offline and drained nodes',
      'leave out one of them',
    ),
    refuse(
      allGroups === true && group !== undefined,
      '--group names one group, and --all-groups asks for each',
      'leave out one of them',
    ),
    () => budgetOf(budget),
    () => ratesOf(options),
  );
}

export const planLimitsOf = (options: BalanceOptions): PlanLimits => ({
  ...options,
  betweenGroups: false,
  reachesPrimaries: options.isForExecution,
});
