/** What is told about commands in help and manual pages. */
import { type CommandDefinition, usageOf } from './command.ts';
import { isOwned } from './find-command.ts';

/** Those of a program's options that `command` takes. */
export const optionsOf = <Key extends string>(
  command: CommandDefinition,
  commands: readonly CommandDefinition[],
  all: readonly Key[],
): readonly Key[] => all.filter((key) => !isOwned(commands, key) || command.options.includes(key));

/**
 * The commands as part of a manual page.
 * @param nameOf long name of an option; none where it goes without saying.
 * @param bold how a name is written there.
 * @param paragraph how a text is.
 */
export const commandBlock = (
  commands: readonly CommandDefinition[],
  nameOf: (key: string) => string | undefined,
  bold: (text: string) => string,
  paragraph: (text: string) => string,
): string =>
  commands
    .map((command) => {
      const names = command.options.flatMap((key) => nameOf(key) ?? []).map((name) => bold(`--${name}`));
      const own = names.length === 0 ? '' : `\nOptions of its own: ${names.join(', ')}.`;
      return `.TP\n${bold(usageOf(command))}\n${paragraph(command.manual)}${own}`;
    })
    .join('\n');
