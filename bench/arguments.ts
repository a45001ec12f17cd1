/**
 * The command line of the commands in this folder: `--help` prints the usage, and what the usage does not
 * have is refused in one sentence with exit status 2, before anything starts.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Config<O extends Options> = { args: string[]; options: O; allowPositionals: true };

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

/** The words were not understood: what is wrong with them, for people. */
export class ArgumentError extends Error {}

/** What `parseArgs` says, without its advice on words that begin with a dash. */
const firstSentence = (message: string): string => message.split('. ')[0]!;

function readOptions<const O extends Options>(words: readonly string[], options: O) {
  try {
    return parseArgs<Config<O & typeof HELP>>({
      args: [...words],
      options: { ...options, ...HELP },
      allowPositionals: true,
    });
  } catch (error) {
    throw new ArgumentError(firstSentence((error as Error).message));
  }
}

/**
 * The options and the other words of a command.
 * @param options as for `parseArgs`; those whose default is a number take numbers
 * @param most other words than options that the command takes
 * @throws ArgumentError
 */
export function parseWords<const O extends Options>(words: readonly string[], options: O, most = 0) {
  const { values, positionals } = readOptions(words, options);
  for (const [name, { default: usual }] of Object.entries(options)) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    const isNumber = typeof usual === 'string' && usual !== '' && !Number.isNaN(Number(usual));
    if (isNumber && (value === '' || Number.isNaN(Number(value))))
      throw new ArgumentError(`--${name} takes a number, not '${value}'`);
  }
  if (positionals.length > most) throw new ArgumentError(`Unexpected argument '${positionals[most]}'`);
  return { values, positionals };
}

/**
 * The same of this process, which ends here when it is asked for help, or asked what it does not understand.
 */
export function readArguments<const O extends Options>(usage: string, options: O, most = 0) {
  try {
    const read = parseWords(process.argv.slice(2), options, most);
    if (!(read.values as { readonly help?: boolean }).help) return read;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    if (error instanceof ArgumentError) refuse(usage, error.message);
    throw error;
  }
}

/** Ends the process: the words do not make sense. */
export function refuse(usage: string, message: string): never {
  console.error(`Error: ${message}\n${usage}`);
  process.exit(2);
}

/** Numbers of nodes, the only words of some commands. @param command as it is started */
export function readSizes(command: string, usual: readonly number[]): readonly number[] {
  const usage = `usage: ${command} [NODES...]`;
  const sizes = readArguments(usage, {}, Number.POSITIVE_INFINITY).positionals.map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 2))
    refuse(usage, 'A size is a number of nodes, at least 2');
  return sizes.length > 0 ? sizes : usual;
}
