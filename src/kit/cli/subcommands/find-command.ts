/** Which command of a program is meant, and whether it may be called so. */
import { EXIT } from '../../exit-status.ts';
import { type UnknownWord, UsageError } from '../../faults.ts';
import { type CommandDefinition, usageOf } from './command.ts';

interface FoundCommand {
  readonly command: CommandDefinition;
  /** What follows its words. */
  readonly words: readonly string[];
}

/** The command that the positional words begin with, or undefined. A longer name wins over a shorter. */
export function findCommand(
  commands: readonly CommandDefinition[],
  positionals: readonly string[],
): FoundCommand | undefined {
  for (const length of [2, 1]) {
    const words = positionals.slice(0, length).join(' ');
    const command = commands.find((one) => one.words === words);
    if (command !== undefined && positionals.length >= length)
      return { command, words: positionals.slice(length) };
  }
  return undefined;
}

/** An option that was used. */
interface UsedOption {
  readonly key: string;
  readonly name: string;
}

/**
 * What is wrong with a command line; undefined when the command may run.
 * @param given the options that were used.
 */
export function commandFault(
  program: string,
  commands: readonly CommandDefinition[],
  positionals: readonly string[],
  given: readonly UsedOption[],
): UsageError | undefined {
  const found = findCommand(commands, positionals);
  if (found === undefined) return unknownCommand(program, commands, positionals);
  const { command, words } = found;
  const remedy = `see: ${program} ${command.words} --help`;
  const least = command.arguments.filter(({ isOptional }) => !isOptional).length;
  const most = command.arguments.some(({ isRepeated }) => isRepeated) ? Infinity : command.arguments.length;
  if (words.length < least) {
    const missing = command.arguments[words.length]!.metavar;
    return fault(`${program} ${command.words}: ${missing} is missing`, remedy);
  }
  if (words.length > most)
    return fault(`${program} ${command.words}: '${words[most]}' is one argument too many`, remedy);
  const strange = given.find(({ key }) => isOwned(commands, key) && !command.options.includes(key));
  if (strange !== undefined)
    return fault(`${program} ${command.words} has no option --${strange.name}`, remedy);
  return undefined;
}

/** Whether an option is for some of the commands only. */
export const isOwned = (commands: readonly CommandDefinition[], key: string): boolean =>
  commands.some(({ options }) => options.includes(key));

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
