/** Measures one run of a program as a whole process: cpu seconds (user and system) and peak memory. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Measurement {
  readonly cpuSeconds: number;
  /** undefined where GNU time is not installed. */
  readonly peakMib: number | undefined;
  readonly stdout: string;
  readonly exitCode: number;
}

const GNU_TIME = '/usr/bin/time';
const KIB_PER_MIB = 1024;
const LARGEST_OUTPUT_BYTES = 256 * 1024 * 1024;

const hasGnuTime = ((): boolean => {
  try {
    accessSync(GNU_TIME, constants.X_OK);
    return true;
  } catch {
    return false;
  }
})();

/**
 * Bash's own `time` counts in milliseconds, where GNU time only knows hundredths; the latter adds the peak
 * memory. The time limit is `timeout`'s, so that nothing is left running behind a killed shell.
 */
const SCRIPT = `limit=$1; memory=$2; shift 2; TIMEFORMAT='%3U %3S'
measured() { if [ -n "$memory" ]; then ${GNU_TIME} -q -f %M -o "$memory" "$@"; else "$@"; fi; }
time measured timeout -s KILL "$limit" "$@" 2>/dev/null
`;
const KILLED_EXIT = 128 + 9;

/** Runs `path` with `args` in `folder` once. undefined when it does not end in time. */
export function measure(
  path: string,
  args: readonly string[],
  folder: string,
  timeoutSeconds: number,
): Measurement | undefined {
  const notes = mkdtempSync(join(tmpdir(), 'evenkeel-measure-'));
  try {
    const memoryFile = hasGnuTime ? join(notes, 'memory') : '';
    const run = spawnSync(
      'bash',
      ['-c', SCRIPT, 'measure', String(timeoutSeconds), memoryFile, path, ...args],
      { cwd: folder, encoding: 'latin1', maxBuffer: LARGEST_OUTPUT_BYTES },
    );
    if (run.error || run.status === null || run.status >= KILLED_EXIT) return undefined;
    const times = run.stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
    return {
      cpuSeconds: times.reduce((sum, seconds) => sum + seconds, 0),
      peakMib: hasGnuTime ? Math.round(Number(readFileSync(memoryFile, 'utf8')) / KIB_PER_MIB) : undefined,
      stdout: run.stdout,
      exitCode: run.status,
    };
  } finally {
    rmSync(notes, { recursive: true, force: true });
  }
}

/** Cpu seconds that a running process has used, in steps of 10 ms; Linux only. */
export function cpuSecondsOf(pid: number | string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
