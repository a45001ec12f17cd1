/**
 * First half of parsing: from words to options with their arguments, whose sense read-value.ts settles.
 * Source: getopt as the stock programs use it. Unique prefixes of long names; short options in clusters;
 * arguments attached or next; optional ones only attached; `--` ends the options.
 */
import type { UnknownWord } from '../../faults.ts';
import type { OptionDefinition } from '../options/option.ts';

/** One use of an option. `argument` is undefined when there was none. */
interface OptionUse {
  readonly definition: OptionDefinition;
  readonly argument: string | undefined;
}

interface NormalisedWords {
  readonly uses: readonly OptionUse[];
  readonly positionals: readonly string[];
  /** What cannot be understood, in the order in which it is to be said. */
  readonly faults: readonly string[];
  /** Options that there are not, with those that there are. */
  readonly unknown: readonly UnknownWord[];
}

export const namesOf = ({ name, aliases = [] }: OptionDefinition): readonly string[] => [name, ...aliases];

/**
 * The options that a long name may mean: an exact match, else all that it abbreviates, or of these the only
 * one of the stock programs, however many additions fit: scripts must go on working.
 */
function candidates(definitions: readonly OptionDefinition[], name: string): readonly OptionDefinition[] {
  const exact = definitions.filter((definition) => namesOf(definition).includes(name));
  if (exact.length > 0) return exact;
  const fitting = definitions.filter((definition) =>
    namesOf(definition).some((candidate) => candidate.startsWith(name)),
  );
  const stock = fitting.filter((definition) => !definition.isAddition);
  return stock.length === 1 ? stock : fitting;
}

/** The argument as usage shows it behind a long name: `=FILE`, `[=FILE]` or nothing. */
export function argumentSuffix({ argument, metavar }: OptionDefinition): string {
  if (argument === 'none') return '';
  return argument === 'glued' ? `[=${metavar}]` : `=${metavar}`;
}

/** An option as usage shows it: `-t, --text-data=FILE`. */
const spelling = (definition: OptionDefinition): string =>
  `${definition.short ? `-${definition.short}, ` : '    '}--${definition.name}${argumentSuffix(definition)}`;

const ambiguous = (spelled: string, matches: readonly OptionDefinition[]): string =>
  [
    `option \`${spelled}' is ambiguous; could be one of:`,
    ...matches.map((match) => `  ${spelling(match)}`),
  ].join('\n');

/** Sorts the words of a command line (without the program's name) into options and positionals. */
export function normalise(
  definitions: readonly OptionDefinition[],
  words: readonly string[],
): NormalisedWords {
  const uses: OptionUse[] = [];
  const positionals: string[] = [];
  const misused: string[] = [];
  const unknown: string[] = [];
  const rest = [...words];

  const use = (definition: OptionDefinition, spelled: string, attached: string | undefined): void => {
    if (definition.argument !== 'required' || attached !== undefined)
      uses.push({ definition, argument: attached });
    else if (rest.length > 0) uses.push({ definition, argument: rest.shift() });
    else misused.push(`option \`${spelled}' requires an argument ${definition.metavar}`);
  };

  const takeLong = (text: string): void => {
    const equals = text.indexOf('=');
    const name = equals < 0 ? text : text.slice(0, equals);
    const attached = equals < 0 ? undefined : text.slice(equals + 1);
    const matches = candidates(definitions, name);
    const [definition] = matches;
    if (!definition) unknown.push(`--${text}`);
    else if (matches.length > 1) misused.push(ambiguous(`--${name}`, matches));
    else if (definition.argument === 'none' && attached !== undefined)
      misused.push(`option \`--${name}' doesn't allow an argument`);
    else use(definition, `--${name}`, attached);
  };

  const takeShort = (letter: string, attached: string): void => {
    const definition = definitions.find((candidate) => candidate.short === letter);
    // The other letters of a cluster become a word of their own, as getopt has it: `-v-` ends the options.
    const isAlone = attached === '' || !definition || definition.argument === 'none';
    if (isAlone && attached !== '') rest.unshift(`-${attached}`);
    if (definition) use(definition, `-${letter}`, isAlone ? undefined : attached);
    else unknown.push(`-${letter}`);
  };

  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') positionals.push(...rest.splice(0));
    else if (word.startsWith('--')) takeLong(word.slice(2));
    else if (word.startsWith('-') && word !== '-') {
      const letter = String.fromCodePoint(word.codePointAt(1)!);
      takeShort(letter, word.slice(1 + letter.length));
    } else positionals.push(word);
  }
  const known = definitions.flatMap(namesOf).map((name) => `--${name}`);
  return {
    uses,
    positionals,
    faults: [...misused, ...unknown.map((name) => `unrecognized option \`${name}'`)],
    unknown: unknown
      .filter((name) => name.startsWith('--'))
      .map((name) => ({ word: name.split('=', 1)[0]!, known })),
  };
}
