/** A program's definition: its purpose, options (in the order of `--help-completion`) and arguments. */
import type { CommandDefinition } from '../subcommands/command.ts';
import { GENERAL_OPTIONS } from './general-options.ts';
import type { Completion, OptionDefinition, OptionGroups, OptionTable } from './option.ts';

interface Positionals {
  readonly metavar: string;
  readonly completion: Completion;
  readonly min: number;
  readonly max: number;
  /** Said (after "Error: ") when there are fewer than `min`, and when there are more than `max`. */
  readonly tooFew: string;
  readonly tooMany: string;
}

type Example = readonly [command: string, what: string];

/** A line of a product's table of programs. */
export interface ProgramDefinition<Key extends string = string> {
  readonly summary: string;
  /** Command lines for `--help`, and what they do. */
  readonly examples: readonly [Example, Example, Example];
  /** Options that the stock programs know; abbreviations mean these first. */
  readonly stock: readonly Key[];
  /** Those of ours, which follow in `--help-completion`, ahead of those that every program takes. */
  readonly ours: readonly Key[];
  /** None, unless stated. */
  readonly positionals?: Positionals;
  /** What the first words may be, for programs that do several things; the positionals follow from these. */
  readonly commands?: readonly CommandDefinition[];
  /** What its exit statuses mean, but for what all programs have in common. */
  readonly endings: {
    readonly done: string;
    readonly no?: string;
    readonly input?: string;
    readonly someFailed?: string;
    readonly left?: string;
    readonly changed?: string;
  };
  /** Exit status of bad arguments and input where 1 is an answer ("refused", "none found"). */
  readonly faultStatus?: number;
}

/** Keys of the options that a program takes. */
export type KeysOf<P extends ProgramDefinition> = P['stock' | 'ours'][number];

/** A program as the command line is read for it, with the definitions of its own options, in their order. */
export interface Program extends Omit<ProgramDefinition, 'stock' | 'ours'> {
  readonly name: string;
  readonly options: OptionTable;
  /** These in the order in which people read them, which is the same in all programs. */
  readonly shown: readonly OptionDefinition[];
  readonly groups: OptionGroups;
  readonly positionals: Positionals;
}

/** A product: its programs, where their options are defined, and under which headings these stand. */
export interface Product {
  readonly programs: Readonly<Record<string, ProgramDefinition>>;
  readonly options: OptionTable;
  readonly groups: OptionGroups;
}

export function makeProgram(name: string, { programs, options, groups }: Product): Program {
  const { stock, ours, ...definition } = programs[name]!;
  const { completion, ...general } = GENERAL_OPTIONS;
  const added = [
    ...ours.filter((key) => !stock.includes(key)).map((key) => [key, options[key]!] as const),
    ['completion', completion] as const,
  ];
  const own: OptionTable = {
    ...Object.fromEntries(stock.map((key) => [key, options[key]!])),
    ...Object.fromEntries(added.map(([key, one]) => [key, { ...one, isAddition: true }])),
    ...general,
  };
  return {
    positionals: NO_POSITIONALS,
    ...definition,
    name,
    groups,
    options: own,
    shown: Object.keys(options).flatMap((key) => own[key] ?? []),
  };
}

export const NO_POSITIONALS: Positionals = {
  metavar: '',
  completion: 'none',
  min: 0,
  max: 0,
  tooFew: '',
  tooMany: "This program doesn't take any arguments.",
};

/** As many as there are. @param metavar how usage calls them */
export const anyNumber = (metavar: string, completion: Completion = 'string'): Positionals => ({
  ...NO_POSITIONALS,
  metavar,
  completion,
  max: Number.MAX_SAFE_INTEGER,
  tooMany: '',
});

/** A command and its words; which ones, the commands themselves say. */
export const COMMAND = anyNumber('COMMAND [ARGUMENT...]');
