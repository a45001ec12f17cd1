/** Runs both programs on one case, each in its own folder with the same files. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../run-program.ts';
import { type ComparisonCase, REQUEST_FILE } from './case.ts';
import { type Classification, classify, type Outcome } from './classify.ts';
import { stockCase } from './convert-message.ts';
import { asksUnreachable } from './reach.ts';
import { withoutFurtherMembers } from './strip-members.ts';

/** Exit status of our hbal when `-E` leaves instances on nodes to be emptied (docs/differences.md). */
const EXIT_LEFT_BEHIND = 3;

export interface ComparedCase extends Classification {
  readonly stockSeconds: number;
  readonly ourSeconds: number;
  /** Whether stock was given the cluster of a message as a text file: see convert-message.ts. */
  readonly isConverted: boolean;
}

export interface ComparisonSetup {
  readonly stockPath: string;
  readonly ourPath: string;
  /** Our hbal, which turns messages into text files for stock. */
  readonly ourHbalPath: string;
  /** Further arguments for ours only: what it takes to get stock's behaviour back. */
  readonly ourExtraArgs: readonly string[];
  readonly timeoutSeconds: number;
  /** Where the files of a case are left for a reader; undefined = they are removed. */
  readonly keepFolder: string | undefined;
}

async function runIn(
  folder: string,
  path: string,
  args: readonly string[],
  trial: ComparisonCase,
  timeoutSeconds: number,
): Promise<Outcome> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of trial.files) writeFileSync(join(folder, name), text);
  const result = await runProgram({ path, args, folder, stdin: trial.stdin, timeoutSeconds });
  const written = trial.outputs.filter((name) => existsSync(join(folder, name)));
  return {
    ...result,
    files: new Map(written.map((name) => [name, readFileSync(join(folder, name), 'latin1')])),
  };
}

/** Compares stock and ours on one case. */
export async function runCase(trial: ComparisonCase, setup: ComparisonSetup): Promise<ComparedCase> {
  const folder = setup.keepFolder
    ? join(setup.keepFolder, `${trial.program}-${trial.seed}`)
    : mkdtempSync(join(tmpdir(), 'evenkeel-compare-'));
  try {
    const { timeoutSeconds } = setup;
    const forStock = await stockCase(trial, setup.ourHbalPath, timeoutSeconds);
    const stock = runIn(join(folder, 'stock'), setup.stockPath, forStock.args, forStock, timeoutSeconds);
    const ourArgs = [...trial.args, ...setup.ourExtraArgs];
    const ours = runIn(join(folder, 'ours'), setup.ourPath, ourArgs, trial, timeoutSeconds);
    const [stockOutcome, wholeOutcome] = await Promise.all([stock, ours]);
    const isAnswer = trial.program === 'hail';
    const ourOutcome = isAnswer
      ? { ...wholeOutcome, stdout: withoutFurtherMembers(wholeOutcome.stdout) }
      : trial.program === 'hbal' && wholeOutcome.exitCode === EXIT_LEFT_BEHIND
        ? // Stock says nothing of what `-E` leaves behind.
          { ...wholeOutcome, exitCode: 0 }
        : wholeOutcome;
    if (setup.keepFolder) {
      for (const [name, outcome] of [
        ['stock', stockOutcome],
        ['ours', ourOutcome],
      ] as const) {
        writeFileSync(join(folder, name, 'stdout'), outcome.stdout, 'latin1');
        writeFileSync(join(folder, name, 'stderr'), outcome.stderr, 'latin1');
      }
    }
    const found = classify(trial.program, stockOutcome, ourOutcome);
    const message = trial.stdin ?? trial.files.get(REQUEST_FILE) ?? '';
    const isFeasible =
      isAnswer &&
      asksUnreachable(message, stockOutcome.stdout) &&
      !asksUnreachable(message, ourOutcome.stdout);
    return {
      ...found,
      verdict: found.verdict === 'different' && isFeasible ? 'better' : found.verdict,
      stockSeconds: stockOutcome.seconds,
      ourSeconds: ourOutcome.seconds,
      isConverted: forStock !== trial,
    };
  } finally {
    if (!setup.keepFolder) rmSync(folder, { recursive: true, force: true });
  }
}
