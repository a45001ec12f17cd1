/**
 * What one client could stop the service with: each of these requests while /healthz is asked for every 10 ms
 * beside it.
 *
 *   npm run check -- hplaced-attacks [--hosts 2000] [--store sqlite|postgres] [--short]
 *
 * On PostgreSQL there are two services, of which one is attacked. Prints one JSON line an attack: its status,
 * how long it took, and for each service the longest that anybody waited for /healthz and the memory
 * afterwards; and the load of the machine, which may be busy with other things. Ends with status 1 when a
 * status is not one of those expected (nor, on a busy machine, that of what takes too long), when /healthz
 * took longer than it may, or when the ledger's audit finds a fault.
 */
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { readArguments, refuse } from '../../../arguments.ts';
import { makeBigLedger } from './big-ledger.ts';
import { loadNow, watchHealth } from './health-watch.ts';
import { LedgerServices, STORES, type StoreName } from './ledger-services.ts';

const USAGE = `usage: npm run check -- hplaced-attacks [--hosts N] [--store ${STORES.join('|')}] [--short]`;
const { values } = readArguments(USAGE, {
  hosts: { type: 'string', default: '2000' },
  store: { type: 'string', default: 'sqlite' },
  short: { type: 'boolean', default: false },
});
if (!STORES.includes(values.store as StoreName)) refuse(USAGE, `There is no store '${values.store}'`);
const MOST_RSS_MIB = 2500;

const all = await LedgerServices.on(values.store as StoreName);
await makeBigLedger(all.url, { hosts: values.short ? 100 : Number(values.hosts), numaNodes: 2, devices: 8 });
await all.start(['--work-time', '5']);
const { services } = all;
/** The one that is attacked; the others share its ledger. */
const service = services[0]!;
const port = Number(new URL(service.url).port);

const groups = (count: number, what: string): string =>
  Array.from({ length: count }, (_, k) => `resources_${k}=${what}`).join('&');
const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Strangers who announce bodies and send most of them. */
async function strangers(count: number): Promise<number> {
  const size = 4_000_000;
  const head = `POST /allocations HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n`;
  const answers = Array.from(
    { length: count },
    () =>
      new Promise<number>((resolve) => {
        let said = '';
        const socket = connect(port, '127.0.0.1', () => socket.write(head + ' '.repeat(size - 1)));
        socket.on('data', (chunk) => {
          said += chunk;
        });
        socket.on('error', () => {});
        socket.on('close', () => resolve(Number(said.slice(9, 12))));
      }),
  );
  return (await Promise.all(answers)).every((status) => status === 401 || status === 0) ? 401 : 500;
}

/** Clients that ask for what takes long, and leave. */
async function leavers(count: number): Promise<number> {
  const ask = async (): Promise<void> => {
    await get(explainMany, { signal: AbortSignal.timeout(100) }).catch(() => 0);
  };
  await Promise.all(Array.from({ length: count }, ask));
  return 0;
}

const get = async (path: string, more: RequestInit = {}): Promise<number> => {
  const response = await fetch(service.url + path, {
    ...more,
    headers: { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39', ...more.headers },
  });
  for await (const _ of response.body ?? []) {
    // Read to its end, and kept nowhere.
  }
  return response.status;
};

const explainMany = `/hplaced/explain?${groups(65, 'VGPU:1')}&resources=VCPU:99999&group_policy=isolate`;
const pigeons = `/allocation_candidates?${groups(17, 'VGPU:1')}&group_policy=isolate`;
const events = Array.from({ length: 30_000 }, (_, k) => ({
  at: new Date(Date.UTC(2026, 0, 1) + k).toISOString(),
  tenant: `t${k}`,
  need: { memory: 1 },
}));

interface Attack {
  readonly name: string;
  readonly run: () => Promise<number>;
  readonly statuses: readonly number[];
}

const ATTACKS: readonly Attack[] = [
  {
    name: 'a limit beyond all bounds',
    run: () => get(`/allocation_candidates?${groups(8, 'VGPU:1')}&group_policy=none&limit=99999999999`),
    statuses: [400, 503],
  },
  { name: 'an explanation of 65 groups', run: () => get(explainMany), statuses: [200, 503] },
  { name: 'more groups than devices', run: () => get(pigeons), statuses: [200, 400, 503] },
  {
    name: 'a body of 300,000 unknown keys',
    run: () =>
      get(
        '/resource_providers',
        json(Object.fromEntries(Array.from({ length: 300_000 }, (_, k) => [`k${k}`, 1]))),
      ),
    statuses: [400],
  },
  { name: '100,000 brackets', run: () => get('/allocations', json('['.repeat(100_000))), statuses: [400] },
  {
    name: 'a simulated day of 30,000 requests',
    run: () => get('/bindings/simulate', json({ events })),
    statuses: [200, 503],
  },
  { name: 'all providers', run: () => get('/resource_providers'), statuses: [200] },
  {
    name: 'all candidates of one class',
    run: () => get('/allocation_candidates?resources=VCPU:1'),
    statuses: [200],
  },
  { name: '150 strangers with bodies', run: () => strangers(150), statuses: [401] },
  { name: '60 clients that leave', run: () => leavers(60), statuses: [0] },
];

let isFine = true;

async function attack({ name, run, statuses }: Attack): Promise<void> {
  const { load, isBusy, mostMs } = loadNow();
  const stops = await Promise.all(services.map(({ url: one }) => watchHealth(one)));
  const began = performance.now();
  const status = await run();
  const ms = Math.round(performance.now() - began);
  await wait(200);
  const healthz = await Promise.all(stops.map((stop) => stop()));
  const rssMib = services.map((service) => service.rssMib());
  const isRight =
    (statuses.includes(status) || (isBusy && status === 503)) &&
    healthz.every((one) => one.mostMs <= mostMs) &&
    Math.max(...rssMib) <= MOST_RSS_MIB;
  isFine &&= isRight;
  console.log(JSON.stringify({ name, status, ms, load, healthz, rssMib, isRight }));
}

// Connections and trees that are there before anybody attacks.
await get('/allocation_candidates?resources=VCPU:1&limit=1');
for (const one of ATTACKS) await attack(one);
const problems = await all.end();
for (const problem of problems.slice(0, 10)) console.error(problem);
console.log(JSON.stringify({ name: 'attacks', store: values.store, problems: problems.length, isFine }));
process.exit(isFine && problems.length === 0 ? 0 : 1);
