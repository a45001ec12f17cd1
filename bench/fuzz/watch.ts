/** Runs the readers in a child process, batch by batch, and notices when one input hangs it or ends it. */
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, programCase } from './program-case.ts';
import type { ReaderOrder, ReaderReport } from './reader-process.ts';
import { type Finding, fuzzCase } from './trial.ts';

const LOOK_EVERY_MS = 200;
const BATCH = 2500;
/** A reader that needs more than this for a file of some kB is broken, too. */
const MEMORY_MIB = 1024;
const READER = fileURLToPath(new URL('./reader-process.ts', import.meta.url));

interface BatchEnd extends ReaderReport {
  /** The seed behind the last one that was dealt with. */
  readonly next: number;
}

function breakdown({ programFolder }: ReaderOrder, seed: number, what: string): Finding {
  const { target, how } = fuzzCase(seed);
  if (programFolder === undefined) return { seed, target: target.name, how, what };
  const trial = programCase(seed);
  return { seed, target: trial.source ?? 'words', how: trial.how, what: `${commandLine(trial)}: ${what}` };
}

/** Clock ticks a second in what Linux says about processes. */
const TICKS = 100;
const [USER_TICKS, SYSTEM_TICKS] = [11, 12];

/**
 * Seconds of processor time that a process has used; where the system does not say, those that have passed.
 */
function cpuSeconds(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS;
  } catch {
    return Date.now() / 1000;
  }
}

/** The seed at work; undefined when the child has not come so far. */
function seedAtWork(progressFile: string): number | undefined {
  try {
    const text = readFileSync(progressFile, 'latin1').trim();
    return text === '' ? undefined : Number(text);
  } catch {
    return undefined;
  }
}

function runBatch(order: ReaderOrder, limitSeconds: number): Promise<BatchEnd> {
  return new Promise((resolve, reject) => {
    const child = fork(READER, [JSON.stringify(order)], {
      execArgv: ['--import', 'tsx', `--max-old-space-size=${MEMORY_MIB}`],
    });
    let lastSeed: number | undefined;
    let since = cpuSeconds(child.pid);
    let isHung = false;
    let report: ReaderReport | undefined;
    const timer = setInterval(() => {
      const seed = seedAtWork(order.progressFile);
      const used = cpuSeconds(child.pid);
      if (seed !== lastSeed || seed === undefined) {
        lastSeed = seed;
        since = used;
      } else if (used - since > limitSeconds) {
        isHung = true;
        child.kill('SIGKILL');
      }
    }, LOOK_EVERY_MS);
    child.on('message', (message) => {
      report = message as ReaderReport;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(timer);
      const seed = seedAtWork(order.progressFile);
      if (report) resolve({ ...report, next: order.end });
      else if (seed === undefined)
        reject(new Error(`the readers could not be started (exit status ${code})`));
      else {
        const what = isHung ? `no end after ${limitSeconds} s` : `the process died (${signal ?? code})`;
        resolve({ accepted: 0, refused: 0, findings: [breakdown(order, seed, what)], next: seed + 1 });
      }
    });
  });
}

/**
 * Tries the seeds from `first` to `first + count - 1`.
 * @param limitSeconds for one input
 * @param runsPrograms whole programs with options drawn for them, in place of the readers
 */
export async function watchReaders(
  first: number,
  count: number,
  limitSeconds: number,
  runsPrograms = false,
): Promise<ReaderReport> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-readers-'));
  const findings: Finding[] = [];
  let accepted = 0;
  let refused = 0;
  try {
    for (let seed = first; seed < first + count; ) {
      const end = Math.min(seed + BATCH, first + count);
      const progressFile = join(folder, `seed-${seed}`);
      const programFolder = runsPrograms ? mkdtempSync(join(folder, 'programs-')) : undefined;
      const batch = await runBatch({ first: seed, end, progressFile, programFolder }, limitSeconds);
      accepted += batch.accepted;
      refused += batch.refused;
      findings.push(...batch.findings);
      seed = batch.next;
    }
    return { accepted, refused, findings };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
