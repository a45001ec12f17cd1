/** Help and manual texts of commands. */
import { type CommandDefinition, usageOf } from './command.ts';
import { isOwned } from './find-command.ts';

/** Two columns: usage, and the summary beside it or below it. */
export function commandList(commands: readonly CommandDefinition[], width: number): string {
  const indent = 2;
  const column = 24;
  const lines = commands.flatMap((command) => {
    const usage = `${' '.repeat(indent)}${usageOf(command)}`;
    const summary = wrapped(command.summary, width - column).map((line) => ' '.repeat(column) + line);
    if (usage.length >= column - 1) return [usage, ...summary];
    return [usage.padEnd(column) + summary[0]!.trimStart(), ...summary.slice(1)];
  });
  return `Commands:\n${lines.join('\n')}`;
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Those of a program's options that `command` takes. */
export const optionsOf = <Key extends string>(
  command: CommandDefinition,
  commands: readonly CommandDefinition[],
  all: readonly Key[],
): readonly Key[] => all.filter((key) => !isOwned(commands, key) || command.options.includes(key));

/**
 * The commands as part of a manual page.
 * @param nameOf long name of an option.
 * @param bold how a name is written there.
 * @param paragraph how a text is.
 */
export const commandBlock = (
  commands: readonly CommandDefinition[],
  nameOf: (key: string) => string,
  bold: (text: string) => string,
  paragraph: (text: string) => string,
): string =>
  commands
    .map((command) => {
      const names = command.options.map((key) => bold(`--${nameOf(key)}`));
      const own = names.length === 0 ? '' : `\nOptions of its own: ${names.join(', ')}.`;
      return `.TP\n${bold(usageOf(command))}\n${paragraph(command.manual)}${own}`;
    })
    .join('\n');
