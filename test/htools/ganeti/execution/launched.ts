/** Programs in processes of their own, which can be sent signals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { ROOT } from '../../../suite/run-built.ts';

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a process of its own. @param onHeard is told what both streams have brought so far */
export function launched(
  args: readonly string[],
  onHeard: (child: ChildProcess, heard: string) => void = () => {},
  program = 'hbal',
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(`${ROOT}/bin/${program}`, args, { cwd: ROOT });
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
