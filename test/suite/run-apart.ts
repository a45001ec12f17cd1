/** Runs a built program beside the test, which goes on and can be its server. */
import { spawn } from 'node:child_process';
import { type BuiltRun, ROOT } from './run-built.ts';

export function runApart(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<BuiltRun> {
  return new Promise((resolve) => {
    const child = spawn(`${ROOT}/bin/${program}`, args, {
      cwd: ROOT,
      env: { ...process.env, ...environment },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (piece) => {
      stdout += piece;
    });
    child.stderr.on('data', (piece) => {
      stderr += piece;
    });
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
}
