/** Gives a spoiled input to the real programs and looks at what a user would see. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterText } from '../generate/text.ts';
import type { AnyProgramName } from '../launchers.ts';
import { type RunResult, runProgram } from '../run-program.ts';
import { SPOILED_FILE, VALID_SNAPSHOT } from './targets.ts';
import type { Finding, FuzzCase } from './trial.ts';

const STACK_TRACE = /^\s+at .+:\d+:\d+\)?$|node:internal|Node\.js v\d/m;
/** Nothing was tried, so nothing is shown. */
const NOT_BUILT = /this program is not built/;
/** One line of printable ASCII: Ganeti's client reads nothing else. */
const ONE_LINE = /^[ -~]+\n$/;
const REFUSED = 1;
/** Beyond it stand faults of our own (70) and signals (above 128). */
const LARGEST_STATUS = 9;

function isAnswer(stdout: string): boolean {
  if (!ONE_LINE.test(stdout)) return false;
  try {
    const answer: unknown = JSON.parse(stdout);
    return typeof answer === 'object' && answer !== null && 'success' in answer && 'result' in answer;
  } catch {
    return false;
  }
}

/** What is wrong with a run; undefined when nothing is. */
export function runTrouble(program: AnyProgramName, result: RunResult): string | undefined {
  if (result.isTimedOut) return 'it does not end';
  if (result.exitCode === undefined || result.exitCode > LARGEST_STATUS)
    return `exit status ${result.exitCode ?? 'of a signal'}`;
  if (STACK_TRACE.test(result.stderr) || STACK_TRACE.test(result.stdout)) return 'a stack trace';
  if (NOT_BUILT.test(result.stderr)) return 'it is not built';
  if (program !== 'hail') return undefined;
  if (result.exitCode >= REFUSED) {
    if (result.stdout !== '') return 'hail failed, and still wrote to stdout';
    return result.stderr === '' ? 'hail failed without a word' : undefined;
  }
  return isAnswer(result.stdout) ? undefined : 'what hail wrote is no answer of one line';
}

/** Runs every program that reads such a file. */
export async function tryPrograms(
  trial: FuzzCase,
  launcher: (program: AnyProgramName) => string | undefined,
  timeoutSeconds: number,
): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-fuzz-'));
  const findings: Finding[] = [];
  try {
    writeFileSync(join(folder, SPOILED_FILE), trial.bytes);
    writeFileSync(join(folder, VALID_SNAPSHOT), clusterText(trial.cluster));
    for (const { program, args } of trial.target.launches) {
      const path = launcher(program);
      if (path === undefined) continue;
      const result = await runProgram({ path, args, folder, timeoutSeconds });
      const trouble = runTrouble(program, result);
      if (trouble === undefined) continue;
      const what = `${program} ${args.join(' ')}: ${trouble}: ${(result.stderr || result.stdout).slice(0, 400)}`;
      findings.push({ seed: trial.seed, target: trial.target.name, how: trial.how, what });
    }
    return findings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
