/** What every program takes. */
import { optionTable } from './option-table.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** What `--help` tells about without a topic. */
export const EVERYDAY = 'everyday';

export const GENERAL_OPTIONS = optionTable('general', {
  completion: {
    kind: 'print',
    metavar: 'SHELL',
    choices: SHELLS,
    help: 'print a completion script for bash, zsh or fish',
    manual: `Prints a script that teaches _SHELL_ (*bash*, *zsh* or *fish*) to complete this program's options, and exits.`,
  },
  version: {
    short: 'V',
    kind: 'print',
    help: 'print the version and exit',
    manual: `Prints the version of the program and of Node.js, and exits.`,
  },
  help: {
    short: 'h',
    kind: 'print',
    metavar: 'GROUP',
    bare: EVERYDAY,
    help: 'print what is used every day, or the options of GROUP, or all, and exit',
    manual: `Prints what is used every day and which groups of options there are, the options of _GROUP_, or *all*, and exits.`,
  },
  helpCompletion: {
    kind: 'print',
    help: 'print the options and their argument types for completion builders, and exit',
    manual: `Prints one line per option with the type of its argument, for tools that build completions, and exits.`,
  },
});
