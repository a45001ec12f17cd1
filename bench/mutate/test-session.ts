/**
 * One test file in a process of its own, asked to run with a mutant switched on; ended with all that it
 * started when it takes too long.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REACHED_FILE, SWITCHED_ON } from './switch.ts';
import type { HostAnswer, HostRun } from './test-host.ts';

const HOST = fileURLToPath(new URL('./test-host.ts', import.meta.url));
/** A mistake may fill memory without end; a machine that swaps measures nothing. */
const HEAP_MIB = 2048;

/** The answer; or that the process ended by itself, or had to be ended. */
export type SessionResult = HostAnswer | 'died' | 'late';

/** Those under way: whatever ends the command ends them. */
const living = new Set<TestSession>();
process.once('exit', () => {
  for (const session of living) session.end();
});

export class TestSession {
  private readonly process: ChildProcess;
  /** For what it reaches, and the journals of executions. */
  private readonly notes = mkdtempSync(join(tmpdir(), 'evenkeel-session-'));

  /** @param mutant switched on before anything is loaded, or -1; @param folder the trial room */
  constructor(file: string, folder: string, mutant = -1) {
    this.process = fork(HOST, [file], {
      cwd: folder,
      execArgv: ['--import', 'tsx', '--no-experimental-require-module', `--max-old-space-size=${HEAP_MIB}`],
      env: {
        ...process.env,
        STATE_DIRECTORY: this.notes,
        [SWITCHED_ON]: String(mutant),
        [REACHED_FILE]: join(this.notes, 'reached'),
      },
      stdio: 'ignore',
      detached: true,
    });
    living.add(this);
  }

  /** Waits until the file is loaded. */
  ready(limitMs: number): Promise<'ready' | 'died' | 'late'> {
    return this.next<'ready'>(limitMs);
  }

  run(order: HostRun, limitMs: number): Promise<SessionResult> {
    if (this.process.connected) this.process.send(order);
    return this.next<HostAnswer>(limitMs);
  }

  /** Ends the process and whatever it started: they are one group. */
  end(): void {
    living.delete(this);
    try {
      process.kill(-this.process.pid!, 'SIGKILL');
    } catch {
      // It has ended by itself, with all of its group.
    }
    rmSync(this.notes, { recursive: true, force: true });
  }

  private next<T>(limitMs: number): Promise<T | 'died' | 'late'> {
    const { process: host } = this;
    if (host.exitCode !== null || host.signalCode !== null) return Promise.resolve('died');
    return new Promise((resolve) => {
      const settle = (result: T | 'died' | 'late'): void => {
        clearTimeout(timer);
        host.off('message', settle).off('exit', died);
        if (typeof result === 'string' && result !== 'ready') this.end();
        resolve(result);
      };
      const died = (): void => settle('died');
      const timer = setTimeout(() => settle('late'), limitMs);
      host.once('message', settle).once('exit', died);
    });
  }
}
