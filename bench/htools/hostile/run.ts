/**
 * `npm run check -- hostile-servers [--short]`: every program that reads live clusters, against every kind of
 * bad server, over LUXI and RAPI, and against a master that goes bad while jobs run. Each run has to end by
 * itself within the time limits, with an error that names the server and no byte that a terminal obeys.
 * `--short` tries every kind and every program, but not each with each.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FakeMaster } from '../../../test/htools/ganeti/fake-master.ts';
import { type LuxiRequest, withSocket, withTcp, withTls } from '../../../test/htools/ganeti/play.ts';
import { readArguments } from '../../arguments.ts';
import { JOB_TALKS, LUXI_TALKS, RAPI_TALKS, type Talk } from './talks.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const USAGE = 'usage: npm run check -- hostile-servers [--short]';
const { values: asked } = readArguments(USAGE, { short: { type: 'boolean', default: false } });
const isShort = asked.short;
// Where the programs keep journals.
process.env.STATE_DIRECTORY = mkdtempSync(join(tmpdir(), 'evk-state-'));

const READERS: readonly (readonly string[])[] = [
  ['hinfo'],
  ['hbal'],
  ['hspace'],
  ['hcheck'],
  ['hroller', '-f'],
  ['hsqueeze'],
  ['harep', '--dry-run'],
  ['hredist'],
  ['hcompress'],
  ['hspread'],
  ['hscan'],
];
const EXECUTORS: readonly (readonly string[])[] = [
  ['hbal', '-l', '2'],
  ['hredist'],
  ['hcompress', '--evacuate'],
  ['hspread'],
];
/** These are for the master node. */
const MASTER_ONLY: ReadonlySet<string> = new Set(['hsqueeze', 'harep']);

/** hscan names servers without an option. */
const overRapi = ([program, ...args]: readonly string[], address: string): readonly string[] | undefined =>
  MASTER_ONLY.has(program!)
    ? undefined
    : [program!, ...(program === 'hscan' ? [] : ['-m']), address, ...args];

const LIMIT_S = 1;
const LIMITS = [`--connect-timeout=${LIMIT_S}`, `--answer-timeout=${LIMIT_S}`];
/**
 * Three attempts, each with both limits, the pauses between them, four resources one after another, and a
 * start on a busy machine.
 */
const PATIENCE_MS = 15_000;
const AT_ONCE = 4;
const FAILED = 1;
const SOME_FAILED = 2;

let runs = 0;
let findings = 0;
let longestMs = 0;

interface Ended {
  readonly status: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

function start(words: readonly string[]): Promise<Ended> {
  const [program, ...args] = words;
  const begun = Date.now();
  return new Promise((resolve) => {
    const options = { cwd: '/tmp', timeout: 2 * PATIENCE_MS, killSignal: 'SIGKILL' as const };
    execFile(`${ROOT}bin/${program}`, args, options, (error, stdout, stderr) => {
      const status = error === null ? 0 : (error.code ?? null);
      resolve({ status, stdout, stderr, ms: Date.now() - begun });
    });
  });
}

/** What is wrong with the end of a run; undefined = nothing. */
function complaint(words: readonly string[], { status, stdout, stderr, ms }: Ended): string | undefined {
  const told = words[0] === 'hscan' ? stdout : stderr;
  if (ms > PATIENCE_MS) return `it took ${ms} ms`;
  if (status !== (words[0] === 'hscan' ? SOME_FAILED : FAILED)) return `exit status ${status}`;
  if (!/Error/.test(told)) return 'no error is told';
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(stdout + stderr)) return 'control characters';
  if (/^\s+at .*:\d+:\d+\)?$/m.test(stderr)) return 'a stack trace';
  return undefined;
}

async function judge(kind: string, words: readonly string[]): Promise<void> {
  const ended = await start([...words, ...LIMITS]);
  runs++;
  longestMs = Math.max(longestMs, ended.ms);
  const what = complaint(words, ended);
  if (what === undefined) return;
  findings++;
  const text = JSON.stringify((ended.stderr || ended.stdout).slice(0, 500));
  console.log(`hostile: ${kind}: ${words.join(' ')}: ${what}\n    ${text}`);
}

type Task = () => Promise<void>;

/** Each with each; or in the short form every kind once, with the programs in turn. */
function pairs(kinds: Readonly<Record<string, Talk>>, programs: readonly (readonly string[])[]) {
  return Object.entries(kinds).flatMap(([kind, talk], at) =>
    (isShort ? [programs[at % programs.length]!] : programs).map((words) => ({ kind, talk, words })),
  );
}

const luxiTasks = (): Task[] =>
  pairs(LUXI_TALKS, READERS).map(
    ({ kind, talk, words }) =>
      () =>
        withSocket(talk, (path) => judge(`a master that ${kind}`, [...words, `-L${path}`])),
  );

const rapiTasks = (): Task[] =>
  pairs(RAPI_TALKS, READERS).flatMap(({ kind, talk, words }): Task[] => {
    const asking = (address: string): readonly string[] | undefined => overRapi(words, address);
    if (asking('') === undefined) return [];
    return [() => withTls(talk, (port) => judge(`a RAPI server that ${kind}`, asking(`127.0.0.1:${port}`)!))];
  });

/** What goes wrong before anything is asked. */
function secrecyTasks(): Task[] {
  const readers = (isShort ? READERS.slice(0, 1) : READERS).filter(([name]) => !MASTER_ONLY.has(name!));
  return readers.flatMap((words): Task[] => [
    () =>
      withTls(
        (socket) => void socket.on('data', () => judgeLeak(words)),
        (port) =>
          judge('a server with another certificate', [
            ...overRapi(words, `127.0.0.1:${port}`)!,
            `--rapi-fingerprint=${'AB'.repeat(32)}`,
          ]),
      ),
    () =>
      withTcp(
        () => {},
        (port) => judge('a server without TLS', overRapi(words, `127.0.0.1:${port}`)!),
      ),
    () =>
      withTcp(
        (socket) => void socket.end('no'),
        (port) => judge('a server of another kind', overRapi(words, `127.0.0.1:${port}`)!),
      ),
    () => judge('nobody', overRapi(words, '127.0.0.1:1')!),
  ]);
}

/** A server that is not the pinned one heard something. */
function judgeLeak(words: readonly string[]): void {
  findings++;
  console.log(`hostile: ${words[0]} speaks to a server that is not the pinned one`);
}

/**
 * Reading goes well; the first call about jobs meets the hostile talk. No record is kept, as with one the
 * queue is looked through for five minutes where the answer to a submission is lost.
 */
const executionTasks = (): Task[] =>
  (['SubmitManyJobs', 'QueryJobs'] as const).flatMap((method) =>
    pairs(JOB_TALKS, EXECUTORS).map(({ kind, talk, words }) => async () => {
      const file = `${ROOT}testdata/${words[0] === 'hbal' ? 'small' : 'super'}.data`;
      const master = new FakeMaster(file, { jobMs: 60_000 });
      await withSocket(turning(master, method, talk), (path) =>
        judge(`a master that ${kind} to ${method}`, [...words, `-L${path}`, '-X', '--no-journal']),
      );
    }),
  );

const END = '\x03';

/** Answers as the fake master until it is asked a certain thing; each connection asks one. */
const turning =
  (master: FakeMaster, method: string, talk: Talk): Talk =>
  (socket) => {
    let text = '';
    const listen = (piece: Buffer): void => {
      text += piece;
      if (!text.endsWith(END)) return;
      const request = JSON.parse(text.slice(0, -1)) as LuxiRequest;
      text = '';
      if (request.method === method) {
        socket.off('data', listen);
        talk(socket);
        socket.emit('data', piece);
      } else void master.answer(request).then((answer) => socket.write(`${answer}${END}`));
    };
    socket.on('data', listen);
  };

const tasks = [...luxiTasks(), ...rapiTasks(), ...secrecyTasks(), ...executionTasks()];
const lane = async (): Promise<void> => {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task();
};
await Promise.all(Array.from({ length: AT_ONCE }, lane));
console.log(
  `hostile: ${runs} runs, ${findings} findings, the longest took ${(longestMs / 1000).toFixed(1)} s`,
);
process.exit(findings === 0 ? 0 : 1);
