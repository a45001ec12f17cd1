/**
 * Programs that do several things under one name: `hclaim claim ...`, `hclaim provider add ...`. Everything
 * that is said or done about a command comes from one object: finding it, `--help`, completion, manual page.
 */
import { EXIT } from '../../exit-status.ts';
import { type UnknownWord, UsageError } from '../../faults.ts';

/** A word behind the command. */
interface CommandArgument {
  /** How usage and messages call it. */
  readonly metavar: string;
  readonly isOptional?: true;
  /** May be given several times; only the last argument can. */
  readonly isRepeated?: true;
}

export interface CommandDefinition {
  /** `claim`, or `provider add`. */
  readonly words: string;
  /** None, unless stated. */
  readonly arguments?: readonly CommandArgument[];
  /** Keys of options that not every command of the program takes. */
  readonly options?: readonly string[];
  /** Shown by `--help` without a topic. */
  readonly isEveryday?: true;
  /** One line, lower case, no full stop. */
  readonly summary: string;
  /** Paragraphs for the manual page, as in OptionDefinition; the summary as a sentence, unless stated. */
  readonly manual?: string;
}

/** `claim PROVIDER=CLASS:N,... [PROVIDER=CLASS:N,...]`. */
export const usageOf = ({ words, arguments: args = [] }: CommandDefinition): string =>
  [words, ...args.map(shownArgument)].join(' ');

const shownArgument = ({ metavar, isOptional, isRepeated }: CommandArgument): string =>
  isOptional ? `[${metavar}${isRepeated ? '...' : ''}]` : `${metavar}${isRepeated ? '...' : ''}`;

/** The command that the words begin with, and what follows it. A longer name wins over a shorter. */
export function findCommand(commands: readonly CommandDefinition[], positionals: readonly string[]) {
  for (const length of [2, 1]) {
    const words = positionals.slice(0, length).join(' ');
    const command = commands.find((one) => one.words === words);
    if (command !== undefined && positionals.length >= length)
      return { command, words: positionals.slice(length) };
  }
  return undefined;
}

/** What is wrong with a command line, if anything. @param given the options that were used. */
export function commandFault(
  program: string,
  commands: readonly CommandDefinition[],
  positionals: readonly string[],
  given: readonly { readonly key: string; readonly name: string }[],
): UsageError | undefined {
  const found = findCommand(commands, positionals);
  if (found === undefined) return unknownCommand(program, commands, positionals);
  const { command, words } = found;
  const { arguments: wanted = [], options = [] } = command;
  const remedy = `see: ${program} ${command.words} --help`;
  const least = wanted.filter(({ isOptional }) => !isOptional).length;
  const most = wanted.some(({ isRepeated }) => isRepeated) ? Infinity : wanted.length;
  const strange = given.filter(({ key }) => isOwned(commands, key) && !options.includes(key));
  const faults = [
    ...(words.length < least ? [`: ${wanted[words.length]!.metavar} is missing`] : []),
    // An empty variable of a script: nobody means it, and a claim of nothing would give all back.
    ...(words.includes('') ? [': an argument is empty'] : []),
    ...(words.length > most ? [`: '${words[most]}' is one argument too many`] : []),
    ...new Set(strange.map(({ name }) => ` has no option --${name}`)),
  ];
  if (faults.length === 0) return undefined;
  return fault(faults.map((text) => `${program} ${command.words}${text}`).join('\n'), remedy);
}

/** Keys of the options that are for some of the commands only, each once. */
export const ownedBy = <Key extends string>(
  commands: readonly { readonly words: string; readonly options?: readonly Key[] }[],
): readonly Key[] => [...new Set(commands.flatMap(({ options = [] }) => options))];

const isOwned = (commands: readonly CommandDefinition[], key: string): boolean =>
  commands.some(({ options }) => options?.includes(key));

const fault = (message: string, remedy: string, unknown?: readonly UnknownWord[]): UsageError =>
  new UsageError(message, remedy, EXIT.bad, unknown);

function unknownCommand(
  program: string,
  commands: readonly CommandDefinition[],
  positionals: readonly string[],
): UsageError {
  const [first, second] = positionals;
  if (first === undefined) return fault(`${program}: a command is missing`, `see: ${program} --help`);
  const related = commands.filter(({ words }) => words.split(' ')[0] === first);
  if (related.length > 0 && second === undefined)
    return fault(
      `${program} ${first}: say what to do`,
      related.map((command) => `${program} ${usageOf(command)}`).join('\nor '),
    );
  const word = related.length > 0 ? `${first} ${second}` : first;
  const known = [
    ...new Set(commands.map(({ words }) => (related.length > 0 ? words : words.split(' ')[0]!))),
  ];
  return fault(`${program}: there is no command '${word}'`, `see: ${program} --help=commands`, [
    { word, known },
  ]);
}

/** Those of a program's options that `command` takes. */
export const optionsOf = <Key extends string>(
  command: CommandDefinition,
  commands: readonly CommandDefinition[],
  all: readonly Key[],
): readonly Key[] => all.filter((key) => !isOwned(commands, key) || command.options?.includes(key) === true);

const manualOf = ({ summary, manual }: CommandDefinition): string =>
  manual ?? `${summary[0]!.toUpperCase()}${summary.slice(1).replace(/\b /, 's ')}.`;

/**
 * The commands in a manual page; `bold` and `paragraph` say how names and texts are written there.
 * @param nameOf an option's long name, unless that goes without saying
 */
export const commandBlock = (
  commands: readonly CommandDefinition[],
  nameOf: (key: string) => string | undefined,
  bold: (text: string) => string,
  paragraph: (text: string) => string,
): string =>
  commands
    .map((command) => {
      const names = (command.options ?? [])
        .flatMap((key) => nameOf(key) ?? [])
        .map((name) => bold(`--${name}`));
      const own = names.length === 0 ? '' : `\nOptions of its own: ${names.join(', ')}.`;
      return `.TP\n${bold(usageOf(command))}\n${paragraph(manualOf(command))}${own}`;
    })
    .join('\n');
