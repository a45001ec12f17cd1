/**
 * Many clients at once: they ask for candidates, claim what they got, look at it and give it back, and read
 * lists in between.
 *
 *   npm run check -- hplaced-load [--clients 50] [--seconds 60] [--kill] [--services 3 --postgres] [--short]
 *
 * With --postgres the ledger is in a PostgreSQL that the test starts itself (Debian's packages). With --kill
 * the service is ended (SIGKILL and SIGTERM by turns) and started again every few seconds; clients try
 * again. Afterwards the audit of the ledger must be clean, and every claim that was granted must be there,
 * unless it had an end and nobody confirmed it. Prints one JSON line; ends with status 1 when something is
 * wrong.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { audit, isWarning } from '../../../../src/ledger/claims/audit/audit.ts';
import { openLedger } from '../../../../src/ledger/claims/claim/ledger.ts';
import { PostgresServer, postgresPrograms } from '../../../../test/ledger/store/postgres-server.ts';
import { readArguments } from '../../../arguments.ts';
import { Random } from '../../../generate/random.ts';
import { makeBigLedger } from './big-ledger.ts';
import { ServiceProcess } from './service-process.ts';

const USAGE =
  'usage: npm run check -- hplaced-load [--clients N] [--seconds T] [--services N] [--postgres] [--kill] [--short]';

const { values } = readArguments(USAGE, {
  clients: { type: 'string', default: '50' },
  seconds: { type: 'string', default: '60' },
  services: { type: 'string', default: '1' },
  postgres: { type: 'boolean', default: false },
  kill: { type: 'boolean', default: false },
  short: { type: 'boolean', default: false },
});
const CLIENTS = values.short ? 10 : Number(values.clients);
const SECONDS = values.short ? 5 : Number(values.seconds);
const KILL_EVERY_MS = 4_000;
/** Some ends come while the clients are at work. */
const MINOR = 41;
const ENDS_SECONDS = [1, 3, 3600];

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-load-'));
const bin = values.postgres ? postgresPrograms() : undefined;
if (values.postgres && bin === undefined) {
  console.error('Error: PostgreSQL is not installed\nMaybe: apt-get install postgresql');
  process.exit(2);
}
const server = bin === undefined ? undefined : await PostgresServer.start(bin, 'full');
const url = server ? await server.freshUrl() : join(folder, 'ledger.db');
await makeBigLedger(url, { hosts: 200, numaNodes: 2, devices: 4 });
const words = ['--db', url, '--max-version', `1.${MINOR}`];
const services: ServiceProcess[] = [];
for (let k = 0; k < Number(values.services); k++) services.push(await ServiceProcess.start(words));
const addresses = services.map((service) => new URL(service.url).host);

const count = { requests: 0, claims: 0, refusedClaims: 0, releases: 0, kept: 0, retries: 0, kills: 0 };
const unexpected: string[] = [];
const milliseconds: number[] = [];
/**
 * Consumer to what it holds, as the service last confirmed; null while that is open (the answer was lost).
 */
const held = new Map<string, number | null>();
/** Those of them that may be gone by themselves. */
const ending = new Set<string>();
let isOver = false;

interface Done {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: documents of many forms
  readonly body: any;
}

/** One request; undefined when the connection broke, so that nobody knows what became of it. */
async function send(k: number, method: string, path: string, body?: unknown): Promise<Done | undefined> {
  const service = services[k % services.length]!;
  const started = performance.now();
  try {
    const response = await service.send(method, path, body, MINOR);
    const text = await response.text();
    milliseconds.push(performance.now() - started);
    count.requests++;
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  } catch (error) {
    if (!values.kill) unexpected.push(`${method} ${path}: ${error}`);
    count.retries++;
    await wait(50);
    return undefined;
  }
}

const expectStatus = (done: Done | undefined, what: string, ...statuses: number[]): void => {
  if (done && !statuses.includes(done.status))
    unexpected.push(`${what}: ${done.status} ${JSON.stringify(done.body)?.slice(0, 300)}`);
};

async function claimOne(k: number, random: Random): Promise<string | undefined> {
  const amount = random.between(1, 4);
  const query = `resources_C=VCPU:${amount},MEMORY_MB:2048&resources_G=VGPU:1&same_subtree=_C,_G&group_policy=none&limit=${random.between(1, 30)}`;
  const found = await send(k, 'GET', `/allocation_candidates?${query}`);
  expectStatus(found, 'candidates', 200);
  const candidates = found?.body?.allocation_requests ?? [];
  if (candidates.length === 0) return undefined;
  const consumer = randomUUID();
  held.set(consumer, null);
  const lasts = random.chance(0.4) ? random.pick(ENDS_SECONDS) : undefined;
  if (lasts !== undefined) ending.add(consumer);
  const claimed = await send(k, 'PUT', `/allocations/${consumer}`, {
    ...candidates[random.below(candidates.length)],
    consumer_generation: null,
    project_id: `project${random.between(1, 9)}`,
    user_id: 'load',
    consumer_type: 'INSTANCE',
    lasts_seconds: lasts,
  });
  expectStatus(claimed, 'claim', 204, 409);
  if (!claimed) return consumer;
  if (claimed.status === 204) {
    count.claims++;
    held.set(consumer, amount);
    return consumer;
  }
  count.refusedClaims++;
  held.delete(consumer);
  return undefined;
}

async function release(k: number, consumer: string): Promise<void> {
  const before = held.get(consumer);
  held.set(consumer, null);
  const done = await send(k, 'DELETE', `/allocations/${consumer}`);
  // What nobody knows may be gone already; what many want at once may have to be asked for again.
  const mayBeGone = before === null || ending.has(consumer);
  expectStatus(done, 'release', 204, 409, ...(mayBeGone ? [404] : []));
  if (!done) return;
  if (done.status === 409) held.set(consumer, before ?? null);
  else held.delete(consumer);
  if (done.status === 204) count.releases++;
}

/** Confirms or renews; refused when it is gone. */
async function keep(k: number, consumer: string, random: Random): Promise<void> {
  const path = `/allocations/${consumer}`;
  const renews = random.chance(0.5);
  const done = renews
    ? await send(k, 'POST', `${path}/renew`, { lasts_seconds: random.pick(ENDS_SECONDS) })
    : await send(k, 'POST', `${path}/confirm`);
  const mayBeGone = held.get(consumer) === null || ending.has(consumer);
  expectStatus(done, 'confirm or renew', 200, ...(mayBeGone ? [404, 409] : []));
  if (done?.status !== 200) return;
  count.kept++;
  if (!renews) ending.delete(consumer);
}

async function client(k: number): Promise<void> {
  const random = new Random(k + 1, 'load');
  const own: string[] = [];
  while (!isOver) {
    const dice = random.fraction();
    if (dice < 0.45) {
      const consumer = await claimOne(k, random);
      if (consumer) own.push(consumer);
    } else if (dice < 0.65 && own.length > 3) await release(k, own.splice(random.below(own.length), 1)[0]!);
    else if (dice < 0.72 && own.length > 0) await keep(k, own[random.below(own.length)]!, random);
    else if (dice < 0.8 && own.length > 0) {
      const consumer = own[random.below(own.length)]!;
      const shown = await send(k, 'GET', `/allocations/${consumer}`);
      expectStatus(shown, 'show', 200);
      const isKept = typeof held.get(consumer) === 'number' && !ending.has(consumer);
      if (shown && isKept && Object.keys(shown.body.allocations).length === 0)
        unexpected.push(`${consumer} was granted and is not there`);
    } else if (dice < 0.95)
      expectStatus(await send(k, 'GET', `/usages?project_id=project${random.between(1, 9)}`), 'usages', 200);
    else
      expectStatus(
        await send(k, 'GET', `/resource_providers?name=host00${random.between(100, 199)}`),
        'list',
        200,
      );
  }
}

/** What the services have said and how they ended, also those that came again. */
let stderr = '';
const statuses: (number | null)[] = [];

async function end(service: ServiceProcess, isKilled = false): Promise<void> {
  if (isKilled) await service.kill();
  else statuses.push(await service.stop());
  stderr += service.stderr;
}

async function killNow(k: number): Promise<void> {
  await end(services[k]!, count.kills++ % 2 === 0);
  services[k] = await ServiceProcess.start(words, addresses[k]!);
}

const clients = Array.from({ length: CLIENTS }, (_, k) => client(k));
const endMs = performance.now() + SECONDS * 1000;
while (performance.now() < endMs) {
  await wait(Math.min(KILL_EVERY_MS, Math.max(1, endMs - performance.now())));
  if (values.kill && performance.now() < endMs) await killNow(count.kills % services.length);
}
isOver = true;
await Promise.all(clients);

const rssMib = services.map((service) => service.rssMib());
for (const service of services) await end(service);

const ledger = await openLedger(url, { now: Date.now, newRequest: randomUUID });
const faults = (await ledger.store.read(audit)).filter((finding) => !isWarning(finding));
const present = new Set(
  await ledger.store.read(async (session) =>
    (await session.all<{ uuid: string }>('SELECT uuid FROM consumers')).map(({ uuid }) => uuid),
  ),
);
await ledger.store.close();
const lost = [...held].filter(
  ([consumer, amount]) => amount !== null && !ending.has(consumer) && !present.has(consumer),
).length;
const unknown = [...present].filter((consumer) => !held.has(consumer)).length;
rmSync(folder, { recursive: true });
await server?.remove();

milliseconds.sort((a, b) => a - b);
const quantile = (q: number): number =>
  Math.round(milliseconds[Math.floor(q * (milliseconds.length - 1))]! * 10) / 10;
const isFine =
  count.claims > 0 &&
  unexpected.length === 0 &&
  faults.length === 0 &&
  lost === 0 &&
  unknown === 0 &&
  stderr === '' &&
  statuses.every((status) => status === 0);
for (const text of [...unexpected, ...faults.map((fault) => JSON.stringify(fault))].slice(0, 5))
  console.error(text);
if (stderr !== '') console.error(stderr.slice(0, 2000));
console.log(
  JSON.stringify({
    name: 'load',
    clients: CLIENTS,
    seconds: SECONDS,
    services: services.length,
    store: server ? 'postgres' : 'sqlite',
    ...count,
    perSecond: Math.round(count.requests / SECONDS),
    ms: { median: quantile(0.5), p99: quantile(0.99), most: quantile(1) },
    errors: unexpected.length,
    auditFaults: faults.length,
    lost,
    unknown,
    rssMib,
    isFine,
  }),
);
process.exit(isFine ? 0 : 1);
