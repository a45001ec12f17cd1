/** One run of a program: an input of a seed, spoiled or not, and a command line drawn for it. */
import type { ProgramName } from '../../src/suite/programs.ts';
import type { MadeCluster } from '../generate/made-cluster.ts';
import { Random } from '../generate/random.ts';
import { type InputKind, makeOdd, type SpoiledInput, spoil } from './damage/mutate.ts';
import { SPOILED_FILE, startingCluster, TARGETS } from './targets.ts';
import { ledgerCase } from './words/ledger-words.ts';
import { optionList } from './words/option-lists.ts';
import { podCase } from './words/pod-words.ts';

export interface ProgramCase {
  readonly seed: number;
  readonly program: ProgramName;
  readonly words: readonly string[];
  readonly cluster: MadeCluster;
  /** What stands in the file SPOILED_FILE. */
  readonly bytes: Buffer;
  /**
   * What the program reads the cluster itself from; undefined: another file, which is not spoiled, or the
   * words.
   */
  readonly source: 'text' | 'message' | undefined;
  readonly how: readonly string[];
}

/** How often each reader's files are tried: what is about clusters matters most. */
const WEIGHTS: Readonly<Record<string, number>> = {
  snapshot: 8,
  message: 6,
  load: 1,
  monitoring: 1,
  simulation: 1,
  ledger: 2,
  pods: 2,
};
const SPOILED_SHARE = 0.3;
const ODD_SHARE = 0.5;
/** Options that the launches of the targets bring along and that are drawn here. */
const isDrawn = (word: string, before: string | undefined): boolean =>
  ['-l', '-v'].includes(word) || before === '-l';

function inputOf(valid: string, kind: InputKind, random: Random): SpoiledInput {
  const share = random.fraction();
  if (share < SPOILED_SHARE) return spoil(valid, kind, random);
  if (share < SPOILED_SHARE + ODD_SHARE) return makeOdd(valid, kind, random);
  return { bytes: Buffer.from(valid), how: ['as it is'] };
}

export function programCase(seed: number): ProgramCase {
  const random = new Random(seed, 'program');
  const name = random.weighted(WEIGHTS);
  if (name === 'ledger') {
    const cluster = startingCluster(random);
    const { words, input, kind } = ledgerCase(cluster, random, SPOILED_FILE);
    const { bytes, how } = inputOf(input, kind, random);
    return { seed, program: 'hclaim', words, cluster, bytes, source: undefined, how };
  }
  if (name === 'pods') {
    const cluster = startingCluster(random);
    const { words, input, kind } = podCase(cluster, random, SPOILED_FILE);
    const { bytes, how } = inputOf(input, kind, random);
    return { seed, program: 'hbind', words, cluster, bytes, source: undefined, how };
  }
  const target = TARGETS.find((one) => one.name === name)!;
  const cluster = startingCluster(random);
  const valid = target.valid(cluster, random);
  const { bytes, how } = inputOf(valid, target.kind, random);
  if (name === 'simulation') {
    const program = random.pick(['hspace'] as const);
    const spec = bytes.toString('utf8').replaceAll('\0', '');
    const words = [`--simulate=${spec}`, ...optionList(program, cluster, random)];
    return { seed, program, words, cluster, bytes, source: undefined, how };
  }
  const { program, args } = random.pick(target.launches);
  const base = args.filter((word, at) => !isDrawn(word, args[at - 1]));
  const words = [...base, ...optionList(program, cluster, random)];
  const source = name === 'snapshot' ? 'text' : name === 'message' ? 'message' : undefined;
  return { seed, program, words, cluster, bytes, source, how };
}

/** The case as a command line, for a report. */
export const commandLine = ({ program, words }: ProgramCase): string =>
  `${program} ${words.map((word) => JSON.stringify(word)).join(' ')}`;

export { SPOILED_FILE };
