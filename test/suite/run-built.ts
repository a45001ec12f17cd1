/** Runs built programs as an operator would, in threads that stand by for them (built-thread.cjs). */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const THREAD = fileURLToPath(new URL('built-thread.cjs', import.meta.url));
/** NODE_OPTIONS under which the clock on the wall stands still, at 1970. */
export const STOPPED_CLOCK = '--import=data:text/javascript,Date.now=()=>0';
const LONGEST_RUN_MS = 300_000;

export interface BuiltRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  /** What stands on standard input; nothing otherwise. */
  readonly input?: string;
  /** In which folder; the project's otherwise. */
  readonly folder?: string;
  /** Variables besides those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How much later it seems to be. */
  readonly aheadSeconds?: number;
}

type Answer = BuiltRun & { readonly isClean: boolean };

/** A run that has begun: where its answer comes, and what tells of it while nothing else runs here. */
interface Begun {
  readonly port: MessagePort;
  readonly flag: Int32Array;
}

class Thread {
  static started = 0;
  /** Without the TypeScript loader of the tests, whose connections would make each run look unfinished. */
  private readonly worker = new Worker(THREAD, { workerData: { root: ROOT }, execArgv: [] });

  constructor() {
    Thread.started += 1;
    this.worker.unref();
  }

  start(program: string, words: readonly string[], { input, ...around }: Surroundings): Begun {
    const { port1, port2 } = new MessageChannel();
    const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.worker.postMessage({ port: port2, flag, program, words, given: input, ...around }, [port2]);
    return { port: port1, flag };
  }

  end(): void {
    void this.worker.terminate();
  }
}

/** Lets nothing else run in this process until the program has ended. */
function waitFor({ port, flag }: Begun): Answer {
  if (Atomics.wait(flag, 0, 0, LONGEST_RUN_MS) === 'timed-out')
    throw new Error('a built program does not come to an end');
  return receiveMessageOnPort(port)!.message;
}

const idle: Thread[] = [];

export const threadsStarted = (): number => Thread.started;

function settle(thread: Thread, { port }: Begun, { isClean, ...run }: Answer): BuiltRun {
  port.close();
  if (isClean) idle.push(thread);
  else thread.end();
  return run;
}

/** Runs a program, and nothing beside it. */
export function runWords(program: string, words: readonly string[], around: Surroundings = {}): BuiltRun {
  const thread = idle.pop() ?? new Thread();
  const home = process.cwd();
  process.chdir(around.folder ?? ROOT);
  try {
    const begun = thread.start(program, words, around);
    return settle(thread, begun, waitFor(begun));
  } finally {
    process.chdir(home);
  }
}

/** @param line program and arguments, divided by single blanks */
export function runBuilt(line: string, around?: Surroundings): BuiltRun {
  const [program = '', ...words] = line.split(' ');
  return runWords(program, words, around);
}

/**
 * One program of ours with words that need no shell but for quotes; and what its output may be piped
 * to, or that its status does not matter.
 */
const SIMPLE_COMMAND = /^(h[a-z]+)((?: (?:[\w./=:,@%+-]|'[^']*'|"[\w ]*")+)*)(?: (\|\|?) (.*))?$/s;
const WORDS = /(?:[^ '"]|'[^']*'|"[^"]*")+/g;

const inShell = (command: string, folder: string, input = ''): BuiltRun =>
  spawnSync('sh', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    input,
    env: { ...process.env, PATH: [join(ROOT, 'bin'), process.env.PATH].join(delimiter) },
  });

/** Runs a shell command as a reader of a page would, with our programs installed. */
export function runInShell(command: string, folder = ROOT): BuiltRun {
  const [, program, words = '', mark, behind] = SIMPLE_COMMAND.exec(command) ?? [];
  if (program === undefined || (mark === '||' && behind !== 'true')) return inShell(command, folder);
  const run = runWords(
    program,
    (words.match(WORDS) ?? []).map((word) => word.replaceAll(/['"]/g, '')),
    { folder },
  );
  if (mark !== '|') return mark === undefined ? run : { ...run, status: 0 };
  const filtered = inShell(behind!, folder, run.stdout);
  return { ...filtered, stderr: run.stderr + filtered.stderr };
}

/** Runs a program beside the test, which goes on and can be its server. */
export async function runApart(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<BuiltRun> {
  const thread = idle.pop() ?? new Thread();
  const begun = thread.start(program, words, { environment });
  const answer = await new Promise<Answer>((resolve) => begun.port.once('message', resolve));
  return settle(thread, begun, answer);
}
