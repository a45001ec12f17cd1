/** Runs both programs on one case, each in its own folder with the same files. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunResult, runProgram } from '../../run-program.ts';
import type { ComparisonCase } from './case.ts';
import { type Classification, classify, type Outcome, type Verdict } from './classify.ts';
import { stockCase } from './convert-message.ts';
import { withMaster } from './master.ts';
import { plainRepairs } from './plain-repairs.ts';
import {
  asksUnreachable,
  copiesFromDrained,
  explainsUnreachable,
  messageAsked,
  refusesUnreachable,
} from './reach.ts';
import { whereRulesAgree } from './rules-of-3-0.ts';
import { MASTER_FILE } from './sources.ts';
import { withoutFurtherMembers } from './strip-members.ts';
import { writeFiles } from './write-files.ts';

/** Verdicts that no rule can be the cause of. */
const NOT_OF_RULES: ReadonlySet<Verdict> = new Set(['same', 'better', 'slow', 'crash']);
const NO_FAULT: ReadonlySet<Verdict> = new Set(['same', 'tied', 'better']);

/**
 * Exit status of our hbal when `-E` leaves instances on nodes to be emptied (docs/reference/differences.md).
 */
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
  /** Whether the stock program is of a series whose rules 3.1 has changed. */
  readonly isStock30: boolean;
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
  writeFiles(folder, trial.files);
  const run = (): Promise<RunResult> =>
    runProgram({ path, args, folder, stdin: trial.stdin, timeoutSeconds });
  const { result, jobs } = trial.files.has(MASTER_FILE)
    ? await withMaster(folder, run)
    : { result: await run(), jobs: '' };
  const plain = trial.program === 'harep' ? plainRepairs : (text: string): string => text;
  const written = trial.outputs.filter((name) => existsSync(join(folder, name)));
  return {
    ...result,
    stdout: plain(result.stdout),
    files: new Map([
      ...written.map((name): [string, string] => [name, readFileSync(join(folder, name), 'latin1')]),
      ['submitted jobs', plain(jobs)],
    ]),
  };
}

/**
 * Compares stock and ours on one case. A difference to stock 3.0 is put down to its rules only if it goes
 * away where they agree with ours.
 */
export async function runCase(trial: ComparisonCase, setup: ComparisonSetup): Promise<ComparedCase> {
  const result = await compareOnce(trial, setup);
  if (!setup.isStock30 || NOT_OF_RULES.has(result.verdict)) return result;
  const agreed = await whereRulesAgree(trial);
  if (agreed === undefined) return result;
  const { verdict } = await compareOnce(agreed, { ...setup, keepFolder: undefined });
  return NO_FAULT.has(verdict) ? { ...result, verdict: '3.0' } : result;
}

async function compareOnce(trial: ComparisonCase, setup: ComparisonSetup): Promise<ComparedCase> {
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
    const message = isAnswer ? messageAsked(trial) : '';
    const answers = [stockOutcome.stdout, ourOutcome.stdout] as const;
    const isFeasible =
      isAnswer &&
      (explainsUnreachable(message, ...answers) ||
        refusesUnreachable(message, answers[1]) ||
        copiesFromDrained(message, answers[1]) ||
        (asksUnreachable(message, answers[0]) && !asksUnreachable(message, answers[1])));
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
