/**
 * The parts of a manual page that are made: the option block between its markers, and the output of its
 * examples. `npm run docs` writes them, a test makes them again and compares.
 */

import type { OptionDefinition } from '../options/option.ts';
import type { Program } from '../options/program.ts';
import { argumentSuffix } from '../parse/normalise.ts';
import { commandBlock } from '../subcommands/command-help.ts';

const BLOCK_START = '.\\" Options: made from the table of options by "npm run docs".';
const BLOCK_END = '.\\" End of the options.';

/** Text as it is, for roff: no hyphenation marks, escapes or requests. */
const roffText = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

const BOLD = /\*(\*|[^*]+)\*/g;
/** The name of a placeholder may have underscores of its own. */
const PLACEHOLDER = /(?<!\w)_([^\s]+?)_(?!\w)/g;

/** A paragraph of a manual text: `*x*` becomes bold, `_x_` italic. */
const roffParagraph = (paragraph: string): string =>
  paragraph
    .replaceAll('\\', '\\e')
    .replace(PLACEHOLDER, '\\fI$1\\fR')
    .replace(BOLD, (_, text: string) => `\\fB${text.replaceAll('-', '\\-')}\\fR`)
    .replace(/^(?=[.'])/gm, '\\&');

/** `-t FILE`, `--text-data=FILE` with the names in bold and the argument in italics. */
function heading(definition: OptionDefinition): string {
  const { aliases, argument, metavar, name, short } = definition;
  const italic = `\\fI${roffText(metavar ?? '')}\\fR`;
  const shortArgument = argument === 'required' ? ` ${italic}` : argument === 'glued' ? `[${italic}]` : '';
  const longArgument = roffText(argumentSuffix(definition)).replace(roffText(metavar ?? ''), italic);
  return [
    ...(short ? [`\\fB\\-${short}\\fR${shortArgument}`] : []),
    ...[name, ...(aliases ?? [])].map((long) => `\\fB${roffText(`--${long}`)}\\fR${longArgument}`),
  ].join(', ');
}

function defaultSentence({ default: value, unit }: OptionDefinition): string {
  if (typeof value !== 'number' && typeof value !== 'string') return '';
  return `\nDefault: \\fB${roffText(String(value))}\\fR${unit ? ` ${unit}` : ''}.`;
}

const entry = (definition: OptionDefinition): string => {
  const [first = '', ...others] = definition.manual.split('\n\n').map(roffParagraph);
  return [
    '.TP',
    heading(definition),
    first + defaultSentence(definition),
    ...others.flatMap((text) => ['.IP', text]),
  ].join('\n');
};

/** The option block of a program's page, in roff, without a line end behind it. */
export function optionBlock({ options, commands, groups }: Program): string {
  const definitions = Object.values(options);
  const list = commands
    ? `.SS Commands\n${commandBlock(
        commands,
        (key) => options[key]!.name,
        (text) => `\\fB${roffText(text)}\\fR`,
        roffParagraph,
      )}\n`
    : '';
  return (
    list +
    Object.entries(groups)
      .map(([group, { heading }]) => ({ heading, members: definitions.filter((one) => one.group === group) }))
      .filter(({ members }) => members.length > 0)
      .map(({ heading, members }) => [`.SS ${heading}`, ...members.map(entry)].join('\n'))
      .join('\n')
  );
}

/** The page with its option block made anew; undefined when it has no place for one. */
export function withOptionBlock(page: string, program: Program): string | undefined {
  const start = page.indexOf(BLOCK_START);
  const end = page.indexOf(BLOCK_END);
  if (start < 0 || end < start) return undefined;
  return `${page.slice(0, start)}${BLOCK_START}\n${optionBlock(program)}\n${page.slice(end)}`;
}

const EXAMPLE = /^\.EX\n\$ (.+)\n([\s\S]*?)\.EE$/gm;

const plainText = (roff: string): string =>
  roff.replaceAll('\\&', '').replaceAll('\\-', '-').replaceAll('\\e', '\\');

/**
 * The page with what `run` says that each example prints: blocks between `.EX` and `.EE` whose first line is
 * a shell command behind `$ `.
 */
export const withExampleOutput = (page: string, run: (command: string) => string): string =>
  page.replace(EXAMPLE, (_, command: string) => {
    const output = run(plainText(command));
    return `.EX\n$ ${command}\n${roffText(output)}.EE`;
  });
