/**
 * The shape of a program's definition: what it is for, which options it takes (in the order of
 * `--help-completion`) and which arguments.
 */
import type { CommandDefinition } from '../subcommands/command.ts';
import type { GENERAL_OPTIONS } from './general-options.ts';
import type { Completion, OptionTable } from './option.ts';

/** Arguments that are not options. */
export interface Positionals {
  readonly metavar: string;
  readonly completion: Completion;
  readonly min: number;
  readonly max: number;
  /** Said (after "Error: ") when there are fewer than `min`, and when there are more than `max`. */
  readonly tooFew: string;
  readonly tooMany: string;
}

/** A line of a product's table of programs. */
export interface ProgramDefinition<Key extends string = string> {
  readonly summary: string;
  readonly options: readonly Key[];
  readonly positionals: Positionals;
  /** What the first words may be, for programs that do several things; the positionals follow from these. */
  readonly commands?: readonly CommandDefinition[];
  /** Exit status of bad arguments and input where 1 is an answer ("refused", "none found"). */
  readonly faultStatus?: number;
}

/** A program as the command line is read for it, with the definitions of its own options, in their order. */
export interface Program extends Omit<ProgramDefinition, 'options'> {
  readonly name: string;
  readonly options: OptionTable;
}

/** @param table where the program's options are defined */
export const makeProgram = (name: string, definition: ProgramDefinition, table: OptionTable): Program => ({
  ...definition,
  name,
  options: Object.fromEntries(definition.options.map((key) => [key, table[key]!])),
});

export const NO_POSITIONALS: Positionals = {
  metavar: '',
  completion: 'none',
  min: 0,
  max: 0,
  tooFew: '',
  tooMany: "This program doesn't take any arguments.",
};

/** A command and its words; which ones, the commands themselves say. */
export const COMMAND: Positionals = {
  metavar: 'COMMAND [ARGUMENT...]',
  completion: 'string',
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
  tooFew: '',
  tooMany: '',
};

/** Every program ends its list with these, in this order. */
export const GENERAL = [
  'version',
  'help',
  'helpCompletion',
] as const satisfies readonly (keyof typeof GENERAL_OPTIONS)[];
