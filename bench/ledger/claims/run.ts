/**
 * How quick the ledger is. Prints one JSON line a figure.
 *
 *   npm run bench -- claims                          both databases
 *   npm run bench -- claims --turns 3   fewer turns (short form)
 *   npm run bench -- claims --dir /mnt/disk   files on that disk, not with temporary files
 *   npm run bench -- claims --large   a ledger of 10,000 providers and a million allocations as well
 *
 * The pace of a disk changes from minute to minute: what is compared works by turns, in windows of half a
 * second, several processes in windows of two. All processes are warm then (window.ts); what their first
 * claims gave, all at once where there are several, is told as `cold`. The ledger's code is bundled from the
 * sources; imports and the large ledger use the built programs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer, postgresPrograms } from '../../../test/ledger/store/postgres-server.ts';
import { readArguments } from '../../arguments.ts';
import { bundleWorkers } from '../bundle-workers.ts';
import { commitsOfDisk } from './disk.ts';
import type { Figure } from './figure.ts';
import { imports } from './import.ts';
import { largeLedger } from './large.ts';
import { WARM_UP, type WindowLimit } from './window.ts';
import { byTurns, Workers } from './workers.ts';

const PROCESSES = 8;
/** Claims that one process has under way at a time, as a service with many clients has. */
const CLIENTS = 16;
const WINDOW: WindowLimit = { milliseconds: 500, most: 1e9 };
/**
 * Of several processes the last one ends its work some time after the window: short ones would tell more of
 * that than of the work.
 */
const LONG_WINDOW: WindowLimit = { milliseconds: 2000, most: 1e9 };
/** What is replayed is recorded before, so its windows end after so many claims. */
const REPLAYED: WindowLimit = { milliseconds: 500, most: 300 };

const USAGE = 'usage: npm run bench -- claims [--turns N] [--large] [--dir FOLDER]';

const { values } = readArguments(USAGE, {
  turns: { type: 'string', default: '10' },
  large: { type: 'boolean', default: false },
  dir: { type: 'string' },
});
const turns = Number(values.turns);
const folder = mkdtempSync(join(values.dir ?? tmpdir(), 'evenkeel-bench-'));

const say = (figure: Figure): void => console.log(JSON.stringify(figure));

const [claimerFile, replayerFile] = (await bundleWorkers(
  folder,
  ['claimer', 'replayer'].map((name) => new URL(`${name}.ts`, import.meta.url)),
)) as [string, string];

const claimers = (name: string, url: string, processes: number, clients = 1): Promise<Workers> =>
  Workers.start(
    claimerFile,
    Array.from({ length: processes }, (_, i) => [url, `${name}${i}`, String(clients)]),
  );

const replayer = (recordUrl: string, url: string): Promise<Workers> =>
  Workers.start(replayerFile, [[recordUrl, url, String(WARM_UP + turns * REPLAYED.most)]]);

/** One process against a plain script, many claims at a time against one, and 8 processes against one. */
async function measure(store: string, freshUrl: () => Promise<string>): Promise<void> {
  const url = await freshUrl();
  const one = await claimers('one', url, 1);
  const plain = await replayer(await freshUrl(), await freshUrl());
  const against = await byTurns(one, plain, turns, REPLAYED);
  say({
    name: `claims, ${store}, one process against a plain script of the same statements`,
    perSecond: against.a.perSecond,
    plainPerSecond: against.b.perSecond,
    ratio: against.ratio,
    cpuMicrosecondsEach: against.a.cpuMicrosecondsEach,
    plainCpuMicrosecondsEach: against.b.cpuMicrosecondsEach,
    coldPerSecond: one.cold.perSecond,
    coldCpuMicrosecondsEach: one.cold.cpuMicrosecondsEach,
  });
  await plain.end();

  const many = await claimers('many', await freshUrl(), 1, CLIENTS);
  const together = await byTurns(many, one, turns, WINDOW);
  say({
    name: `claims, ${store}, one process with ${CLIENTS} under way against one after the other`,
    perSecond: together.a.perSecond,
    onePerSecond: together.b.perSecond,
    ratio: together.ratio,
    cpuMicrosecondsEach: together.a.cpuMicrosecondsEach,
  });
  await many.end();

  const eight = await claimers('eight', url, PROCESSES);
  const processes = await byTurns(eight, one, turns, LONG_WINDOW);
  say({
    name: `claims, ${store}, ${PROCESSES} processes against one`,
    perSecond: processes.a.perSecond,
    onePerSecond: processes.b.perSecond,
    ratio: processes.ratio,
    cpuMicrosecondsEach: processes.a.cpuMicrosecondsEach,
    coldPerSecond: eight.cold.perSecond,
    coldCpuMicrosecondsEach: eight.cold.cpuMicrosecondsEach,
  });
  await eight.end();
  await one.end();
}

const disk = (): void =>
  say({ name: 'the disk alone: commits a second', perSecond: commitsOfDisk(join(folder, `disk${++files}`)) });

let files = 0;
disk();
await measure('SQLite', async () => join(folder, `ledger${++files}.db`));
const bin = postgresPrograms();
if (bin === undefined) say({ name: 'PostgreSQL', note: 'not installed' });
else {
  const server = await PostgresServer.start(bin, 'full');
  await measure('PostgreSQL', () => server.freshUrl());
  await server.remove();
}
disk();
for (const figure of imports(folder)) say(figure);
if (values.large) for (const figure of await largeLedger(join(folder, 'large.db'))) say(figure);
rmSync(folder, { recursive: true, force: true });
