/** The values of options, as the programs and what they share see them. */
import type { KeysOf } from '../../kit/cli/options/program.ts';
import type { OptionValues, SomeOf, ValuesOfProgram } from '../../kit/cli/options/values.ts';
import type { LEDGER_OPTIONS } from './option-table.ts';
import type { LEDGER_PROGRAMS } from './program-table.ts';

type Values = OptionValues<typeof LEDGER_OPTIONS>;

export type ProgramOptions<P extends keyof typeof LEDGER_PROGRAMS> = ValuesOfProgram<
  Values,
  KeysOf<(typeof LEDGER_PROGRAMS)[P]>
>;

/** Options that a part of several programs asks for; those that a program does not take are not there. */
export type SomeOptions<Key extends keyof Values> = SomeOf<Values, Key>;
