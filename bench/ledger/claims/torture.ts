/**
 * Torture: processes claim, move and release on one ledger, and are killed at random moments; PostgreSQL is
 * killed and restarted as well. Afterwards the ledger must be clean, and hold exactly what its users were
 * told. Before that, single units are claimed until there are none (units.ts).
 *
 *   npm run check -- torture                          a minute on each database
 *   npm run check -- torture --seconds 10          shorter
 *   npm run check -- torture --store sqlite        one database only
 *   npm run check -- torture --server-kills 20     kill PostgreSQL more often
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import { setInventories } from '../../../src/ledger/claims/changes/inventory-changes.ts';
import { createProvider } from '../../../src/ledger/claims/changes/provider-changes.ts';
import { change, initLedger } from '../../../src/ledger/claims/claim/ledger.ts';
import { readImage } from '../../../src/ledger/claims/cluster/read-image.ts';
import { INVENTORY_DEFAULTS } from '../../../src/ledger/claims/model/inventory.ts';
import { derivedUuid } from '../../../src/ledger/claims/model/names.ts';
import { PostgresServer, postgresPrograms } from '../../../test/ledger/store/postgres-server.ts';
import { readArguments } from '../../arguments.ts';
import { Random } from '../../generate/random.ts';
import { obstacleAfter } from '../../until.ts';
import { bundleWorkers } from '../bundle-workers.ts';
import { Herd } from '../herd.ts';
import { expectations, type Holding } from './torture-log.ts';
import { unitClaims } from './units.ts';

const PROCESSES = 12;
const PROVIDERS = 12;
const CAPACITY = 16;
/** Kills a second, all processes together; 200 a minute are asked for. */
const KILLS_PER_SECOND = 4;
const MS = 1000;
/** So long all processes may take until they are at work. */
const START_MS = 60 * MS;
const LOOK_EVERY_MS = 50;

const USAGE =
  'usage: npm run check -- torture [--seconds T] [--store sqlite|postgres|both] [--seed S] [--server-kills N]';

const { values } = readArguments(USAGE, {
  seconds: { type: 'string', default: '60' },
  store: { type: 'string', default: 'both' },
  seed: { type: 'string', default: '1' },
  'server-kills': { type: 'string', default: '6' },
});
const seconds = Number(values.seconds);
const serverKillCount = Number(values['server-kills']);
const random = new Random(Number(values.seed), 'torture');
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-torture-'));
const [workerFile, unitWorkerFile] = (await bundleWorkers(
  folder,
  ['torture-worker', 'unit-worker'].map((name) => new URL(`${name}.ts`, import.meta.url)),
)) as [string, string];

async function fill(url: string): Promise<void> {
  let requests = 0;
  const { ledger } = await initLedger(url, { now: () => Date.now(), newRequest: () => `fill/${++requests}` });
  for (let i = 0; i < PROVIDERS; i++) {
    const uuid = derivedUuid('torture', String(i));
    const inventories = new Map(
      ['VCPU', 'MEMORY_MB', 'DISK_GB'].map((name) => [name, { ...INVENTORY_DEFAULTS, total: CAPACITY }]),
    );
    await change(ledger, { actor: 'torture' }, (session, context) =>
      createProvider(session, context, { uuid, name: `p${i}`, parent: null, canHost: true }),
    );
    await change(ledger, { actor: 'torture' }, (session, context) =>
      setInventories(session, context, { provider: uuid }, inventories, 'kept'),
    );
  }
  await ledger.store.close();
}

/** Runs the processes for the time, killing them, and now and then `killServer`. */
async function run(
  url: string,
  logs: string,
  killServer: (() => Promise<void>) | undefined,
): Promise<Pick<Herd, 'kills' | 'troubles'>> {
  mkdirSync(logs);
  const herd = new Herd(PROCESSES, (name) => [workerFile, url, join(logs, name), name, values.seed]);
  // On a busy machine a short run would be over before any is at work.
  await obstacleAfter(
    START_MS,
    async () => (readdirSync(logs).length < PROCESSES && herd.troubles.length === 0 ? 'start' : undefined),
    LOOK_EVERY_MS,
  );
  const begin = Date.now();
  let serverKills = 0;
  let restart: Promise<void> = Promise.resolve();
  while (Date.now() - begin < seconds * MS) {
    await wait((MS / KILLS_PER_SECOND) * random.fraction());
    // On a busy machine waits get longer: the number of kills follows the clock.
    if (herd.kills > ((Date.now() - begin) / MS) * KILLS_PER_SECOND) continue;
    herd.killOne(random);
    if (killServer && ((Date.now() - begin) / (seconds * MS)) * serverKillCount > serverKills + 0.5) {
      serverKills++;
      // Processes go on being killed while the server is down.
      restart = restart.then(killServer);
    }
  }
  await restart;
  await herd.end();
  return herd;
}

const sameHolding = (
  a: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined,
  b: Holding,
): boolean => {
  const flat = (entries: readonly (readonly [string, number])[]): string =>
    [...entries].map(String).sort().join(' ');
  const left = [...(a ?? [])].flatMap(([p, classes]) =>
    [...classes].map(([c, n]) => [`${p}/${c}`, n] as const),
  );
  const right = Object.entries(b).flatMap(([p, classes]) =>
    Object.entries(classes).map(([c, n]) => [`${p}/${c}`, n] as const),
  );
  return flat(left) === flat(right);
};

/** Holds the ledger against its rules and against what its users were told. @returns what is wrong. */
async function judge(url: string, logs: string): Promise<readonly string[]> {
  const { ledger } = await initLedger(url, { now: () => Date.now(), newRequest: () => 'judge' });
  const { findings, image, generations } = await ledger.store.read(async (session) => ({
    findings: await audit(session),
    image: await readImage(session),
    generations: await session.all<{ total: number }>(
      'SELECT SUM(generation) AS total FROM resource_providers',
    ),
  }));
  await ledger.store.close();
  const { holdings, done, refused, unknown } = expectations(logs);
  const troubles = findings.map((finding) => JSON.stringify(finding));
  if (done === 0) troubles.push('nothing was done');
  for (const [consumer, possible] of holdings) {
    const allocations = image.consumers.get(consumer)?.allocations;
    if (!possible.some((holding) => sameHolding(allocations, holding)))
      troubles.push(
        `${consumer} should hold ${JSON.stringify(possible)}, and holds ${JSON.stringify([...(allocations ?? [])])}`,
      );
  }
  for (const consumer of image.consumers.keys())
    if (!holdings.has(consumer)) troubles.push(`nobody knows of ${consumer}`);
  console.log(
    `  ${done} changes done, ${refused} refused, ${unknown} cut off; ${image.consumers.size} consumers, generations add up to ${generations[0]!.total}`,
  );
  return troubles;
}

async function torture(name: string, url: string, killServer?: () => Promise<void>): Promise<boolean> {
  const logs = join(folder, `logs-${name}`);
  await fill(url);
  const { kills, troubles } = await run(url, logs, killServer);
  console.log(`${name}: ${seconds} s, ${PROCESSES} processes, ${kills} killed`);
  return verdict([...troubles, ...(await judge(url, logs))]);
}

async function units(name: string, url: string): Promise<boolean> {
  console.log(`${name}: single units`);
  return verdict(await unitClaims(url, unitWorkerFile, random));
}

function verdict(troubles: readonly string[]): boolean {
  for (const trouble of troubles.slice(0, 20)) console.log(`  WRONG: ${trouble}`);
  console.log(troubles.length === 0 ? '  clean' : `  ${troubles.length} faults`);
  return troubles.length === 0;
}

async function torturePostgres(): Promise<boolean> {
  const bin = postgresPrograms();
  if (bin === undefined) {
    console.log('PostgreSQL: not installed (Debian: postgresql), skipped');
    return true;
  }
  const server = await PostgresServer.start(bin, 'server');
  let killed = 0;
  try {
    const areUnitsFine = await units('PostgreSQL', await server.freshUrl());
    const isFine = await torture('PostgreSQL', await server.freshUrl(), async () => {
      await server.end(killed++ % 2 === 0 ? 'SIGQUIT' : 'SIGKILL');
      await server.run();
    });
    console.log(`  the server was killed and restarted ${killed} times`);
    return areUnitsFine && isFine;
  } finally {
    await server.remove();
  }
}

let isFine = true;
if (values.store !== 'postgres') {
  isFine = (await units('SQLite', join(folder, 'units.db'))) && isFine;
  isFine = (await torture('SQLite', join(folder, 'ledger.db'))) && isFine;
}
if (values.store !== 'sqlite') isFine = (await torturePostgres()) && isFine;
rmSync(folder, { recursive: true, force: true });
process.exitCode = isFine ? 0 : 1;
