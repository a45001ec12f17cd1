/** A hplaced that a benchmark starts, watches, kills and starts again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cpuSecondsOf } from '../../../measure.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../bin/hplaced', import.meta.url));
const HEADERS = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' };

/** A command that goes before whatever else the machine does, where this user may have that. */
export const ahead = (command: readonly string[]): readonly string[] =>
  process.getuid?.() === 0 ? ['nice', '-n', '-15', ...command] : command;

export class ServiceProcess {
  readonly url: string;
  private readonly process: ChildProcess;
  private isEnding = false;
  stderr = '';

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.process = process;
    process.stderr!.on('data', (chunk) => {
      this.stderr += chunk;
    });
    process.once('exit', (status, signal) => {
      if (!this.isEnding)
        console.error(`hplaced ended by itself, ${signal ?? status}: ${this.stderr.slice(-3000)}`);
    });
  }

  /**
   * @param listen a fixed address, for one that is to come back; else any free port
   * @param isAhead whether it goes before whatever else the machine does
   */
  static async start(
    words: readonly string[],
    listen = '127.0.0.1:0',
    isAhead = false,
  ): Promise<ServiceProcess> {
    const plain = [process.execPath, LAUNCHER, '--listen', listen, ...words];
    const [command, ...rest] = isAhead ? ahead(plain) : plain;
    const child = spawn(command!, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout!.once('data', (chunk) => resolve(String(chunk)));
      child.once('exit', (status) =>
        reject(new Error(`hplaced ended with status ${status}: ${child.stderr!.read()}`)),
      );
    });
    return new ServiceProcess(/on (\S+) with/.exec(line)![1]!, child);
  }

  get(path: string): Promise<Response> {
    return fetch(this.url + path, { headers: HEADERS });
  }

  send(method: string, path: string, body?: unknown, minor = 39): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: {
        ...HEADERS,
        'openstack-api-version': `placement 1.${minor}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Memory that the process has, MiB; Linux only. */
  rssMib(): number {
    const match = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'));
    return Math.round(Number(match![1]) / 1024);
  }

  /** Cpu time that the process has used, in milliseconds; Linux only, in steps of 10 ms. */
  cpuMs(): number {
    return cpuSecondsOf(this.process.pid!) * 1000;
  }

  /** Ends it at once, as a crash does. */
  kill(): Promise<void> {
    return this.end('SIGKILL').then(() => {});
  }

  /** Ends it as an operator does. @returns the exit status */
  stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  private end(signal: NodeJS.Signals): Promise<number | null> {
    this.isEnding = true;
    return new Promise((resolve) => {
      this.process.once('exit', resolve);
      this.process.kill(signal);
    });
  }
}
