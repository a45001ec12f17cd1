/**
 * A ledger goes into a real Placement, and comes back by its database and over HTTP; one run is killed on the
 * way. After each step both must be the same, generations included, and Placement must go on working.
 *
 *   npm run check -- moving [--providers N] [--consumers N] [--short]
 *
 * Debian's python3-placement is needed; with mariadb-server and python3-pymysql Placement is on MariaDB, else
 * on SQLite; with uwsgi-plugin-python3 two processes serve it, else one. Prints one JSON document: seconds
 * and cpu seconds of each step, and what a request costs Placement.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { change, initLedger } from '../../../src/ledger/claims/claim/ledger.ts';
import { enterImage } from '../../../src/ledger/claims/cluster/enter-image.ts';
import { readArguments } from '../../arguments.ts';
import { launcherOf } from '../../launchers.ts';
import { measure } from '../../measure.ts';
import { largeCloud } from './large-cloud.ts';
import { isInstalled, MariaDb, RealPlacement } from './real-placement.ts';

const USAGE = 'usage: npm run check -- moving [--providers N] [--consumers N] [--short]';
const HCLAIM = launcherOf('hclaim')!;
const SHORT = { providers: 60, consumers: 400 };
const LIMIT_SECONDS = 3600;
/** More than an empty draft has: some tens of answers. */
const LEAST_KEPT_BYTES = 10_000;
const AGREE = 'Ledger and Placement agree.\n';

const { values } = readArguments(USAGE, {
  providers: { type: 'string', default: '5000' },
  consumers: { type: 'string', default: '100000' },
  short: { type: 'boolean', default: false },
});
const size = values.short
  ? SHORT
  : { providers: Number(values.providers), consumers: Number(values.consumers) };
if (!isInstalled('placement')) {
  console.error('Error: there is no Placement here\nMaybe: apt-get install python3-placement');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-moving-'));
process.env.STATE_DIRECTORY = join(folder, 'state');
const ledgerOf = (name: string): string => join(folder, `${name}.db`);
const steps: object[] = [];

/** Runs hclaim, and notes what it took. @throws when it does not end as expected */
function step(name: string, ledger: string, words: string, status: number, end: string | RegExp): void {
  const started = performance.now();
  const run = measure(HCLAIM, ['--db', ledgerOf(ledger), ...words.split(' ')], folder, LIMIT_SECONDS);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const isRight = typeof end === 'string' ? run?.stdout.endsWith(end) : end.test(run?.stdout ?? '');
  if (run?.exitCode !== status || !isRight)
    throw new Error(`${name}: exit status ${run?.exitCode}\n${run?.stdout.slice(-2000)}`);
  steps.push({ step: name, seconds, cpuSeconds: run.cpuSeconds, peakMib: run.peakMib });
}

/** Begins an import, and kills it once it has kept some answers. */
async function killedImport(ledger: string, url: string): Promise<void> {
  const state = join(folder, 'state');
  const child = spawn(HCLAIM, ['--db', ledgerOf(ledger), 'import', '--placement', url], { stdio: 'ignore' });
  const isOver = new Promise((resolve) => child.once('exit', resolve));
  const keptBytes = (): number =>
    existsSync(state)
      ? readdirSync(state).reduce((sum, file) => sum + statSync(join(state, file)).size, 0)
      : 0;
  while (child.exitCode === null && keptBytes() < LEAST_KEPT_BYTES) await wait(20);
  child.kill('SIGKILL');
  await isOver;
}

/** What only a Placement that is whole can do: find room, give it, and count. */
async function useIt(placement: RealPlacement): Promise<void> {
  const found = await placement.call('GET', '/allocation_candidates?resources=VCPU:1,MEMORY_MB:64&limit=1');
  const { allocations } = found.allocation_requests[0];
  await placement.call('PUT', `/allocations/${randomUUID()}`, {
    allocations,
    project_id: 'p',
    user_id: 'u',
    consumer_generation: null,
    consumer_type: 'INSTANCE',
  });
  const { uuid, generation } = await placement.call(
    'GET',
    `/resource_providers/${Object.keys(allocations)[0]}`,
  );
  await placement.call('PUT', '/traits/CUSTOM_NEW');
  await placement.call('PUT', '/resource_classes/CUSTOM_NEW');
  await placement.call('PUT', `/resource_providers/${uuid}/traits`, {
    traits: ['CUSTOM_NEW'],
    resource_provider_generation: generation,
  });
}

const { ledger } = await initLedger(ledgerOf('first'), { now: Date.now, newRequest: randomUUID });
const cloud = largeCloud(size.providers, size.consumers);
await change(ledger, { actor: 'bench' }, (session, context) => enterImage(session, context, cloud, 'fresh'));
await ledger.store.close();
for (const name of ['by-database', 'over-http'])
  await (await initLedger(ledgerOf(name), { now: Date.now, newRequest: randomUUID })).ledger.store.close();

const mariadb = isInstalled('mariadb') ? await MariaDb.start(join(folder, 'mariadb')) : undefined;
const database = mariadb?.database('placement') ?? `sqlite:///${join(folder, 'placement.sqlite')}`;
const url = mariadb ? database : join(folder, 'placement.sqlite');
const placement = await RealPlacement.start(join(folder, 'placement'), database);
try {
  step('export, verified', 'first', `export --verify --placement ${url}`, 0, AGREE);
  step('import from the database, verified', 'by-database', `import --verify --placement ${url}`, 0, AGREE);
  step('audit', 'by-database', 'audit', 0, 'The ledger is clean.\n');
  await killedImport('over-http', placement.url);
  const before = placement.effort();
  step('import over HTTP', 'over-http', `import --placement ${placement.url}`, 0, 'consumers.\n');
  const after = placement.effort();
  const requests = after.requests - before.requests;
  // Four about each provider, of which three were kept, and one about each consumer.
  if (requests >= 4 * size.providers + size.consumers)
    throw new Error(`${requests} requests: nothing was taken up of the run that was killed`);
  const perRequest = (after.cpuSeconds - before.cpuSeconds) / requests;
  if (size.providers + size.consumers <= SHORT.providers + SHORT.consumers)
    step('audit over HTTP', 'over-http', `audit --placement ${placement.url}`, 0, 'The ledger is clean.\n');
  step('audit by the database', 'over-http', `audit --placement ${url}`, 0, 'The ledger is clean.\n');
  await useIt(placement);
  const differs = /\+ class CUSTOM_NEW\n\+ trait CUSTOM_NEW\n~ provider .*\n(?:.*\n)*\+ consumer /;
  step('audit of what went on', 'over-http', `audit --placement ${url}`, 1, differs);
  step('import again', 'over-http', `import --replace --verify --placement ${url}`, 0, AGREE);
  step('audit', 'over-http', 'audit', 0, 'The ledger is clean.\n');
  const cost = { requests, msOfPlacementPerRequest: Math.round(perRequest * 10_000) / 10 };
  console.log(JSON.stringify({ ...size, on: mariadb ? 'MariaDB' : 'SQLite', ...cost, steps }, undefined, 2));
} finally {
  await placement.stop();
  mariadb?.stop();
  rmSync(folder, { recursive: true, force: true });
}
