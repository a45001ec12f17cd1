/** How two runs of one case compare: the same bytes, another path of equal worth, or a real difference. */
import type { ProgramName } from '../../launchers.ts';
import type { RunResult } from '../../run-program.ts';

/**
 * `tied`: other steps whose scores are equal to all printed digits; `better` and `worse`: another path that
 * ends at another score; `3.0`: stock is of that series, and only a rule that 3.1 has changed tells the two
 * apart (rules-of-3-0.ts); `slow`: stock did not finish in time; `crash`: stock broke down itself. Nothing
 * can be said of the last two.
 */
export const VERDICTS = ['same', 'tied', 'better', 'worse', 'different', '3.0', 'slow', 'crash'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A run with the files that it left behind, by name. */
export interface Outcome extends RunResult {
  readonly files: ReadonlyMap<string, string>;
}

/** The first place where the two differ: a stream or file, a 1-based line, and both lines. */
export interface FirstDifference {
  readonly where: string;
  readonly line: number;
  readonly stock: string;
  readonly ours: string;
}

export interface Classification {
  readonly verdict: Verdict;
  readonly isStderrSame: boolean;
  readonly difference?: FirstDifference | undefined;
}

const STEP = /^ *\d+\. (.*?) +(-?\d+\.\d{8}|NaN|-?Infinity) a=.*$/;
const HAIL_SCORE = /score: (\([^)]*\)|[-\d.]+)/g;
/** How the stock programs' runtime announces that it gave up: no behaviour that anyone relies on. */
const CRASH =
  /\bh[a-z]+: .*(CallStack|IntMap\.!|Prelude\.|Irrefutable pattern|Non-exhaustive|arithmetic overflow|divide by zero)/s;
/** Exit status of our programs for a fault of their own. */
const EXIT_FAULT = 70;
const END_OF_FILE = '<end>';

/** A group in a saved state, without networks: stock learns of none from a live cluster. */
const WITHOUT_NETWORKS = /^[^|]*\|[^|]*\|(preferred|last_resort|unallocable)\|[^|]*\|$/;

const isSameLine = (stock: string | undefined, ours: string | undefined): boolean =>
  stock === ours || (stock !== undefined && WITHOUT_NETWORKS.test(stock) && ours?.startsWith(stock) === true);

/** First differing line of two texts; undefined when they are equal, but for networks of groups. */
function firstDifference(where: string, stock: string, ours: string): FirstDifference | undefined {
  if (stock === ours) return undefined;
  const stockLines = stock.split('\n');
  const ourLines = ours.split('\n');
  let line = 0;
  while (line < stockLines.length && isSameLine(stockLines[line], ourLines[line])) line++;
  if (line === stockLines.length && line === ourLines.length) return undefined;
  return {
    where,
    line: line + 1,
    stock: stockLines[line] ?? END_OF_FILE,
    ours: ourLines[line] ?? END_OF_FILE,
  };
}

function anyDifference(stock: Outcome, ours: Outcome): FirstDifference | undefined {
  if (ours.isTimedOut)
    return { where: 'time', line: 0, stock: `${stock.seconds.toFixed(1)} s`, ours: 'timed out' };
  if (stock.exitCode !== ours.exitCode)
    return { where: 'exit code', line: 0, stock: String(stock.exitCode), ours: String(ours.exitCode) };
  const inOutput = firstDifference('stdout', stock.stdout, ours.stdout);
  if (inOutput) return inOutput;
  for (const name of new Set([...stock.files.keys(), ...ours.files.keys()])) {
    const inFile = firstDifference(
      name,
      stock.files.get(name) ?? '<no file>',
      ours.files.get(name) ?? '<no file>',
    );
    if (inFile) return inFile;
  }
  return undefined;
}

const stepScores = (stdout: string): string[] =>
  stdout.split('\n').flatMap((line) => {
    const step = STEP.exec(line);
    return step ? [step[2]!] : [];
  });

const beforeSteps = (stdout: string): string => {
  const lines = stdout.split('\n');
  const first = lines.findIndex((line) => STEP.test(line));
  return (first < 0 ? lines : lines.slice(0, first)).join('\n');
};

function byScore(stockScore: number, ourScore: number): Verdict {
  if (ourScore < stockScore) return 'better';
  return ourScore > stockScore ? 'worse' : 'different';
}

/**
 * hbal: everything ahead of the steps must be equal, and the steps must differ for a verdict other than
 * `different`.
 */
function compareSteps(stock: Outcome, ours: Outcome): Verdict {
  const stockScores = stepScores(stock.stdout);
  const ourScores = stepScores(ours.stdout);
  if (beforeSteps(stock.stdout) !== beforeSteps(ours.stdout)) return 'different';
  const steps = (stdout: string): string[] => stdout.split('\n').filter((line) => STEP.test(line));
  if (steps(stock.stdout).join('\n') === steps(ours.stdout).join('\n')) return 'different';
  if (stockScores.join() === ourScores.join()) return 'tied';
  const lastOf = (scores: readonly string[]): number => Number(scores.at(-1) ?? Number.POSITIVE_INFINITY);
  return byScore(lastOf(stockScores), lastOf(ourScores));
}

/** hcheck: only what the simulated balancing led to may differ, and the score says which is better. */
function compareFinals(stock: Outcome, ours: Outcome): Verdict {
  const key = /^HCHECK_FINAL_CLUSTER_SCORE=(.*)$/m;
  const initial = (text: string): string =>
    text
      .split('\n')
      .filter((line) => !line.startsWith('HCHECK_FINAL_'))
      .join('\n');
  const stockScore = key.exec(stock.stdout);
  const ourScore = key.exec(ours.stdout);
  if (!stockScore || !ourScore || initial(stock.stdout) !== initial(ours.stdout)) return 'different';
  return byScore(Number(stockScore[1]), Number(ourScore[1]));
}

/** hail: an answer that differs only in nodes is a tie when all its scores and counts are equal. */
function compareAnswers(stock: Outcome, ours: Outcome): Verdict {
  const outline = (text: string): string | undefined => {
    const scores = text.match(HAIL_SCORE);
    return scores ? [text.startsWith('{"success":true'), text.length, ...scores].join() : undefined;
  };
  const stockOutline = outline(stock.stdout);
  return stockOutline !== undefined && stockOutline === outline(ours.stdout) ? 'tied' : 'different';
}

const UNEQUAL: Readonly<Partial<Record<ProgramName, (stock: Outcome, ours: Outcome) => Verdict>>> = {
  hbal: compareSteps,
  hcheck: compareFinals,
  hail: compareAnswers,
};

/** Compares stdout, exit code and written files byte for byte; stderr is reported apart. */
export function classify(program: ProgramName, stock: Outcome, ours: Outcome): Classification {
  const isStderrSame = stock.stderr === ours.stderr;
  if (stock.isTimedOut) return { verdict: 'slow', isStderrSame: true };
  const difference = anyDifference(stock, ours);
  if (difference && stock.exitCode !== 0 && CRASH.test(stock.stderr))
    // Where stock crashes ours may answer or refuse, but not break down as well.
    return { verdict: ours.exitCode === EXIT_FAULT ? 'different' : 'crash', isStderrSame: true, difference };
  if (!difference) {
    const inNotes = firstDifference('stderr', stock.stderr, ours.stderr);
    return { verdict: 'same', isStderrSame, difference: inNotes };
  }
  const isOnlyOutput = !ours.isTimedOut && stock.exitCode === ours.exitCode && stock.stdout !== ours.stdout;
  const verdict = isOnlyOutput ? (UNEQUAL[program]?.(stock, ours) ?? 'different') : 'different';
  return { verdict, isStderrSame, difference };
}
