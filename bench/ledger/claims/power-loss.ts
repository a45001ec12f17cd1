/**
 * Power failures on SQLite: processes claim at the same time, and another one reads, while everything that
 * they write and wait for is noted (power/trace.c, which a C compiler makes, on Linux). Then the disk is made
 * up as it might be found after a failure at random moments: what was waited for is there, what was on its
 * way is there or not, in any order. Each time the ledger must open and be clean, and have every claim that
 * anybody was told of: its claimer, or who read it.
 *
 * As many failures more come after a process was killed between its writing and its waiting, with nobody else
 * there, and another one has read.
 *
 *   npm run check -- power-loss                     200 failures
 *   npm run check -- power-loss --failures 1000 --seed 7
 *   npm run check -- power-loss --never-wait   the ledger does not wait for the disk
 *
 * Exit status 1 when anything is wrong.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import { openLedger } from '../../../src/ledger/claims/claim/ledger.ts';
import { readArguments } from '../../arguments.ts';
import { Random } from '../../generate/random.ts';
import { bundleWorkers } from '../bundle-workers.ts';
import { DiskImage } from './power/disk-image.ts';
import { readNotes } from './power/notes.ts';

/** Claims and how many of them are under way, of each process. */
const PROCESSES = [...Array(6).fill([150, 1]), ...Array(2).fill([250, 8])] as readonly [number, number][];

const USAGE = 'usage: npm run check -- power-loss [--failures N] [--seed S] [--never-wait]';

const { values } = readArguments(USAGE, {
  failures: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  'never-wait': { type: 'boolean', default: false },
});
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-power-'));
const file = join(folder, 'ledger.db');
const trace = join(folder, 'trace');
const shim = join(folder, 'trace.so');

let failures = 0;

/** What is wrong with the ledger that the disk would have. */
async function faultsOf(image: DiskImage, random: Random): Promise<readonly string[]> {
  // A name of its own each time: the driver keeps closed files open for a while.
  const found = join(folder, `found${++failures}.db`);
  writeFileSync(found, image.database.afterPowerLoss(random));
  writeFileSync(`${found}-wal`, image.log.afterPowerLoss(random));
  try {
    const { store } = await openLedger(found, { now: () => 0, newRequest: () => 'power' });
    try {
      const troubles = (await store.read(audit)).map((finding) => JSON.stringify(finding));
      const rows = await store.read((session) => session.all<{ uuid: string }>('SELECT uuid FROM consumers'));
      const there = new Set(rows.map(({ uuid }) => uuid));
      const missing = image.answered.filter((name) => !there.has(name));
      if (missing.length > 0)
        troubles.push(`${missing.length} claims that somebody was told of are missing, ${missing[0]} first`);
      return troubles;
    } finally {
      await store.close();
    }
  } catch (error) {
    return [(error as Error).message];
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${found}${end}`, { force: true });
  }
}

if (process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0) {
  console.log('power failures: skipped, since they need Linux and a C compiler (Debian: gcc)');
  rmSync(folder, { recursive: true });
  process.exit();
}
const source = fileURLToPath(new URL('power/trace.c', import.meta.url));
execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', shim, source, '-ldl']);
const [worker, reader] = (await bundleWorkers(
  folder,
  ['power/claims.ts', 'power/looks.ts'].map((name) => new URL(name, import.meta.url)),
)) as [string, string];
if (values['never-wait'])
  for (const bundle of [worker, reader]) {
    const code = readFileSync(bundle, 'utf8');
    const careless = code.replaceAll('synchronous = FULL', 'synchronous = NORMAL');
    if (careless === code) throw new Error('the place where the ledger waits for the disk is not found');
    writeFileSync(bundle, careless);
  }
const environment = { ...process.env, LD_PRELOAD: shim, EVENKEEL_TRACED: file, EVENKEEL_TRACE: trace };

const start = (words: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, words, { stdio: 'inherit', env: { ...environment, ...more } });
const ended = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => child.once('exit', (status, signal) => resolve(signal ?? status!)));

const claims = (name: string, [count, clients]: readonly [number, number]): readonly string[] => [
  worker,
  file,
  name,
  String(count),
  String(clients),
];

/** @throws when a process ends in another way. */
async function run(
  words: readonly string[],
  end: number | string = 0,
  more?: NodeJS.ProcessEnv,
): Promise<void> {
  const found = await ended(start(words, more));
  if (found !== end) throw new Error(`${words.slice(2).join(' ')} ended with ${found}`);
}
await run(claims('first', [1, 1]));
const looking = start([reader, file]);
await Promise.all(PROCESSES.map((one, i) => run(claims(`p${i}`, one))));
looking.kill('SIGKILL');
await ended(looking);
const manyUntil = readNotes(readFileSync(trace)).length;
// Who never waits is not killed on the way to it.
await run(claims('killed', [50, 1]), values['never-wait'] ? 0 : 'SIGKILL', { EVENKEEL_KILLED_AT: '30' });
await run([reader, file, 'once']);

const random = new Random(Number(values.seed), 'power');
const notes = readNotes(readFileSync(trace));
const begin = notes.findIndex(({ file: of }) => of === 'answers');
const momentsIn = (from: number, to: number): readonly number[] =>
  Array.from({ length: Number(values.failures) }, () => random.between(from, to));
const lastAnswer = notes.findLastIndex(({ file: of }) => of === 'answers');
const moments = [...momentsIn(begin, manyUntil), ...momentsIn(lastAnswer, notes.length - 1)].sort(
  (a, b) => a - b,
);
const image = new DiskImage();
let wrong = 0;
let most = 0;
let played = 0;
for (const moment of moments) {
  for (; played < moment; played++) image.play(notes[played]!, played);
  most = Math.max(most, image.log.writesUnderWay);
  const faults = await faultsOf(image, random);
  if (faults.length > 0) {
    wrong++;
    console.log(
      `failure before note ${moment}, ${image.answered.length} answers: ${faults.slice(0, 3).join('; ')}`,
    );
  }
}
const waits = notes.filter(({ kind, file: of }) => kind === 'waited' && of === 'log').length;
console.log(
  `${moments.length} failures, ${image.answered.length} answers before the last, ${waits} waits for the log, at most ${most} writes on their way: ${wrong} wrong`,
);
rmSync(folder, { recursive: true, force: true });
process.exitCode = wrong === 0 ? 0 : 1;
