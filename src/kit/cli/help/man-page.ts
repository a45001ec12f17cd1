/**
 * The parts of a manual page that are made: the option block between its markers, and the output of its
 * examples. `npm run docs` writes them, a test makes them again and compares.
 */
import type { OptionDefinition } from '../options/option.ts';
import type { Program } from '../options/program.ts';
import { argumentSuffix } from '../parse/normalise.ts';
import { commandBlock } from '../subcommands/command-help.ts';
import { statusesOf } from './exit-statuses.ts';

const OPTIONS = [
  '.\\" Options: made from the table of options by "npm run docs".',
  '.\\" End of the options.',
] as const;
const STATUSES = [
  '.\\" Exit statuses: made from the table of programs by "npm run docs".',
  '.\\" End of the exit statuses.',
] as const;

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

const statusBlock = (program: Program): string =>
  Array.from(statusesOf(program), ([status, text]) => `.TP\n.B ${status}\n${roffParagraph(text)}`).join('\n');

/** The text with what is between two marks made anew; undefined when it has no place for that. */
export function withBlock(
  text: string,
  [start, end]: readonly [string, string],
  block: string,
): string | undefined {
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  return from < 0 || to < from ? undefined : `${text.slice(0, from)}${start}\n${block}\n${text.slice(to)}`;
}

/** The page with its options and exit statuses made anew; undefined when it has no place for them. */
export function withMadeBlocks(page: string, program: Program): string | undefined {
  const withOptions = withBlock(page, OPTIONS, optionBlock(program));
  return withOptions && withBlock(withOptions, STATUSES, statusBlock(program));
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
