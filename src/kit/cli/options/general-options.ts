/** What every program takes. */
import type { OptionDefinition } from './option.ts';

/** Shells for which `--completion` makes a script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export const GENERAL_OPTIONS = {
  completion: {
    name: 'completion',
    kind: 'print',
    argument: 'required',
    metavar: 'SHELL',
    completion: { choices: SHELLS },
    group: 'general',
    help: 'print a completion script for bash, zsh or fish',
    manual: `Prints a script that teaches _SHELL_ (*bash*, *zsh* or *fish*) to complete this program's options, and exits.`,
    isAddition: true,
  },
  version: {
    name: 'version',
    short: 'V',
    kind: 'print',
    argument: 'none',
    completion: 'none',
    group: 'general',
    help: 'print the version and exit',
    manual: `Prints the version of the program and of Node.js, and exits.`,
  },
  help: {
    name: 'help',
    short: 'h',
    kind: 'print',
    argument: 'none',
    completion: 'none',
    group: 'general',
    help: 'print this help and exit',
    manual: `Prints a summary of the options and exits.`,
  },
  helpCompletion: {
    name: 'help-completion',
    kind: 'print',
    argument: 'none',
    completion: 'none',
    group: 'general',
    help: 'print the options and their argument types for completion builders, and exit',
    manual: `Prints one line per option with the type of its argument, for tools that build completions, and exits.`,
  },
} as const satisfies Record<string, OptionDefinition>;
