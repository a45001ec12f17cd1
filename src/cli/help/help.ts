/** `--help`: laid out by yargs, which is loaded for nothing else (see parse.ts). */
import yargs from 'yargs';
import { OPTION_GROUPS, type OptionDefinition, type OptionGroup } from '../options/option.ts';
import { OPTIONS } from '../options/option-table.ts';
import { type ProgramName, programDefinition } from '../options/program-table.ts';
import { argumentSuffix } from '../parse/normalise.ts';

const WIDTH = 80;

const HEADINGS: Record<OptionGroup, string> = {
  input: 'Input:',
  search: 'Search:',
  allocation: 'Allocation:',
  output: 'Output:',
  execution: 'Execution:',
  general: 'General:',
};

const defaultNote = (definition: OptionDefinition): { defaultDescription: string } | Record<string, never> =>
  typeof definition.default === 'string' || typeof definition.default === 'number'
    ? { defaultDescription: String(definition.default) }
    : {};

/** The help text of `program`, 80 columns wide at most, with line ends. */
export async function helpText(program: ProgramName): Promise<string> {
  const { options, positionals, summary } = programDefinition(program);
  const layout = yargs([])
    .scriptName(program)
    .locale('en')
    .usage(
      `Usage: ${[program, '[OPTION...]', positionals.metavar].join(' ').trim()}\n\n${program} ${summary}.`,
    )
    .parserConfiguration({ 'boolean-negation': false, 'camel-case-expansion': false, 'dot-notation': false })
    .help(false)
    .version(false)
    .wrap(WIDTH)
    .epilogue(`More in the manual page: man ${program}`);
  for (const group of OPTION_GROUPS)
    for (const definition of options
      .map((key) => OPTIONS[key] as OptionDefinition)
      .filter((one) => one.group === group)) {
      // yargs shows keys as they are: the argument's name goes into the key.
      layout.option(`${definition.name}${argumentSuffix(definition)}`, {
        describe: definition.help,
        group: HEADINGS[group],
        ...(definition.short ? { alias: definition.short } : {}),
        ...defaultNote(definition),
      });
    }
  return `${await layout.getHelp()}\n`;
}
