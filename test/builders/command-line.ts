/** Command lines as the main of a program gets them. */
import type {
  DISK_PROGRAMS,
  ProgramOptions as DiskProgramOptions,
} from '../../src/disk/options/program-table.ts';
import type { ProgramOptions as HtoolsProgramOptions } from '../../src/htools/options/command-options.ts';
import type { HTOOLS_PROGRAMS } from '../../src/htools/options/program-table.ts';
import { type ParsedCommandLine, parseCommandLine } from '../../src/kit/cli/parse/parse.ts';
import type {
  LEDGER_PROGRAMS,
  ProgramOptions as LedgerProgramOptions,
} from '../../src/ledger/options/program-table.ts';
import { PROGRAMS, type ProgramName } from '../../src/suite/programs.ts';

export type OptionsOf<P extends ProgramName> = P extends keyof typeof HTOOLS_PROGRAMS
  ? HtoolsProgramOptions<P>
  : P extends keyof typeof LEDGER_PROGRAMS
    ? LedgerProgramOptions<P>
    : P extends keyof typeof DISK_PROGRAMS
      ? DiskProgramOptions<P>
      : never;

export const parseFor = <P extends ProgramName>(
  program: P,
  words: readonly string[],
): ParsedCommandLine<OptionsOf<P>> => parseCommandLine<OptionsOf<P>>(PROGRAMS[program], words);
