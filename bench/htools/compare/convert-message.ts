/**
 * A fair measure for `-I`: the stock programs enter each instance of a message twice
 * (docs/reference/differences.md), so they are given the same cluster as a text file, which our hbal writes.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../run-program.ts';
import type { ComparisonCase } from './case.ts';
import { REQUEST_FILE } from './sources.ts';

const CONVERTED_FILE = 'converted.data';
const PREFIX = 'message';

/** Stock refuses a message that asks about an unknown instance even where it only reads the cluster. */
const ASKS_NOTHING = { type: 'multi-allocate', instances: [] };

/** Options that change what is loaded from a message and mean nothing for a text file. */
const LOADING_OPTION = '--static-kvm-node-memory';

const isLoadingOption = (word: string): boolean => word.startsWith(`${LOADING_OPTION}=`);

/**
 * The text file for the message of a case; undefined when there are no instances, which hbal saves nothing
 * of.
 */
async function convert(
  trial: ComparisonCase,
  hbalPath: string,
  timeoutSeconds: number,
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-convert-'));
  try {
    writeFileSync(join(folder, REQUEST_FILE), trial.files.get(REQUEST_FILE)!);
    const args = ['-I', REQUEST_FILE, '-S', PREFIX, '-l', '0', ...trial.args.filter(isLoadingOption)];
    await runProgram({ path: hbalPath, args, folder, timeoutSeconds });
    return readFileSync(join(folder, `${PREFIX}.original`), 'utf8');
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The case for stock: the same one, but with the message as a text file where ours reads it with `-I`. */
export async function stockCase(
  trial: ComparisonCase,
  hbalPath: string,
  timeoutSeconds: number,
): Promise<ComparisonCase> {
  const at = trial.args.indexOf('-I');
  if (at < 0) return trial;
  const text = await convert(trial, hbalPath, timeoutSeconds);
  if (text === undefined) {
    const message = { ...JSON.parse(trial.files.get(REQUEST_FILE)!), request: ASKS_NOTHING };
    return { ...trial, files: new Map([...trial.files, [REQUEST_FILE, JSON.stringify(message)]]) };
  }
  return {
    ...trial,
    args: trial.args.toSpliced(at, 2, '-t', CONVERTED_FILE),
    files: new Map([...trial.files, [CONVERTED_FILE, text]]),
  };
}
