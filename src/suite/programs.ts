/** All programs of all products, by name: what launchers, documentation and tests go through. */
import { DISK_GROUPS, HDISK_OPTIONS } from '../disk/options/option-table.ts';
import { DISK_PROGRAMS } from '../disk/options/program-table.ts';
import { HTOOLS_GROUPS, HTOOLS_OPTIONS } from '../htools/options/option-table.ts';
import { HTOOLS_PROGRAMS } from '../htools/options/program-table.ts';
import { makeProgram, type Product, type Program } from '../kit/cli/options/program.ts';
import { LEDGER_GROUPS, LEDGER_OPTIONS } from '../ledger/options/option-table.ts';
import { LEDGER_PROGRAMS } from '../ledger/options/program-table.ts';

export type ProgramName =
  | keyof typeof HTOOLS_PROGRAMS
  | keyof typeof LEDGER_PROGRAMS
  | keyof typeof DISK_PROGRAMS;

/** The options of all programs; those of several products are the same. */
export const OPTIONS = { ...HTOOLS_OPTIONS, ...LEDGER_OPTIONS, ...HDISK_OPTIONS } as const;
export type OptionKey = keyof typeof OPTIONS;

/** By the folder of the product in src/. */
const PRODUCTS: Readonly<Record<string, Product>> = {
  htools: { programs: HTOOLS_PROGRAMS, options: HTOOLS_OPTIONS, groups: HTOOLS_GROUPS },
  ledger: { programs: LEDGER_PROGRAMS, options: LEDGER_OPTIONS, groups: LEDGER_GROUPS },
  disk: { programs: DISK_PROGRAMS, options: HDISK_OPTIONS, groups: DISK_GROUPS },
};

export const PROGRAMS: Readonly<Record<ProgramName, Program>> = Object.fromEntries(
  Object.values(PRODUCTS).flatMap((product) =>
    Object.keys(product.programs).map((name) => [name, makeProgram(name, product)]),
  ),
) as Record<ProgramName, Program>;

/** The folder of src/ that holds the programs of a product. */
export const productOf = (program: ProgramName): string =>
  Object.keys(PRODUCTS).find((product) => program in PRODUCTS[product]!.programs)!;

export const PROGRAM_NAMES = Object.keys(PROGRAMS).sort() as readonly ProgramName[];
