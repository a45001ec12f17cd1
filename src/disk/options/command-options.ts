/** The values of options, as the programs and what they share see them. */
import type { KeysOf } from '../../kit/cli/options/program.ts';
import type { OptionValues, ValuesOfProgram } from '../../kit/cli/options/values.ts';
import type { HDISK_OPTIONS } from './option-table.ts';
import type { DISK_PROGRAMS } from './program-table.ts';

type Values = OptionValues<typeof HDISK_OPTIONS>;

export type ProgramOptions<P extends keyof typeof DISK_PROGRAMS> = ValuesOfProgram<
  Values,
  KeysOf<(typeof DISK_PROGRAMS)[P]>
>;
