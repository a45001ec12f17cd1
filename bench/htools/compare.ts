/**
 * `npm run compare -- stock`: our programs against the stock ones on generated clusters, under all kinds of
 * options.
 *
 * Exit status: 0 when nothing is worse or different, 1 when something is, 2 on a bad command line, 3 without
 * stock programs.
 */
import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readArguments, refuse } from '../arguments.ts';
import { isProgramName, launcherOf, NO_STOCK_EXIT, PROGRAMS, type ProgramName } from '../launchers.ts';
import { runProgram } from '../run-program.ts';
import { makeCase } from './compare/case.ts';
import { VERDICTS, type Verdict } from './compare/classify.ts';
import { AS_STOCK } from './compare/option-sets.ts';
import { type ComparedCase, runCase } from './compare/run-case.ts';

const USAGE = `usage: npm run compare -- stock [options]
  --programs LIST   which programs (default: ${PROGRAMS.join(',')})
  --count N         seeds per program (default 200; 15 with --short)
  --seed S          first seed (default 1)
  --seconds T       stop starting new cases after so many seconds
  --short           a quick look, as CI takes it
  --ours PLACE      folder with our launchers, or "stock" (default: bin, or EVENKEEL_OURS)
  --stock PLACE     folder with the stock programs (default: where the system has them)
  --ours-args TEXT  further arguments for ours, separated by spaces
  --timeout T       seconds for one run (default 20)
  --keep FOLDER     keep each case's files and outputs there
  --json FILE       append one JSON line a case
  --stderr          also show where only stderr differs`;

/** Verdicts that make the whole comparison fail. */
const FAILING: ReadonlySet<Verdict> = new Set(['worse', 'different']);
const DEFAULT_COUNT = 200;
const SHORT_COUNT = 15;

interface Tally {
  readonly verdicts: Map<Verdict, number>;
  otherStderr: number;
  converted: number;
  stockSeconds: number;
  ourSeconds: number;
}

export const OPTIONS = {
  programs: { type: 'string', default: PROGRAMS.join(',') },
  count: { type: 'string' },
  seed: { type: 'string', default: '1' },
  seconds: { type: 'string', default: 'Infinity' },
  short: { type: 'boolean', default: false },
  ours: { type: 'string' },
  stock: { type: 'string', default: 'stock' },
  'ours-args': { type: 'string', default: '' },
  timeout: { type: 'string', default: '20' },
  keep: { type: 'string' },
  json: { type: 'string' },
  stderr: { type: 'boolean', default: false },
} as const;

type Options = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

type Say = (line: string) => void;

function showCase(
  program: ProgramName,
  seed: number,
  args: readonly string[],
  result: ComparedCase,
  say: Say,
): void {
  const { verdict, difference, isConverted } = result;
  const note = isConverted ? ' (stock: the message as a text file, with -t)' : '';
  say(`${verdict}: ${program} seed ${seed}: ${program} ${args.join(' ')}${note}`);
  if (difference) {
    say(`    ${difference.where}, line ${difference.line}`);
    say(`    stock: ${difference.stock}`);
    say(`    ours:  ${difference.ours}`);
  }
  say(`    again: npm run compare -- stock --programs ${program} --seed ${seed} --count 1 --keep ./kept`);
}

function showTable(tallies: ReadonlyMap<ProgramName, Tally>, say: Say): void {
  const width = 10;
  const row = (cells: readonly (string | number)[]): string =>
    cells
      .map((cell, column) => (column === 0 ? String(cell).padEnd(width) : String(cell).padStart(width)))
      .join('');
  say(row(['program', ...VERDICTS, 'stderr≠', '-I as -t', 'stock s', 'ours s']));
  for (const [program, tally] of tallies)
    say(
      row([
        program,
        ...VERDICTS.map((verdict) => tally.verdicts.get(verdict) ?? 0),
        tally.otherStderr,
        tally.converted,
        tally.stockSeconds.toFixed(1),
        tally.ourSeconds.toFixed(1),
      ]),
    );
}

/** @returns the exit status */
export async function compareWithStock(options: Options, say: Say): Promise<number> {
  const programs = options.programs.split(',');
  const unknown = programs.find((name) => !isProgramName(name));
  const count = Number(options.count ?? (options.short ? SHORT_COUNT : DEFAULT_COUNT));
  const firstSeed = Number(options.seed);
  if (unknown !== undefined) refuse(USAGE, `There is no program ${unknown}`);
  if (!Number.isInteger(count) || !Number.isInteger(firstSeed))
    refuse(USAGE, '--count and --seed are whole numbers');
  const ours = options.ours ?? process.env.EVENKEEL_OURS;
  const deadline = Date.now() + Number(options.seconds) * 1000;
  const tallies = new Map<ProgramName, Tally>();
  for (const program of programs.filter(isProgramName)) {
    const stockPath = launcherOf(program, options.stock);
    const ourPath = launcherOf(program, ours);
    const ourHbalPath = launcherOf('hbal', ours) ?? launcherOf('hbal');
    if (stockPath === undefined) {
      console.error(`compare: the stock ${program} is not installed. Maybe: apt-get install ganeti-htools`);
      return NO_STOCK_EXIT;
    }
    if (ourPath === undefined || ourHbalPath === undefined) {
      console.error(
        `compare: our ${program} is not in ${ours ?? 'bin'}. Maybe it is not built yet: npm run build`,
      );
      return 2;
    }
    const { stdout: version } = await runProgram({
      path: stockPath,
      args: ['-V'],
      folder: '.',
      timeoutSeconds: 20,
    });
    const isStock30 = /^\S+ \(ganeti\) version v?3\.0\./.test(version);
    const tally: Tally = {
      verdicts: new Map(),
      otherStderr: 0,
      converted: 0,
      stockSeconds: 0,
      ourSeconds: 0,
    };
    tallies.set(program, tally);
    for (let seed = firstSeed; seed < firstSeed + count && Date.now() < deadline; seed++) {
      const trial = makeCase(program, seed);
      const result = await runCase(trial, {
        stockPath,
        ourPath,
        ourHbalPath,
        ourExtraArgs: [
          ...(ours === 'stock' ? [] : (AS_STOCK[program] ?? [])),
          ...options['ours-args'].split(' ').filter((word) => word !== ''),
        ],
        timeoutSeconds: Number(options.timeout),
        isStock30,
        keepFolder: options.keep,
      });
      tally.verdicts.set(result.verdict, (tally.verdicts.get(result.verdict) ?? 0) + 1);
      if (!result.isStderrSame) tally.otherStderr++;
      if (result.isConverted) tally.converted++;
      tally.stockSeconds += result.stockSeconds;
      tally.ourSeconds += result.ourSeconds;
      if (options.json)
        appendFileSync(options.json, `${JSON.stringify({ program, seed, args: trial.args, ...result })}\n`);
      const isQuiet =
        result.verdict === 'same'
          ? !(options.stderr && !result.isStderrSame)
          : result.verdict === 'slow' || result.verdict === '3.0';
      if (!isQuiet) showCase(program, seed, trial.args, result, say);
    }
  }
  showTable(tallies, say);
  if ([...tallies.values()].some((tally) => tally.converted > 0))
    say(
      'stderr≠: same, but for words on stderr; -I as -t: stock was given the message as a text file, since it counts the instances of messages twice',
    );
  const hasFailed = [...tallies.values()].some((tally) =>
    [...FAILING].some((verdict) => tally.verdicts.has(verdict)),
  );
  return hasFailed ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  void compareWithStock(readArguments(USAGE, OPTIONS).values, console.log).then((status) => {
    process.exitCode = status;
  });
