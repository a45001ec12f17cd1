/** Programs in processes of their own, which can be sent signals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../../suite/run-built.ts';

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An environment in which time since the machine was started goes fast. */
export const FAST_UPTIME = {
  NODE_OPTIONS: `--require=${fileURLToPath(new URL('fast-uptime.cjs', import.meta.url))}`,
};

/** Runs a program in a process of its own. @param onHeard is told what both streams have brought so far */
export function launched(
  args: readonly string[],
  onHeard: (child: ChildProcess, heard: string) => void = () => {},
  program = 'hbal',
  environment = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(`${ROOT}/bin/${program}`, args, { cwd: ROOT, env: { ...process.env, ...environment } });
  const heard = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (piece) => {
      heard[stream] += piece;
      onHeard(child, heard.stdout + heard.stderr);
    });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (status) => resolve({ status, ...heard }));
  });
  return { child, ended };
}
