/** `--help`: laid out by yargs, which is loaded for nothing else (see parse.ts). */
import yargs from 'yargs';
import type { OptionDefinition } from '../options/option.ts';
import type { Program } from '../options/program.ts';
import { argumentSuffix } from '../parse/normalise.ts';
import { usageOf } from '../subcommands/command.ts';
import { commandList, optionsOf } from '../subcommands/command-help.ts';
import { findCommand } from '../subcommands/find-command.ts';

const WIDTH = 80;
/** Stands for the list of commands, whose indentation yargs would take away. */
const COMMANDS = '@commands';

const defaultNote = (definition: OptionDefinition): { defaultDescription: string } | Record<string, never> =>
  typeof definition.default === 'string' || typeof definition.default === 'number'
    ? { defaultDescription: String(definition.default) }
    : {};

/**
 * The help text of `program`, or of the command that `words` begin with, 80 columns wide at most, with line
 * ends.
 */
export async function helpText(program: Program, words: readonly string[] = []): Promise<string> {
  const { name: programName, positionals, summary, commands, groups } = program;
  const command = commands && findCommand(commands, words)?.command;
  const all = Object.keys(program.options);
  const options = command ? optionsOf(command, commands, all) : all;
  const usage = command
    ? [programName, usageOf(command), '[OPTION...]']
    : [programName, '[OPTION...]', positionals.metavar];
  const about = command ? `${command.summary}.` : `${programName} ${summary}.`;
  const list = commands && !command ? commandList(commands, WIDTH) : undefined;
  const layout = yargs([])
    .scriptName(programName)
    .locale('en')
    .usage(`Usage: ${usage.join(' ').trim()}\n\n${about}${list ? `\n\n${COMMANDS}` : ''}`)
    .parserConfiguration({ 'boolean-negation': false, 'camel-case-expansion': false, 'dot-notation': false })
    .help(false)
    .version(false)
    .wrap(WIDTH)
    .epilogue(`More in the manual page: man ${programName}`);
  for (const [group, { help }] of Object.entries(groups))
    for (const definition of options
      .map((key) => program.options[key]!)
      .filter((one) => one.group === group)) {
      // yargs shows keys as they are: the argument's name goes into the key.
      layout.option(`${definition.name}${argumentSuffix(definition)}`, {
        describe: definition.help,
        group: `${help}:`,
        ...(definition.short ? { alias: definition.short } : {}),
        ...defaultNote(definition),
      });
    }
  return `${(await layout.getHelp()).replace(COMMANDS, () => list ?? COMMANDS)}\n`;
}
