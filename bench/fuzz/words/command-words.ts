/** Commands of a program that has subcommands, drawn at random with words that somebody might try. */
import type { CommandDefinition } from '../../../src/kit/cli/subcommands/command.ts';
import { OPTIONS, type OptionKey } from '../../../src/suite/programs.ts';
import type { MadeCluster } from '../../generate/made-cluster.ts';
import type { Random } from '../../generate/random.ts';
import { HOSTILE_NAMES } from '../damage/hostile.ts';
import type { InputKind } from '../damage/mutate.ts';
import { argumentOf } from './option-lists.ts';

export const HOSTILE_SHARE = 0.1;
const OPTION_CHANCE = 0.25;
/** Options whose values are chosen by the command's file, or that look for servers. */
const LEFT_OUT: readonly OptionKey[] = [
  ...(['textFile', 'iallocatorFile', 'simulate', 'rapiAddress', 'luxiSocket'] as const),
  ...([
    'rapiCredentials',
    'rapiCa',
    'rapiFingerprint',
    'rapiInsecure',
    'connectTimeout',
    'answerTimeout',
  ] as const),
];

/** How a program's commands are drawn. */
export interface CommandHabits {
  readonly commands: readonly CommandDefinition[];
  /** The database, as `--db` takes it. */
  readonly database: string;
  /** A word for an argument, by what the manual calls it. */
  readonly wordFor: (metavar: string, cluster: MadeCluster, random: Random) => string;
  /** Options that every command has. */
  readonly everywhere: readonly OptionKey[];
  /** Options that name the command's file. */
  readonly leftOut: readonly OptionKey[];
  /** Whether the command is of no use without the option. */
  readonly isNeeded: (key: OptionKey, command: CommandDefinition) => boolean;
  /** What a user would write; other options have what the fuzzer draws for any program. */
  readonly usual: Partial<Record<OptionKey, readonly string[]>>;
}

/** A command line and what it reads. */
export interface CommandCase {
  readonly words: readonly string[];
  /** What the command reads, before it is spoiled. */
  readonly input: string;
  readonly kind: InputKind;
}

/** One of the names, or a hostile one. */
export const nameOf = (names: readonly string[], random: Random): string =>
  names.length === 0 || random.chance(HOSTILE_SHARE) ? random.pick(HOSTILE_NAMES) : random.pick(names);

/** The words of `command`, without the option that names its file. */
export function commandWords(
  command: CommandDefinition,
  habits: CommandHabits,
  cluster: MadeCluster,
  random: Random,
): string[] {
  const words: string[] = [`--db=${habits.database}`, ...command.words.split(' ')];
  for (const { metavar, isOptional = false, isRepeated = false } of command.arguments ?? []) {
    const least = isOptional ? 0 : 1;
    const count = isRepeated ? random.between(least, 3) : random.between(least, 1);
    for (let i = 0; i < count; i++) words.push(habits.wordFor(metavar, cluster, random));
  }
  for (const key of [...((command.options ?? []) as readonly OptionKey[]), ...habits.everywhere]) {
    if (LEFT_OUT.includes(key) || habits.leftOut.includes(key)) continue;
    if (!habits.isNeeded(key, command) && !random.chance(OPTION_CHANCE)) continue;
    const { name, argument } = OPTIONS[key];
    const usual = habits.usual[key];
    const value = (): string =>
      usual && !random.chance(HOSTILE_SHARE)
        ? random.pick(usual)
        : argumentOf(key, OPTIONS[key], cluster, random);
    words.push(argument === 'required' ? `--${name}=${value()}` : `--${name}`);
  }
  return words;
}

/** A command line holds no NUL. */
export const withoutNul = (words: readonly string[]): readonly string[] =>
  words.map((word) => word.replaceAll('\0', ''));
