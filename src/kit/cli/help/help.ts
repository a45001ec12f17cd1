/** `--help`: on one screen what is used every day, the rest by group. */

import { UsageError } from '../../faults.ts';
import { wrapped } from '../../report/wrap.ts';
import { EVERYDAY } from '../options/general-options.ts';
import type { OptionDefinition } from '../options/option.ts';
import type { Program } from '../options/program.ts';
import { spelling } from '../parse/normalise.ts';
import { EXIT_BAD_VALUE } from '../parse/parse.ts';
import { usageOf } from '../subcommands/command.ts';
import { optionsOf } from '../subcommands/command-help.ts';
import { findCommand } from '../subcommands/find-command.ts';
import { twoColumns } from './columns.ts';

const ALL = 'all';
const COMMANDS = 'commands';

type Row = readonly [name: string, text: string];

const shortRow = (definition: OptionDefinition): Row => [spelling(definition), definition.help];

function rowOf(definition: OptionDefinition): Row {
  const { default: usual } = definition;
  const [name, help] = shortRow(definition);
  return [
    name,
    typeof usual === 'string' || typeof usual === 'number' ? `${help} [default: ${usual}]` : help,
  ];
}

/** The options under the headings of their groups, of which those without any are left out. */
const byGroup = ({ groups }: Program, options: readonly OptionDefinition[]): readonly string[] =>
  Object.entries(groups).flatMap(([name, { heading }]) => {
    const members = options.filter(({ group }) => group === name);
    return members.length === 0 ? [] : [`${heading}:\n${twoColumns(members.map(rowOf))}`];
  });

const commandList = (commands: NonNullable<Program['commands']>): string =>
  `Commands:\n${twoColumns(commands.map((command) => [usageOf(command), command.summary]))}`;

/** What is read first: examples, what is used every day, and what else there is. */
function everyday({ name, commands, examples, groups }: Program, options: readonly OptionDefinition[]) {
  const names = Object.keys(groups).filter((group) => options.some((one) => one.group === group));
  const used = options.filter(({ isEveryday }) => isEveryday);
  return [
    `Examples:\n${twoColumns(examples)}`,
    ...(commands
      ? [
          `Commands of every day (each has its own --help):\n${twoColumns(
            commands.flatMap(({ words, summary, isEveryday }) => (isEveryday ? [[words, summary]] : [])),
          )}`,
        ]
      : []),
    `Options of every day:\n${twoColumns(
      names.flatMap((name) => used.filter(({ group }) => group === name).map(shortRow)),
    )}`,
    `Further options, by ${name} --help=GROUP:\n${twoColumns([
      ...(commands ? ([[COMMANDS, `all ${commands.length} commands`]] satisfies Row[]) : []),
      ...names.flatMap((group): Row[] => {
        const { about } = groups[group]!;
        return about === undefined ? [] : [[group, about]];
      }),
      [ALL, `all ${options.length} options; more in the manual page: man ${name}`],
    ])}`,
  ];
}

function aboutTopic(program: Program, options: readonly OptionDefinition[], topic: string) {
  const { commands, groups, name } = program;
  if (topic === EVERYDAY) return everyday(program, options);
  if (commands && topic === COMMANDS) return [commandList(commands)];
  if (topic === ALL) return [...(commands ? [commandList(commands)] : []), ...byGroup(program, options)];
  const parts = byGroup(
    program,
    options.filter(({ group }) => group === topic),
  );
  if (parts.length > 0) return parts;
  const topics = Object.keys(groups).filter((one) => options.some(({ group }) => group === one));
  throw new UsageError(
    `${name} has no help about '${topic}'`,
    EXIT_BAD_VALUE,
    `give one of: ${[ALL, ...(commands ? [COMMANDS] : []), ...topics].join(', ')}`,
  );
}

/**
 * The help text, 80 columns wide at most, with line ends.
 * @param topic `everyday`, `all`, `commands` or the name of a group
 * @param words the command that these begin with is told about, if any
 * @throws UsageError when there is no such topic
 */
export function helpText(program: Program, topic: string, words: readonly string[] = []): string {
  const { name, positionals, summary, commands } = program;
  const command = commands && findCommand(commands, words)?.command;
  const usage = command ? [usageOf(command), '[OPTION...]'] : ['[OPTION...]', positionals.metavar];
  const definitions = Object.values(program.options);
  const parts = command
    ? byGroup(
        program,
        optionsOf(command, commands, Object.keys(program.options)).map((key) => program.options[key]!),
      )
    : aboutTopic(program, definitions, topic);
  const about = command ? `${command.summary}.` : `${name} ${summary}.`;
  return [`${wrapped('Usage: ', [name, ...usage].join(' ').trim())}\n${wrapped('', about)}`, ...parts].join(
    '\n',
  );
}
