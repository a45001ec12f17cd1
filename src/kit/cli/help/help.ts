/** `--help`: what is used every day, the rest by group. Laid out by yargs, loaded for this alone. */
import yargs, { type Argv } from 'yargs';
import { UsageError } from '../../faults.ts';
import { LINE_WIDTH, wrapped } from '../../report/sentences.ts';
import { EVERYDAY } from '../options/general-options.ts';
import type { OptionDefinition } from '../options/option.ts';
import type { Program } from '../options/program.ts';
import { argumentSuffix } from '../parse/normalise.ts';
import { type CommandDefinition, findCommand, optionsOf, usageOf } from '../subcommands/command.ts';

const ALL = 'all';
const COMMANDS = 'commands';

const newLayout = (): Argv =>
  yargs([])
    .scriptName('')
    .locale('en')
    .parserConfiguration({ 'boolean-negation': false, 'camel-case-expansion': false, 'dot-notation': false })
    .help(false)
    .version(false)
    .wrap(LINE_WIDTH);

function addOptions(layout: Argv, heading: string, options: readonly OptionDefinition[]): void {
  for (const definition of options) {
    const { default: usual, help, short } = definition;
    // yargs shows keys as they are: the argument's name goes into the key.
    layout.option(`${definition.name}${argumentSuffix(definition)}`, {
      describe: help,
      group: `${heading}:`,
      ...(short && { alias: short }),
      ...((typeof usual === 'string' || typeof usual === 'number') && { defaultDescription: `${usual}` }),
    });
  }
}

function addGroups(layout: Argv, { groups }: Program, options: readonly OptionDefinition[]): void {
  for (const [name, { heading }] of Object.entries(groups))
    addOptions(
      layout,
      heading,
      options.filter(({ group }) => group === name),
    );
}

function addCommands(layout: Argv, commands: readonly CommandDefinition[], isShort = false): void {
  for (const command of commands) layout.command(isShort ? command.words : usageOf(command), command.summary);
}

/** What is read first: what is used every day, examples, and what else there is. */
function addEveryday(layout: Argv, program: Program, options: readonly OptionDefinition[]): void {
  const { name, commands, examples, groups } = program;
  layout.updateStrings({ 'Commands:': 'Commands of every day (each has its own --help):' });
  const used = commands?.filter(({ isEveryday }) => isEveryday);
  if (used) addCommands(layout, used, true);
  const topics = Object.keys(groups).filter((group) => options.some((one) => one.group === group));
  for (const group of topics)
    addOptions(
      layout,
      'Options of every day',
      options.filter((one) => one.isEveryday && one.group === group),
    );
  layout.example(examples.map(([command, what]) => [command, what]));
  const further = [
    ...(commands ? [[COMMANDS, `all ${commands.length} commands`]] : []),
    ...topics.flatMap((group) => {
      const { about } = groups[group]!;
      const isShown = options.every((one) => one.isEveryday || one.group !== group);
      return about === undefined || isShown ? [] : [[group, about]];
    }),
    [ALL, `all ${options.length} options; more in the manual page: man ${name}`],
  ];
  // yargs makes columns of what tabs part.
  const rows = further.map(([topic, about]) => `  ${topic}\t  ${about}`);
  layout.epilogue([`Further options, by ${name} --help=GROUP:`, ...rows].join('\n'));
}

function addTopic(layout: Argv, program: Program, options: readonly OptionDefinition[], topic: string): void {
  const { commands, groups, name } = program;
  const members = options.filter(({ group }) => topic === ALL || group === topic);
  const isAboutCommands = commands !== undefined && [ALL, COMMANDS].includes(topic);
  if (members.length === 0 && !isAboutCommands) {
    const topics = Object.keys(groups).filter((one) => options.some(({ group }) => group === one));
    throw new UsageError(
      `${name} has no help about '${topic}'`,
      `give one of: ${[ALL, ...(commands ? [COMMANDS] : []), ...topics].join(', ')}`,
    );
  }
  if (isAboutCommands) addCommands(layout, commands);
  addGroups(layout, program, members);
}

/**
 * The help text, 80 columns wide at most, with line ends.
 * @param topic `everyday`, `all`, `commands` or the name of a group
 * @param words the command that these begin with is told about, if any
 * @throws UsageError when there is no such topic
 */
export async function helpText(
  program: Program,
  topic: string,
  words: readonly string[] = [],
): Promise<string> {
  const { name, positionals, summary, commands } = program;
  const command = commands && findCommand(commands, words)?.command;
  const usage = command ? [usageOf(command), '[OPTION...]'] : ['[OPTION...]', positionals.metavar];
  const about = command ? `${command.summary}.` : `${name} ${summary}.`;
  const layout = newLayout();
  layout.usage(`${wrapped('Usage: ', [name, ...usage].join(' ').trim())}\n${wrapped('', about).trimEnd()}`);
  if (command) {
    const keys = optionsOf(command, commands, Object.keys(program.options));
    addGroups(
      layout,
      program,
      keys.map((key) => program.options[key]!),
    );
  } else (topic === EVERYDAY ? addEveryday : addTopic)(layout, program, program.shown, topic);
  return `${await layout.getHelp()}\n`;
}
