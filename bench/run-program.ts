/** Runs one program to its end (or to its time limit) and keeps everything that it said. */
import { spawn } from 'node:child_process';

export interface RunResult {
  /** Bytes as latin-1 text, so that no byte is lost and any two outputs can be compared. */
  readonly stdout: string;
  readonly stderr: string;
  /** undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  readonly isTimedOut: boolean;
  readonly seconds: number;
}

export interface RunRequest {
  readonly path: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly stdin?: string | Uint8Array | undefined;
  readonly timeoutSeconds: number;
}

/** What the programs see of the environment: plain, the same for both, no terminal, no colour. */
const ENVIRONMENT = { LC_ALL: 'C.UTF-8', PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' };

/** Never rejects because of what the program does; rejects only when it cannot be started at all. */
export function runProgram(request: RunRequest): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(request.path, request.args, { cwd: request.folder, env: ENVIRONMENT });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let isTimedOut = false;
    const timer = setTimeout(() => {
      isTimedOut = true;
      child.kill('SIGKILL');
    }, request.timeoutSeconds * 1000);
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // A program that ends without reading its input is no fault of ours.
    child.stdin.on('error', () => undefined);
    child.stdin.end(request.stdin ?? '');
    child.on('error', (fault) => {
      clearTimeout(timer);
      reject(fault);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({
        stdout: Buffer.concat(stdout).toString('latin1'),
        stderr: Buffer.concat(stderr).toString('latin1'),
        exitCode: code ?? undefined,
        isTimedOut,
        seconds: Number(process.hrtime.bigint() - started) / 1e9,
      });
    });
  });
}
