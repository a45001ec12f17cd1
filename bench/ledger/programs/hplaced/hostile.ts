/**
 * Hostile HTTP against a hplaced with tokens, or two over PostgreSQL: requests to all that it describes, with
 * bodies that nearly fit, mutated requests, wrong tokens, path tricks, huge headers and bodies, slow clients.
 *
 *   npm run fuzz -- hplaced [--count 20000] [--seed 1] [--store sqlite|postgres]
 *
 * Every answer must be one that the interface knows (no 5xx), nothing may change without the right token,
 * /healthz must be answered soon meanwhile, memory must stay flat, nothing may stay behind of requests that
 * are over, and the ledger's audit be clean. Prints one JSON line; ends with status 1 when something is
 * wrong.
 */
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { readArguments, refuse } from '../../../arguments.ts';
import { Random } from '../../../generate/random.ts';
import { makeBigLedger } from './big-ledger.ts';
import { type Description, operationsOf } from './described-requests.ts';
import { loadNow, watchHealth } from './health-watch.ts';
import { type HostileRequest, hostileRequest, TOKEN } from './hostile-requests.ts';
import { LedgerServices, STORES, type StoreName } from './ledger-services.ts';

const USAGE = `usage: npm run fuzz -- hplaced [--count N] [--seed S] [--store ${STORES.join('|')}]`;

const { values } = readArguments(USAGE, {
  count: { type: 'string', default: '20000' },
  seed: { type: 'string', default: '1' },
  store: { type: 'string', default: 'sqlite' },
});
if (!STORES.includes(values.store as StoreName)) refuse(USAGE, `There is no store '${values.store}'`);
const COUNT = Number(values.count);
const AT_ONCE = 8;
const ANSWER_MS = 10_000;
/** Growth from after the first quarter to the end that a heap may show without leaking. */
const MOST_GROWTH_MIB = 64;
const DOCUMENTED = new Set([
  200, 201, 204, 400, 401, 403, 404, 405, 406, 408, 409, 411, 413, 414, 415, 417, 431, 501, 505,
]);

const all = await LedgerServices.on(values.store as StoreName);
await makeBigLedger(all.url, { hosts: 5, numaNodes: 2, devices: 2 });
const tokens = join(all.folder, 'tokens');
writeFileSync(tokens, `${TOKEN} admin\nreading-reading-reading reader\n`, { mode: 0o600 });
await all.start([
  ...['--tokens', tokens, '--request-timeout', '2', '--max-version', '1.41', '--max-body', '64'],
]);
const service = all.services[0]!;
/** Their turn to be asked comes with each request. */
const ports = all.services.map(({ url }) => Number(new URL(url).port));
const description = await fetch(`${service.url}/openapi.json`);
const operations = operationsOf((await description.json()) as Description);

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });

/** Sends bytes and takes what comes back until the other side closes. */
async function exchange({ bytes, isWhole }: HostileRequest, port: number): Promise<string> {
  const socket = await open(port);
  return new Promise((resolve) => {
    let answer = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(finish, ANSWER_MS);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('close', finish);
    socket.on('error', finish);
    // Half of a connection closes: the request is over, whatever it announced.
    if (isWhole) socket.write(bytes);
    else socket.end(bytes);
  });
}

const history = async (): Promise<number> => {
  const response = await fetch(`${service.url}/hplaced/history?limit=1`, {
    headers: { 'x-auth-token': TOKEN },
  });
  return ((await response.json()) as { changes: { id: number }[] }).changes[0]?.id ?? 0;
};

const troubles: string[] = [];
const statuses: Record<string, number> = {};
let changedByStrangers = 0;
let rssEarly = 0;

async function worker(first: number): Promise<void> {
  for (let n = first; n < COUNT; n += AT_ONCE) {
    const random = new Random(Number(values.seed) * 1_000_003 + n, 'hostile');
    const request = hostileRequest(random, operations);
    const { bytes, isTrusted } = request;
    const answer = await exchange(request, ports[n % ports.length]!);
    // `100 Continue` is no answer yet.
    const status =
      /^HTTP\/1\.1 (\d{3}) /.exec(answer.replace(/^(HTTP\/1\.1 100 Continue\r\n\r\n)+/, ''))?.[1] ?? 'none';
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== 'none' && !DOCUMENTED.has(Number(status)))
      troubles.push(`seed ${values.seed}, ${n}: status ${status}: ${bytes.toString('latin1').slice(0, 300)}`);
    // Without the administrator's token nothing may be made, changed or removed.
    if (!isTrusted && (status === '201' || (status === '204' && !/^GET\b/i.test(bytes.toString('latin1'))))) {
      changedByStrangers++;
      troubles.push(`seed ${values.seed}, ${n}: somebody got in: ${bytes.toString('latin1').slice(0, 300)}`);
    }
    if (n === COUNT >> 2) rssEarly = service.rssMib();
  }
}

/**
 * Connections that send a byte now and then, or nothing. They must be thrown out, and others must be served
 * meanwhile.
 */
async function slowClients(): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: 100 }, () => open(ports[0]!)));
  let closed = 0;
  const timers = sockets.map((socket, k) => {
    socket.resume();
    socket.on('close', () => closed++);
    socket.on('error', () => {});
    if (k % 2 === 0) socket.write('POST /allocations HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n');
    return setInterval(() => k % 2 === 0 && socket.writable && socket.write('x: y\r\n'), 500);
  });
  const started = performance.now();
  const health = await fetch(`${service.url}/healthz`);
  if (health.status !== 200 || performance.now() - started > 1000)
    troubles.push('slow clients keep others from being served');
  const end = performance.now() + 40_000;
  while (closed < sockets.length && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 200));
  for (const timer of timers) clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  return closed;
}

const before = await history();
const { load, mostMs } = loadNow();
const stops = await Promise.all(all.services.map(({ url }) => watchHealth(url)));
await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => worker(k)));
const healthz = await Promise.all(stops.map((stop) => stop()));
if (healthz.some((one) => one.mostMs > mostMs)) troubles.push(`/healthz took longer than ${mostMs} ms`);
const thrownOut = await slowClients();
if (thrownOut < 100) troubles.push(`${100 - thrownOut} slow clients were not thrown out`);
for (const { url } of all.services) {
  const figures = await (await fetch(`${url}/metrics`)).text();
  // Of the requests under way there is the one that asks.
  if (!/_running 1\n/.test(figures) || !/_held_bytes 0\n/.test(figures))
    troubles.push(
      `something stayed behind:\n${figures.match(/^\w+_(running|held_bytes) .*$/gm)!.join('\n')}`,
    );
}
const rssLate = service.rssMib();
if (rssLate - rssEarly > MOST_GROWTH_MIB) troubles.push(`memory grew from ${rssEarly} to ${rssLate} MiB`);
const after = await history();
// That strangers knocked is said; anything else is a fault.
troubles.push(...(await all.end((line) => line.includes('"what":"unknown token"'))));
for (const text of troubles.slice(0, 5)) console.error(text.slice(0, 2000));
console.log(
  JSON.stringify({
    name: 'hostile',
    store: values.store,
    count: COUNT,
    seed: Number(values.seed),
    statuses,
    operations: operations.length,
    changes: after - before,
    changedByStrangers,
    slowClientsThrownOut: thrownOut,
    load,
    healthz,
    rssMib: { early: rssEarly, late: rssLate },
    troubles: troubles.length,
  }),
);
process.exit(troubles.length > 0 ? 1 : 0);
