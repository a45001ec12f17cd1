/**
 * Child process of the fuzzer: gives one input after another to the readers, or to whole programs. The seed
 * at work is written to a file first, so that the parent sees where it hangs or dies.
 */
import { openSync, writeSync } from 'node:fs';
import { type Finding, fuzzCase, tryReader } from './trial.ts';

/**
 * What the process is started with, as JSON: seeds from `first` to `end - 1`, and the file for the seed at
 * work.
 */
export interface ReaderOrder {
  readonly first: number;
  readonly end: number;
  readonly progressFile: string;
  /** An empty folder for the files of programs; without it only the readers are tried. */
  readonly programFolder?: string | undefined;
}

/** What it says when it is through. */
export interface ReaderReport {
  readonly accepted: number;
  readonly refused: number;
  readonly findings: readonly Finding[];
}

/** Wide enough for any seed, so that a later number always covers an earlier one. */
const SEED_WIDTH = 16;

const { first, end, progressFile, programFolder } = JSON.parse(process.argv[2] ?? '{}') as ReaderOrder;
const progress = openSync(progressFile, 'w');
const findings: Finding[] = [];
let accepted = 0;
let refused = 0;
for (let seed = first; seed < end; seed++) {
  writeSync(progress, String(seed).padStart(SEED_WIDTH), 0);
  const outcome = programFolder === undefined ? tryReader(fuzzCase(seed)) : await tryOne(seed, programFolder);
  if (outcome === 'accepted') accepted++;
  else if (outcome === 'refused') refused++;
  else if (outcome) findings.push(outcome);
}

/** Programs are loaded only where they are tried. */
async function tryOne(seed: number, folder: string): Promise<Finding | 'accepted'> {
  const { tryProgram } = await import('./program-trial.ts');
  return (await tryProgram(seed, folder)) ?? 'accepted';
}

process.send?.({ accepted, refused, findings } satisfies ReaderReport);
