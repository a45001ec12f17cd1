/**
 * Random histories of pods and bindings: processes ask for pods and change them at once, on one database, and
 * are killed at random moments. Afterwards every row and every answer is held against the pods of its
 * generation (replay.ts). Then one process plays the same history twice, and both must come to the same rows.
 *
 *   npm run check -- histories                          12,000 requests on each database
 *   npm run check -- histories --requests 1500       a shorter one
 *   npm run check -- histories --store sqlite        one database only
 *   npm run check -- histories --processes 2 --seed 7
 *   npm run check -- histories --minutes 40          on a busy machine; 15 otherwise, for each database
 *
 * Exit status 1 when anything is wrong.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Book, initBook } from '../../../src/ledger/binding/book/book.ts';
import { PostgresServer, postgresPrograms } from '../../../test/ledger/store/postgres-server.ts';
import { readArguments } from '../../arguments.ts';
import { Random } from '../../generate/random.ts';
import { bundleWorkers } from '../bundle-workers.ts';
import { Herd } from '../herd.ts';
import { fillBook, step, type Told } from './history-step.ts';
import { judge } from './replay.ts';

/** Requests for each process that is killed: on a busy machine the new ones need time to start. */
const REQUESTS_PER_KILL = 60;
const LOOK_EVERY_MS = 100;
/** Share of the requests that may meet others in every try. */
const MOST_CONFLICTS = 0.1;
/** Requests of the history that is played twice. */
const TWICE = 1000;

const USAGE =
  'usage: npm run check -- histories [--requests N] [--processes N] [--store sqlite|postgres|both] [--seed S] [--minutes T]';

const { values } = readArguments(USAGE, {
  requests: { type: 'string', default: '12000' },
  processes: { type: 'string', default: '4' },
  store: { type: 'string', default: 'both' },
  seed: { type: 'string', default: '1' },
  // A machine that is busy with other things needs its time; one that hangs does not end.
  minutes: { type: 'string', default: '15' },
});
const longestMs = Number(values.minutes) * 60_000;
const wanted = Number(values.requests);
const processes = Number(values.processes);
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-histories-'));
const [worker] = (await bundleWorkers(folder, [new URL('history-worker.ts', import.meta.url)])) as [string];

interface Log {
  readonly told: readonly Told[];
  readonly errors: readonly string[];
}

/** What the processes wrote down; the last line of one that was killed may be cut off. */
function readLogs(logs: string): Log {
  const lines = readdirSync(logs).flatMap((file) => {
    const text = readFileSync(join(logs, file), 'utf8');
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Told | { readonly error: string });
  });
  return {
    told: lines.filter((line): line is Told => !('error' in line)),
    errors: lines.flatMap((line) => ('error' in line ? [line.error] : [])),
  };
}

const countLines = (logs: string): number =>
  readdirSync(logs).reduce(
    (sum, file) => sum + readFileSync(join(logs, file), 'utf8').split('\n').length - 1,
    0,
  );

/**
 * Runs the processes until they have asked often enough, killing them on the way.
 * @returns also for how long nobody had answered in the end
 */
async function run(
  url: string,
  logs: string,
): Promise<{ readonly herd: Pick<Herd, 'kills' | 'troubles'>; readonly silentMs: number }> {
  mkdirSync(logs);
  const random = new Random(Number(values.seed), 'kills');
  const herd = new Herd(processes, (name) => [worker, url, join(logs, name), name, values.seed]);
  const begin = Date.now();
  let lastAt = begin;
  for (let answered = 0; answered < wanted && Date.now() - begin < longestMs; ) {
    await wait(LOOK_EVERY_MS);
    const before = answered;
    answered = countLines(logs);
    if (answered > before) lastAt = Date.now();
    if (herd.kills < answered / REQUESTS_PER_KILL) herd.killOne(random);
  }
  const silentMs = Date.now() - lastAt;
  await herd.end();
  return { herd, silentMs };
}

const say = (line: string): void => console.log(line);

async function history(name: string, url: string): Promise<boolean> {
  const { book } = await initBook(url, () => Date.now());
  await fillBook(book);
  const logs = join(folder, `logs-${name}`);
  const { herd, silentMs } = await run(url, logs);
  const { told, errors } = readLogs(logs);
  const { troubles, rows, changes } = await judge(book, told);
  await book.store.close();
  const count = (kind: Told['kind']): number => told.filter((one) => one.kind === kind).length;
  say(
    `${name}: ${told.length} requests of ${processes} processes, ${herd.kills} killed: ${count('kept')} kept, ${count('bound')} bound, ${count('none')} refused; ${rows} rows, ${changes} changes of pods, ${errors.length} conflicts after all tries`,
  );
  const strange = errors.filter((error) => !/StoreConflict|ended meanwhile/.test(error));
  const all = [...herd.troubles, ...troubles, ...strange];
  const missing = wanted - told.length - errors.length;
  if (missing > 0)
    all.push(
      `the time was over with ${missing} requests still to be asked, ${(silentMs / 1000).toFixed(1)} s after the last answer: a busy machine needs more --minutes`,
    );
  if (errors.length > wanted * MOST_CONFLICTS)
    all.push(`${errors.length} of ${wanted} requests were given up`);
  for (const trouble of all.slice(0, 20)) say(`  WRONG: ${trouble}`);
  say(all.length === 0 ? '  clean' : `  ${all.length} faults`);
  return all.length === 0;
}

/** Plays a history in this process. @returns everything that it came to, as text */
async function play(url: string): Promise<string> {
  let ms = Date.UTC(2026, 0, 1);
  const { book } = await initBook(url, () => {
    ms += 1000;
    return ms;
  });
  await fillBook(book);
  const random = new Random(Number(values.seed), 'twice');
  const answers: Told[] = [];
  while (answers.length < TWICE) {
    const told = await step(book, random, 'twice');
    if (told) answers.push(told);
  }
  const text = JSON.stringify([answers, await allRows(book)]);
  await book.store.close();
  return text;
}

const allRows = (book: Book): Promise<unknown> =>
  book.store.read(async (session) => [
    await session.all('SELECT * FROM bindings ORDER BY id'),
    await session.all('SELECT * FROM pods ORDER BY id'),
  ]);

/** @returns whether both databases and both runs came to the same */
async function twice(urls: readonly string[]): Promise<boolean> {
  const texts = new Set<string>();
  for (const url of urls) texts.add(await play(url));
  say(
    `${urls.length} runs of one history of ${TWICE} requests: ${texts.size === 1 ? 'the same' : 'DIFFERENT'}`,
  );
  return texts.size === 1;
}

let isFine = true;
const again: string[] = [];
if (values.store !== 'postgres') {
  isFine = (await history('SQLite', join(folder, 'pods.db'))) && isFine;
  again.push(join(folder, 'once.db'), join(folder, 'twice.db'));
}
const bin = values.store === 'sqlite' ? undefined : postgresPrograms();
if (bin !== undefined) {
  const server = await PostgresServer.start(bin);
  try {
    isFine = (await history('PostgreSQL', await server.freshUrl())) && isFine;
    isFine = (await twice([...again, await server.freshUrl()])) && isFine;
  } finally {
    await server.remove();
  }
} else {
  if (values.store !== 'sqlite') say('PostgreSQL: not installed (Debian: postgresql), skipped');
  isFine = (await twice(again)) && isFine;
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = isFine ? 0 : 1;
