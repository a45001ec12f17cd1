/**
 * Draws options of a program at random, many of them with values that somebody might try in order to do harm.
 */
import type { OptionDefinition } from '../../../src/kit/cli/options/option.ts';
import { PROGRAMS, type ProgramName } from '../../../src/suite/programs.ts';
import type { MadeCluster } from '../../generate/made-cluster.ts';
import type { Random } from '../../generate/random.ts';
import { HOSTILE_ARGUMENTS, HOSTILE_NAMES } from '../damage/hostile.ts';

/** Name that `-S` saves under, and files that programs write. */
export const SAVE_PREFIX = 'saved';
export const SCRIPT_FILE = 'commands.sh';
const EXPLAIN_FILE = 'explain.json';

/**
 * Where the cluster comes from is chosen elsewhere; threads are not started in the fuzzer's process, and its
 * colours are its own.
 */
const LEFT_OUT: readonly string[] = [
  ...['textFile', 'iallocatorFile', 'simulate', 'dynuFile', 'mond', 'mondData', 'jobs', 'search', 'color'],
  ...['completion', 'version', 'help', 'helpCompletion'],
];
/** Whose texts are not read as numbers, names or fields. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  save: [SAVE_PREFIX],
  printCommands: [SCRIPT_FILE],
  explainFile: [EXPLAIN_FILE],
};
/** Options that make a program do the work that is to be looked at. */
const LIKELY: Readonly<Record<string, number>> = {
  save: 0.4,
  printCommands: 0.6,
  evacuate: 0.5,
  maxLength: 0.7,
};
const USUAL_CHANCE = 0.08;
const HOSTILE_SHARE = 0.3;
const SIZES = ['1g,1g,1', '10g,512m,2', '1t,64g,16', '20g,2g,1,2'];
const RATIOS = ['0', '0.1', '1', '4', '1e-9', '100'];
const COUNTS = ['0', '1', '2', '4', '4096'];
const SHORT_LENGTHS = ['0', '1', '2', '5', '-1'];
const FIELDS = ['name', 'fmem', 'ptags', 'peermap', 'nosuch', '+name', '+', '\u001b[1m', 'name,,fmem'];

/** A name of the cluster, a short form of one, or one that is none. */
function someName(cluster: MadeCluster, random: Random): string {
  if (random.chance(HOSTILE_SHARE)) return random.pick(HOSTILE_NAMES);
  const all = [...cluster.nodes, ...cluster.instances, ...cluster.groups].map(({ name }) => name);
  const name = all.length > 0 ? random.pick(all) : 'nobody';
  return random.chance(0.3) ? name.split('.')[0]! : name;
}

/** A value for an option that takes one. */
export function argumentOf(
  key: string,
  { kind, choices }: OptionDefinition,
  cluster: MadeCluster,
  random: Random,
): string {
  const files = FILES[key];
  if (files) return random.pick(files);
  if (key === 'maxLength' && random.chance(0.8)) return random.pick(SHORT_LENGTHS);
  if (choices && random.chance(0.8)) return random.pick(choices);
  switch (kind) {
    case 'fields':
      return random.pick(FIELDS);
    case 'text':
    case 'repeated':
      return someName(cluster, random);
    case 'names':
      return Array.from({ length: random.between(1, 4) }, () => someName(cluster, random)).join(',');
    default:
      return random.chance(HOSTILE_SHARE)
        ? random.pick(HOSTILE_ARGUMENTS)
        : random.pick(kind === 'size' ? SIZES : kind === 'float' ? RATIOS : COUNTS);
  }
}

/** Options of `program` that go along with any source. A command line holds no NUL. */
export function optionList(program: ProgramName, cluster: MadeCluster, random: Random): string[] {
  const words: string[] = [];
  for (const [key, definition] of Object.entries(PROGRAMS[program].options)) {
    if (LEFT_OUT.includes(key) || definition.group === 'general') continue;
    if (!random.chance(LIKELY[key] ?? USUAL_CHANCE)) continue;
    const takesArgument =
      definition.argument === 'required' || (definition.argument === 'glued' && random.chance(0.7));
    const argument = takesArgument ? `=${argumentOf(key, definition, cluster, random)}` : '';
    words.push(`--${definition.name}${argument}`.replaceAll('\0', ''));
  }
  return words;
}
