/**
 * From the words of a command line to what a program is to do. Not with yargs, which reads optional
 * arguments, abbreviations and names that start with `no-` by other rules than scripts rely on, and takes as
 * long to load as a small request to hail. It lays out the help text (help.ts).
 */
import { resolve } from 'node:path';
import { EXIT } from '../../exit-status.ts';
import { ExecutionError, type Fault, UsageError } from '../../faults.ts';
import type { Shell } from '../options/general-options.ts';
import type { OptionDefinition } from '../options/option.ts';
import type { Program } from '../options/program.ts';
import { defaultValues } from '../options/values.ts';
import { commandFault } from '../subcommands/command.ts';
import { normalise } from './normalise.ts';
import { type RefusedValue, readValue } from './read-value.ts';

/** Something to print in place of running. */
export type PrintRequest =
  /** `words`: the command whose help is asked for, if any. */
  | { readonly what: 'help'; readonly topic: string; readonly words?: readonly string[] }
  | { readonly what: 'version' | 'helpCompletion' }
  | { readonly what: 'completion'; readonly shell: Shell };

export type ParsedCommandLine<Options> =
  | {
      readonly kind: 'run';
      readonly options: Options;
      readonly positionals: readonly string[];
      /** What has no effect though it was surely meant to, in sentences. */
      readonly notes: readonly string[];
      /** Files without which the result is not whole. */
      readonly written: readonly string[];
    }
  | { readonly kind: 'print'; readonly request: PrintRequest }
  /** `options`: those that could be read. */
  | { readonly kind: 'fault'; readonly fault: Fault; readonly options: Options };

const START_VERBOSITY = 1;

/** How often a counted option was given; never, where the program does not take it. */
const timesGiven = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** What the general options ask for; help goes before version, and so on. */
function printRequest(
  values: Record<string, unknown>,
  words: readonly string[] | undefined,
): PrintRequest | undefined {
  if (values.help) return { what: 'help', topic: values.help as string, ...(words && { words }) };
  for (const what of ['version', 'helpCompletion'] as const) if (values[what]) return { what };
  return values.completion ? { what: 'completion', shell: values.completion as Shell } : undefined;
}

/** All arguments that no option takes, each with its remedy below it; that of the last is the fault's own. */
function valueFault(refusals: readonly RefusedValue[]): UsageError {
  const { fault, remedy } = refusals.at(-1)!;
  const before = refusals
    .slice(0, -1)
    .flatMap((one) => (one.remedy === undefined ? [one.fault] : [one.fault, `Maybe ${one.remedy}`]));
  return new UsageError([...before, fault].join('\n'), remedy);
}

function positionalFault(
  program: Program,
  positionals: readonly string[],
  words: readonly string[],
): Fault | undefined {
  const { min, max, tooFew, tooMany } = program.positionals;
  if (positionals.length < min) return new ExecutionError(tooFew, 'name it, or - for standard input');
  if (positionals.length <= max) return undefined;
  const stray = positionals[max]!;
  const remedy = DASHES.test(stray)
    ? `write hyphens, and no longer dashes, in front of '${stray}'`
    : attachRemedy(program, positionals, words);
  return new ExecutionError(
    tooMany,
    remedy ?? `leave out '${stray}', or give it with an option (${program.name} --help)`,
  );
}

/** What editors and web pages make of hyphens. */
const DASHES = /^[\u2010-\u2015\u2212]/;

/** The remedy for an argument meant for the option in front of it, which takes it only attached. */
function attachRemedy(
  { options }: Program,
  positionals: readonly string[],
  words: readonly string[],
): string | undefined {
  const glued = Object.values(options).filter(({ argument }) => argument === 'glued');
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (next === undefined || !positionals.includes(next)) continue;
    if (glued.some(({ short }) => word === `-${short}`)) return `attach it: ${word}${next}`;
    if (glued.some(({ name }) => word === `--${name}`)) return `attach it: ${word}=${next}`;
  }
  return undefined;
}

/**
 * One form of the result, whichever options ask for it: `--format` says which, `json` that a document is
 * wanted in place of the text, and `machineReadable` that a program's own keys are.
 */
function settleForm(
  { options }: Program,
  values: Record<string, unknown>,
  given: ReadonlySet<string>,
): Fault | undefined {
  const key = Object.keys(options).find((one) => options[one]!.name === 'format');
  if (key === undefined) return undefined;
  const asked = new Map<unknown, string>();
  if (values.json) asked.set('json', '--json');
  if (values.machineReadable) asked.set('keyvalue', '--machine-readable');
  if (given.has(key)) asked.set(values[key], `--format=${values[key]}`);
  const [form = 'text', ...others] = asked.keys();
  if (others.length > 0)
    return new UsageError(`${[...asked.values()].join(' and ')} ask for two forms`, 'give one');
  const hasOwnKeys = 'machineReadable' in values;
  values[key] = form;
  values.machineReadable = hasOwnKeys && form === 'keyvalue';
  values.json = form === 'json' || form === 'prometheus' || (form === 'keyvalue' && !hasOwnKeys);
  return undefined;
}

/** Several may write there. */
const DEVICE = /^\/dev\/(?:null|stdout|stderr)$/;

/** The file that an option has written, or one of them; undefined where it has none. */
export function writtenFile({ isWritten, bare }: OptionDefinition, value: unknown): string | undefined {
  if (!isWritten || typeof value !== 'string' || value === bare || DEVICE.test(value)) return undefined;
  return isWritten === 'stem' ? `${value}.STAGE` : value;
}

/** What is to be written, each file with its option. */
const writtenFiles = ({ options }: Program, values: Record<string, unknown>) =>
  Object.entries(options).flatMap(([key, option]) => {
    const file = writtenFile(option, values[key]);
    return file === undefined ? [] : [{ file, name: option.name, isWritten: option.isWritten }];
  });

type WrittenFile = ReturnType<typeof writtenFiles>[number];

/** Of two that write to one file only what the later one writes would be left. */
function writtenFault(written: readonly WrittenFile[]): Fault | undefined {
  const names = new Map<string, string>();
  for (const { file, name } of written) {
    const other = names.get(resolve(file));
    if (other !== undefined)
      return new UsageError(`--${other} and --${name} write to the same file: ${file}`, 'name two');
    names.set(resolve(file), name);
  }
  return undefined;
}

/**
 * Reads the words that follow the program's name. Never throws: a command line that cannot be understood
 * gives a UsageError (exit status 2; 1 for a bad value), a wrong number of arguments an ExecutionError.
 */
export function parseCommandLine<Options extends object>(
  program: Program,
  words: readonly string[],
): ParsedCommandLine<Options> {
  const keyOf = new Map<OptionDefinition, string>(
    Object.entries(program.options).map(([key, definition]) => [definition, key]),
  );
  const { uses, positionals, faults, unknown } = normalise([...keyOf.keys()], words);
  const values = defaultValues(program.options);
  const failed = (fault: Fault) => ({ kind: 'fault', fault, options: values as Options }) as const;
  if (faults.length > 0)
    return failed(new UsageError(faults.join('\n'), `see: ${program.name} --help`, EXIT.bad, unknown));
  const notes: string[] = [];
  const refusals: RefusedValue[] = [];
  for (const { definition, argument } of uses) {
    const key = keyOf.get(definition)!;
    const reading = readValue(definition, argument, values[key]);
    if ('fault' in reading) {
      refusals.push(reading);
      continue;
    }
    values[key] = reading.value;
    if (reading.note !== undefined) notes.push(reading.note);
  }
  if (refusals.length > 0) return failed(valueFault(refusals));

  const given = uses.map(({ definition }) => ({ key: keyOf.get(definition)!, name: definition.name }));
  const written = writtenFiles(program, values);
  const together = settleForm(program, values, new Set(given.map(({ key }) => key))) ?? writtenFault(written);
  if (together) return failed(together);
  const { commands } = program;
  const request = printRequest(values, commands && positionals);
  if (request) return { kind: 'print', request };
  const fault =
    (commands && commandFault(program.name, commands, positionals, given)) ??
    positionalFault(program, positionals, words);
  if (fault) return failed(fault);
  values.verbosity = START_VERBOSITY + timesGiven(values.verbose) - timesGiven(values.quiet);
  const needed = written.filter(({ isWritten }) => isWritten !== 'if-possible').map(({ file }) => file);
  return { kind: 'run', options: values as Options, positionals, notes, written: needed };
}
