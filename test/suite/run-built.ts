/** Runs a built program from the project's root, as an operator would. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface BuiltRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param line program and arguments, divided by single blanks */
export function runBuilt(line: string): BuiltRun {
  const [program, ...args] = line.split(' ');
  return spawnSync(`${ROOT}/bin/${program}`, args, { cwd: ROOT, encoding: 'utf8' });
}
