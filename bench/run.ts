/**
 * `npm run bench -- programs`: cpu time and memory of the whole process, ours and stock's in the same run, at
 * growing sizes. One JSON line a figure on standard output (or in a file), a table at the end on standard
 * error.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuse } from './arguments.ts';
import { isProgramName, launcherOf, PROGRAMS } from './launchers.ts';
import { type Measurement, measure } from './measure.ts';
import type { Figure } from './run/figure.ts';
import { SEED, type Workload, workloads } from './run/workloads.ts';

const USAGE = `usage: npm run bench -- programs [options]
  --programs LIST   which programs (default: ${PROGRAMS.join(',')})
  --short           only what takes seconds
  --largest N       no more nodes than this
  --times N         runs of each, the least cpu time counts (default 3; 1 beyond ten seconds)
  --ours PLACE      folder with our launchers, or "stock" (default: bin, or EVENKEEL_OURS)
  --timeout T       seconds for one run (default 900)
  --out FILE        append the JSON lines there instead of printing them`;

const LONG_RUN_SECONDS = 10;

function commitName(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}

function best(
  path: string,
  work: Workload,
  folder: string,
  times: number,
  limit: number,
): Measurement | undefined {
  let least: Measurement | undefined;
  for (let run = 0; run < times; run++) {
    const result = measure(path, work.args, folder, limit);
    if (!result) return least;
    if (!least || result.cpuSeconds < least.cpuSeconds) least = result;
    if (result.cpuSeconds > LONG_RUN_SECONDS) break;
  }
  return least;
}

/** The number that the first fitting pattern finds. */
const numberIn = (text = '', ...patterns: readonly RegExp[]): number | null => {
  const found = patterns.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  return found ? Number(found[1]) : null;
};

function figureOf(
  work: Workload,
  stock: Measurement | undefined,
  ours: Measurement | undefined,
  content: string,
  commit: string,
): Figure {
  return {
    name: work.name,
    program: work.program,
    size: work.size,
    instances: content.match(/\|Y\|node|\|N\|node|"admin_state"/g)?.length ?? 0,
    seconds: ours?.cpuSeconds ?? null,
    peakMib: ours?.peakMib ?? null,
    moves: numberIn(ours?.stdout, /^Solution length=(\d+)$/m),
    score: numberIn(ours?.stdout, /improved from \S+ to (-?\d+\.\d+)/, /score: (-?\d+\.\d+)/),
    seed: SEED,
    commit,
    stockSeconds: stock?.cpuSeconds ?? null,
    stockPeakMib: stock?.peakMib ?? null,
    ratio: stock && ours ? Number((stock.cpuSeconds / Math.max(ours.cpuSeconds, 1e-3)).toPrecision(3)) : null,
    isSame: stock && ours ? stock.stdout === ours.stdout : null,
  };
}

function showTable(figures: readonly Figure[]): void {
  const cell = (value: number | boolean | null, digits = 0): string =>
    value === null ? '-' : typeof value === 'boolean' ? (value ? 'yes' : 'NO') : value.toFixed(digits);
  const row = (name: string, cells: readonly string[]): string =>
    name.padEnd(26) + cells.map((text) => text.padStart(10)).join('');
  console.error(
    row('what', ['nodes', 'instances', 'ours s', 'stock s', 'ratio', 'MiB', 'stock MiB', 'same']),
  );
  for (const one of figures)
    console.error(
      row(one.name, [
        cell(one.size),
        cell(one.instances),
        cell(one.seconds, 3),
        cell(one.stockSeconds, 3),
        cell(one.ratio, 1),
        cell(one.peakMib),
        cell(one.stockPeakMib),
        cell(one.isSame),
      ]),
    );
}

function main(): number {
  const { values } = readArguments(USAGE, {
    programs: { type: 'string', default: PROGRAMS.join(',') },
    short: { type: 'boolean', default: false },
    largest: { type: 'string', default: 'Infinity' },
    times: { type: 'string', default: '3' },
    ours: { type: 'string' },
    timeout: { type: 'string', default: '900' },
    out: { type: 'string' },
  });
  const programs = values.programs.split(',');
  if (!programs.every(isProgramName)) refuse(USAGE, `Not all of ${values.programs} are programs`);
  const commit = commitName();
  const figures: Figure[] = [];
  const chosen = workloads().filter(
    (work) =>
      programs.includes(work.program) &&
      (!values.short || work.isShort) &&
      work.size <= Number(values.largest),
  );
  let failures = 0;
  for (const work of chosen) {
    const ourPath = launcherOf(work.program, values.ours ?? process.env.EVENKEEL_OURS);
    if (ourPath === undefined) {
      console.error(`bench: our ${work.program} is not there. Maybe it is not built yet: npm run build`);
      return 2;
    }
    const stockPath = work.hasStock ? launcherOf(work.program, 'stock') : undefined;
    const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
    try {
      const { file, content } = work.input();
      writeFileSync(join(folder, file), content);
      const [times, limit] = [Number(values.times), Number(values.timeout)];
      const ours = best(ourPath, work, folder, times, limit);
      const stock = stockPath === undefined ? undefined : best(stockPath, work, folder, times, limit);
      const figure = figureOf(work, stock, ours, content, commit);
      figures.push(figure);
      const line = JSON.stringify(figure);
      if (values.out) appendFileSync(values.out, `${line}\n`);
      else console.log(line);
      if (!ours || ours.stdout === '') failures++;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  showTable(figures);
  if (failures > 0) console.error(`bench: ${failures} runs of ours failed or did not end in time`);
  return failures > 0 ? 1 : 0;
}

process.exitCode = main();
