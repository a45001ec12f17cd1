/** One fuzz case: the input of a seed, and what the reader makes of it. */
import { faultText } from '../../src/kit/cli/fault-text.ts';
import { Fault, InternalError } from '../../src/kit/faults.ts';
import type { MadeCluster } from '../generate/made-cluster.ts';
import { Random } from '../generate/random.ts';
import { type SpoiledInput, spoil } from './damage/mutate.ts';
import { type FuzzTarget, startingCluster, TARGETS } from './targets.ts';

export interface FuzzCase extends SpoiledInput {
  readonly seed: number;
  readonly target: FuzzTarget;
  readonly cluster: MadeCluster;
}

/** Something that must not happen, with all that it takes to see it again. */
export interface Finding {
  readonly seed: number;
  readonly target: string;
  readonly how: readonly string[];
  readonly what: string;
}

/** `accepted`: still a valid input; `refused`: a clean fault. */
export type FuzzOutcome = 'accepted' | 'refused' | Finding;

/** Longest message that a person can be asked to read. */
const LONGEST_MESSAGE = 20_000;
/** Traces of values that were never meant to be printed, and of stacks. */
const UNCLEAN =
  /\bundefined\b|\[object |^\s+at .+:\d+:\d+|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/m;

export function fuzzCase(seed: number): FuzzCase {
  const random = new Random(seed, 'fuzz');
  const target = TARGETS[seed % TARGETS.length]!;
  const cluster = startingCluster(random);
  return { seed, target, cluster, ...spoil(target.valid(cluster, random), target.kind, random) };
}

const describe = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error);

/** A message that a person can read; undefined when it is one, else what is wrong with it. */
export function messageTrouble(message: string): string | undefined {
  if (message.trim() === '') return 'an empty message';
  if (message.length > LONGEST_MESSAGE) return `a message of ${message.length} characters`;
  const trace = UNCLEAN.exec(message);
  return trace ? `a message with ${JSON.stringify(trace[0])}: ${message.slice(0, 300)}` : undefined;
}

/** Gives the input to its reader. Answers undefined for targets that have none. */
export function tryReader(trial: FuzzCase): FuzzOutcome | undefined {
  const { read } = trial.target;
  if (!read) return undefined;
  const finding = (what: string): Finding => ({
    seed: trial.seed,
    target: trial.target.name,
    how: trial.how,
    what,
  });
  try {
    read(trial.bytes);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof Fault) || error instanceof InternalError) return finding(describe(error));
    const trouble = messageTrouble(faultText(error));
    return trouble === undefined ? 'refused' : finding(trouble);
  }
}
