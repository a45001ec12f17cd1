/** Programs of the Debian root, run as if on a machine of their own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '../../../until.ts';

const ROOT = '/mnt/root';
const START_MS = 300_000;
const LIMIT_MS = 600_000;
const ENVIRONMENT = { LANG: 'C.UTF-8', HOME: '/root', PATH: '/usr/sbin:/usr/bin:/sbin:/bin', OS_CACERT: '' };

export type Environment = Readonly<Record<string, string>>;

export interface Ran {
  /** null = ended by a signal. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(ROOT + path), { recursive: true });
  writeFileSync(ROOT + path, text);
}

export const read = (path: string): string => readFileSync(ROOT + path, 'utf8');

/** Copies the logs, which are gone with the machine. @returns where they are */
export function keepLogs(): string {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-nova-logs-'));
  cpSync(`${ROOT}/srv/log`, folder, { recursive: true });
  return folder;
}

/** Runs a command to its end. */
export const tryRun = (command: readonly string[], environment: Environment = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const options = {
      env: { ...ENVIRONMENT, ...environment },
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 64 * 2 ** 20,
    };
    execFile('chroot', [ROOT, ...command], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      resolve({ status: typeof code === 'number' ? code : null, stdout, stderr });
    });
  });

/** The same for one that has to succeed. @returns its standard output */
export async function run(command: readonly string[], environment: Environment = {}): Promise<string> {
  const { status, stdout, stderr } = await tryRun(command, environment);
  if (status === 0) return stdout;
  throw new Error(`${command.join(' ')}: exit status ${status}\n${stdout}${stderr.slice(-3000)}`);
}

/** What Debian's packages of Nova's services would have in /usr/bin. */
export const python = (module: string, ...words: readonly string[]): readonly string[] => [
  'python3',
  '-c',
  `import sys; from ${module} import main; sys.argv[0] = '${module.split('.')[0]}'; sys.exit(main())`,
  ...words,
];

/** A service that runs until it is ended, with this process at the latest. */
export class Daemon {
  readonly name: string;
  private readonly process: ChildProcess;

  constructor(name: string, command: readonly string[], environment: Environment = {}) {
    this.name = name;
    const log = openSync(`${ROOT}/srv/log/${name}.out`, 'a');
    this.process = spawn('chroot', [ROOT, ...command], {
      env: { ...ENVIRONMENT, ...environment },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
  }

  /** Until it listens. */
  async listens(port: number): Promise<void> {
    const silence = (): string =>
      `${this.name} does not listen on ${port}:\n${read(`/srv/log/${this.name}.out`).slice(-2000)}`;
    const ask = async (): Promise<string | undefined> => {
      if (await isOpen(port)) return undefined;
      if (this.process.exitCode !== null) throw new Error(silence());
      return silence();
    };
    await until(START_MS, ask, 200);
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  async end(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const gone = new Promise((resolve) => this.process.once('exit', resolve));
    this.signal('SIGKILL');
    await gone;
  }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
