/**
 * The parts of a manual page that are made: the option block between its markers, and the output of its
 * examples. `npm run docs` writes them, a test makes them again and compares.
 */
import { type Ending, EXIT, statusAsAsked } from '../../exit-status.ts';
import type { OptionDefinition, OptionGroups } from '../options/option.ts';
import type { Program } from '../options/program.ts';
import { argumentSuffix, namesOf } from '../parse/normalise.ts';
import { commandBlock } from '../subcommands/command.ts';

/** The page that tells about an option in common with others of its group, if one does. */
type PageOf = (option: OptionDefinition) => string | undefined;

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
  const { argument, metavar, short } = definition;
  const italic = `\\fI${roffText(metavar ?? '')}\\fR`;
  const shortArgument = argument === 'required' ? ` ${italic}` : argument === 'glued' ? `[${italic}]` : '';
  const longArgument = metavar ? roffText(argumentSuffix(definition)).replace(roffText(metavar), italic) : '';
  return [
    ...(short ? [`\\fB\\-${short}\\fR${shortArgument}`] : []),
    ...namesOf(definition).map((long) => `\\fB${roffText(`--${long}`)}\\fR${longArgument}`),
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

const pageName = (page: string): string => `\\fB${roffText(page)}\\fR(7)`;

/** An option of which only the page for many programs tells more. */
const shortEntry = ({ short, help, ...definition }: OptionDefinition): string =>
  `.TP 30\n${short ? `\\fB\\-${short}\\fR, ` : ''}${heading(definition as OptionDefinition)}\n${roffText(help)}`;

/** Options under the headings of their groups; of what another page tells about, the names alone. */
const byGroup = (options: readonly OptionDefinition[], groups: OptionGroups, pageOf: PageOf): string[] =>
  Object.entries(groups).flatMap(([group, { heading }]) => {
    const members = options.filter((one) => one.group === group);
    if (members.length === 0) return [];
    const own = members.filter((one) => !pageOf(one));
    const others = members.filter(pageOf);
    const names = others.map(
      ({ short, name }) => `\\fB${short ? `\\-${short} ` : ''}${roffText(`--${name}`)}\\fR`,
    );
    const paragraph = own.length > 0 ? '.PP\n' : '';
    const elsewhere =
      others.length > 0 ? [`${paragraph}Told in ${pageName(pageOf(others[0]!)!)}: ${names.join(', ')}.`] : [];
    return [`.SS ${heading}`, ...own.map(entry), ...elsewhere];
  });

/** What a program that Ganeti has knows there, ahead of everything of ours. */
function ganetiOptions(name: string, options: readonly OptionDefinition[], pageOf: PageOf): string[] {
  const own = options.filter((one) => !pageOf(one));
  const others = options.filter(pageOf);
  const pages = new Set(others.map((one) => pageName(pageOf(one)!)));
  return [
    `.SS Options of Ganeti's ${name}`,
    ...own.map(entry),
    `.PP\nOther programs take these, too; more about them stands in ${Array.from(pages).join(' and ')}.\n.PD 0`,
    ...others.map(shortEntry),
    '.PD',
  ];
}

/**
 * The option block of a program's page, in roff, without a line end behind it.
 * @param pageOf the page that tells about an option in common, if one does
 * @param isOfGaneti whether Ganeti has the program, too
 */
export function optionBlock(program: Program, pageOf: PageOf, isOfGaneti: boolean): string {
  const { name, options, shown, commands, groups } = program;
  const stock = isOfGaneti ? shown.filter(({ isAddition }) => !isAddition) : [];
  const list = commands && [
    '.SS Commands',
    commandBlock(
      commands,
      (key) => (options[key]!.group === 'connection' ? undefined : options[key]!.name),
      (text) => `\\fB${roffText(text)}\\fR`,
      roffParagraph,
    ),
  ];
  return [
    ...(list ?? []),
    ...(isOfGaneti ? ganetiOptions(name, stock, pageOf) : []),
    ...byGroup(
      shown.filter((one) => !stock.includes(one)),
      groups,
      pageOf,
    ),
  ].join('\n');
}

/** The option block of a page that tells about options in common. */
export const commonBlock = (options: readonly OptionDefinition[], groups: OptionGroups): string =>
  byGroup(options, groups, () => undefined).join('\n');

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

/** The page with its options made anew; undefined when it has no place for them. */
export const withOptions = (page: string, block: string): string | undefined =>
  withBlock(page, OPTIONS, block);

/** The page with its exit statuses made anew; undefined when it has no place for them. */
export const withStatuses = (page: string, program: Program): string | undefined =>
  withBlock(page, STATUSES, statusBlock(program));

const EXAMPLE = /^\.EX\n\$ (.+)\n([\s\S]*?)\.EE$/gm;

const plainText = (roff: string): string =>
  roff.replaceAll('\\&', '').replaceAll('\\-', '-').replaceAll('\\e', '\\');

/** The page with what `run` prints for each example: `.EX` to `.EE`, the command behind `$ ` in line one. */
export const withExampleOutput = (page: string, run: (command: string) => string): string =>
  page.replace(EXAMPLE, (_, command: string) => {
    const output = run(plainText(command));
    return `.EX\n$ ${command}\n${roffText(output)}.EE`;
  });

const UNREADABLE = 'the input cannot be read, a name in it or in an option is unknown, or a value is invalid';
const BAD_OPTIONS = 'the command line has an unknown or ambiguous option';

/** What holds of every program that carries plans out. */
const OF_EXECUTIONS: Partial<Record<Ending, string>> = {
  no: 'with *--exec*: a job failed or was refused, or the master no longer answered',
  left: 'with *--skip-failed*: jobs were left out, and standard error names them',
  changed:
    'with *--exec*: the cluster is no longer what the plan assumes, is in trouble (*--calm*), or another execution did not end (*--wait*); nothing that it would not allow was submitted',
  interrupted: 'with *--exec*: SIGTERM or SIGHUP was received; the jobs that were submitted go on',
};

/** The statuses in their order, each with all that it can mean. */
function statusesOf({ endings, faultStatus, options }: Program): ReadonlyMap<number, string> {
  const common = 'exec' in options ? OF_EXECUTIONS : {};
  const told: (readonly [number, string | undefined])[] = [
    [EXIT.done, endings.done],
    [EXIT.no, endings.no],
    [EXIT.no, common.no],
    [faultStatus ?? statusAsAsked('input'), endings.input ?? UNREADABLE],
    [EXIT.bad, BAD_OPTIONS],
    [statusAsAsked('someFailed'), endings.someFailed],
    [statusAsAsked('interrupted'), common.interrupted],
    [EXIT.left, endings.left],
    [EXIT.left, common.left],
    [EXIT.changed, endings.changed ?? common.changed],
    [EXIT.internal, 'a fault of the program itself'],
  ];
  const byStatus = new Map<number, string>();
  for (const [status, text] of told)
    if (text !== undefined) byStatus.set(status, [byStatus.get(status) ?? [], text].flat().join('; '));
  return byStatus;
}

/** Between which lines of a page the table stands. */
export const STATUS_MARKS = ['<!-- exit statuses: made by npm run docs -->', '<!-- end -->'] as const;

/** What the statuses of all programs mean but for what they have in common, in Markdown. */
export function exitStatusTable(programs: readonly Program[]): string {
  const columns = ['done', 'no', 'left', 'changed'] as const;
  const rows = programs.map(({ name, endings }) => [
    name,
    ...columns.map((ending) => (endings[ending] ?? '').replaceAll('*', '`')),
  ]);
  return [
    ['program', ...columns.map((ending) => EXIT[ending])],
    ['---', ...columns.map(() => '---')],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}
